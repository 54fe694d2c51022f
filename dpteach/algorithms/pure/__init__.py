"""Chapters 6 to 8: pure ε, by a random choice, a random tilt or a noisy minimum."""
