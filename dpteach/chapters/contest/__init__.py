"""A contest for a class: the least noise that its tape certifies, and the best attack.

``noise`` and ``attack`` are its two tracks, and ``board`` runs a folder of submissions
through both: ``python -m dpteach.chapters.contest FOLDER --out BOARD``.
"""
