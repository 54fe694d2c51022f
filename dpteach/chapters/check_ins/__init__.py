"""Chapter 21: random check-ins."""
