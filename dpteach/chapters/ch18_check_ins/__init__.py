"""Chapter 18: random check-ins."""
