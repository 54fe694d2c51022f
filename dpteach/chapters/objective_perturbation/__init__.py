"""Chapter 8: objective perturbation."""
