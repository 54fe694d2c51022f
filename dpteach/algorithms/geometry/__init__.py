"""Chapter 17: polytopes, and steps between their corners."""
