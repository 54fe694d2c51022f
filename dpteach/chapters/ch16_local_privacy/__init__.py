"""Chapter 16: local privacy."""
