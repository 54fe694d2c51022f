"""Chapter 14: DP-FTRL in practice."""
