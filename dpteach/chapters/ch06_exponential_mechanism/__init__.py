"""Chapter 6: the exponential mechanism."""
