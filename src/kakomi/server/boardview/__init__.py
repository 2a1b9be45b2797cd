"""Boards on pages: one presenter, the fragments that a page lacks, and view preferences."""
