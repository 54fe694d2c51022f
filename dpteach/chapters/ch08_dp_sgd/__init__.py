"""Chapter 8: DP-SGD."""
