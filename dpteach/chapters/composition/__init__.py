"""Chapter 3: accounting."""
