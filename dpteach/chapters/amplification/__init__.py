"""Chapter 10: amplification by sampling, promise and pitfalls."""
