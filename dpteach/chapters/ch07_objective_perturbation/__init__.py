"""Chapter 7: objective perturbation."""
