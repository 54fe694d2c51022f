"""Chapter 5: private empirical risk minimization."""
