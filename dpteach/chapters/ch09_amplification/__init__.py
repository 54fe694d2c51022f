"""Chapter 9: amplification by sampling, promise and pitfalls."""
