"""Chapter 6: private empirical risk minimization."""
