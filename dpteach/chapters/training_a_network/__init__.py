"""Chapter 11: Training a network."""
