"""Chapter 15: matrix factorization."""
