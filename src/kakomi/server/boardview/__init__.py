"""Boards on pages: one presenter, fragments that a page lacks, and how somebody wishes to see boards."""
