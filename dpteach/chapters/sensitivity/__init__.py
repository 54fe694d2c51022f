"""Chapter 2: mechanisms."""
