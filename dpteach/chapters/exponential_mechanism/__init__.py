"""Chapter 7: the exponential mechanism."""
