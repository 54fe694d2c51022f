"""Chapters 10 to 12: records that come one after the other."""
