"""Chapters 16 to 18: privacy without a server that is trusted with everything."""
