"""Floor 7. The content of the book: a room for each chapter, named as its notebook is.

In a room stand the chapter's figures, its questions, its stored results and its
exercises. Nothing here is meant for programs to build on; the engines that draw and
grade it are ``dpteach.figures`` and ``dpteach.grading``.
"""
