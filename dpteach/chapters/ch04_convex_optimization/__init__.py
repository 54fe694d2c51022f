"""Chapter 4: convex optimization."""
