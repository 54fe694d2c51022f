"""Chapter 13: matrix factorization."""
