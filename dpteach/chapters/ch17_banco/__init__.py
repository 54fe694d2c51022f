"""Chapter 17: BANCO."""
