"""Chapter 14: polytopes, and steps between their corners."""
