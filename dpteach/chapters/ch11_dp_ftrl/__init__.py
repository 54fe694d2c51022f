"""Chapter 11: DP-FTRL."""
