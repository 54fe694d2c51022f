"""Chapter 19: local privacy."""
