"""Chapters 12 to 14: records that come one after the other."""
