"""The reader's own program: nine parts in one file, each of which calls earlier ones.

``parts`` says what they are, ``checks`` and ``descent`` hold each to that of
``dpteach.tiny``, given the same parts below it, and ``my_dp`` reads, grows and grades
the file.
"""
