"""Chapter 12: DP-FTRL in practice."""
