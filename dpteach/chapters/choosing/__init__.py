"""Chapter 24: choosing an algorithm."""
