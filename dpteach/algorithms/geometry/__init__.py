"""Chapter 14: polytopes, and walks among their corners."""
