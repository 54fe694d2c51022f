"""Chapter 5: convex optimization."""
