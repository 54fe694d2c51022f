"""Chapter 14: Frank-Wolfe."""
