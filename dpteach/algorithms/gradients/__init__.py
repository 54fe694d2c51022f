"""Chapters 5 and 9: gradient descent, with and without noise."""
