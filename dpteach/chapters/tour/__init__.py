"""Chapter 0: a tour."""
