"""The puzzles that come with a game: the file `puzzles.jsonl` beside its rules."""

from functools import cache

from kakomi.core import Description
from kakomi.study.puzzles.puzzle import Puzzle, read_puzzles

FILE = "puzzles.jsonl"


@cache
def shipped_puzzles(description: Description) -> tuple[Puzzle, ...]:
    """Those of a game, in the order of the file; none without one. Raises PuzzleError."""
    file = description.file(FILE)
    return tuple(read_puzzles(file.read_bytes().splitlines())) if file else ()
