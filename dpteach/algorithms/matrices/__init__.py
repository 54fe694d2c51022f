"""Chapter 13: correlated noise by factorizing a matrix."""
