"""Chapter 21: choosing an algorithm."""
