"""Chapter 13: DP-FTRL."""
