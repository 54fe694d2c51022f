"""The exercises of chapter 13."""
