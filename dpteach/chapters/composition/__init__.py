"""Chapter 3: Composition."""
