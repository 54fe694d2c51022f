"""Chapters 4 and 8: gradient descent, with and without noise."""
