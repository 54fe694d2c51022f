"""Chapter 18: lower bounds."""
