"""Chapter 15: correlated noise by factorizing a matrix."""
