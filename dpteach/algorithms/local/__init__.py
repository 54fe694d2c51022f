"""Chapters 19 to 21: privacy without a server that is trusted with everything."""
