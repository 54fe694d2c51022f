"""Chapters 5 to 7: pure ε, by a random choice, a random tilt or a noisy minimum."""
