"""Chapter 20: BANCO."""
