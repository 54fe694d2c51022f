"""Chapter 15: lower bounds."""
