"""Chapter 9: DP-SGD."""
