"""Records as SGF FF[4], for games of two players on square boards."""

from kakomi.records.sgf.reading import read_sgf
from kakomi.records.sgf.syntax import looks_like_sgf
from kakomi.records.sgf.writing import write_sgf

__all__ = ["looks_like_sgf", "read_sgf", "write_sgf"]
