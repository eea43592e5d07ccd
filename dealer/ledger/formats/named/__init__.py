"""The formats that ``--format`` takes, one a file: the name of the file, with hyphens, is the name of the format.

To add a format, write its file here, with a class ``FORMAT`` (see ``format.py``). Nothing else needs to know.
"""
