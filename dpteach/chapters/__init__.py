"""Floor 7. The content of the book: a folder for each chapter, named like its notebook.

The folder holds the chapter's figures, its questions, its stored results and its
exercises. Programs should not build on anything here; the engines that draw and grade
it are ``dpteach.figures`` and ``dpteach.grading``.
"""
