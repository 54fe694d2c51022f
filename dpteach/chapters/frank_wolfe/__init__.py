"""Chapter 17: Frank-Wolfe."""
