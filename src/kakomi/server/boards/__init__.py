"""Boards on pages: their presenter, fragments of pages, view preferences, and pictures for other sites."""
