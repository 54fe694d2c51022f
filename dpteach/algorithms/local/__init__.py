"""Chapters 16 to 18: no server that is trusted with everything."""
