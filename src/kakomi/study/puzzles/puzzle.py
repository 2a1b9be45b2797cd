"""A puzzle, and files of puzzles, a line of JSON for each; `puzzles.jsonl` beside a game's rules is one.

The answers to choose from are all turns of the player to act, of which those are alike that lead to the same
position, but for a symmetry of the board.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from kakomi import catalog
from kakomi.core import Description, Game, Position

Key = tuple[bytes, bool]


class Turn(NamedTuple):
    """A whole turn."""

    actions: tuple[str, ...]
    after: Position


def turns_of(position: Position, most: int) -> list[Turn] | None:
    """The turns from a position on, one for each position that they lead to; None if there are more than
    `most`, or too many ways to look at."""
    found: dict[Key, Turn] = {}
    tries = iter(range(8 * most))
    for turn in _turns(position, (), set(), tries):
        if turn is None:
            return None
        found.setdefault((turn.after.key(), turn.after.is_over), turn)
        if len(found) > most:
            return None
    return list(found.values())


def _turns(
    position: Position, played: tuple[str, ...], seen: set[bytes], tries: Iterator[int]
) -> Iterator[Turn | None]:
    """Every way through a turn, but for those that come to what was `seen` within it; None: too many."""
    for action in position.legal():
        if next(tries, None) is None:
            yield None
            return
        after = position.play(action)
        if after.is_between_turns:
            yield Turn((*played, action), after)
        elif after.key() not in seen:
            seen.add(after.key())
            yield from _turns(after, (*played, action), seen, tries)


def canonical_key(position: Position) -> bytes:
    """The same for positions of a game whose stones are alike but for a symmetry of the board."""
    stones = position.states()["stones"][0][: position.game.geometry.points].tolist()
    images = (
        tuple(stone for _, stone in sorted(zip(symmetry.points, stones, strict=True)))
        for symmetry in position.game.symmetries
    )
    return repr((position.game, position.to_move, min(images))).encode()


MOST_BYTES = 16_384
"""No line is longer."""
Count = Annotated[int, Meta(ge=0)]
Level = Annotated[int, Meta(ge=1)]


class PuzzleError(ValueError):
    """A line that is no puzzle; the message says what is wrong with it."""


class Puzzle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A position in which the player to act has a proven win that a bot of some level misses.

    Turns are texts: their actions with spaces between them.
    """

    game: str
    options: dict[str, int]
    position: str = ""
    """Where `before` begins, as `str(position)` writes it; empty: at the game's start."""
    before: str = ""
    """The actions that lead to the puzzle."""
    at: str
    """The puzzle's position, as `str(position)` writes it."""
    seat: Count
    """Who is to act, and wins."""
    answers: Annotated[tuple[str, ...], Meta(min_length=1)]
    """All first turns that keep the win, one for each position that they lead to."""
    line: str
    """The first of the answers, and best play after it as far as it was worked out."""
    level: Level
    """The highest level tried that misses the win at least every second time."""
    misses: Count
    """How often that level missed it."""
    tries: Level
    """How often it was asked, with a seed of its own each time."""
    source: str
    """The game it is from, in words."""
    seed: int = 0
    """Of the tries, and of the game if bots played it."""

    @cached_property
    def name(self) -> str:
        """A name that no puzzle of another position has."""
        text = repr((self.game, sorted(self.options.items()), self.at))
        return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()

    @property
    def found_game(self) -> Game:
        """The game with its options. Raises ValueError if there is none."""
        return catalog.game(self.game, **self.options)

    def begin(self) -> Position:
        """The position to solve, by the way that led there.

        Raises ValueError for a game or a start that is none, and for actions that can't be played.
        """
        game = self.found_game
        return played(game.position(self.position) if self.position else game.start(), self.before)

    def shown(self) -> Position:
        """The position to solve, without what came before. Raises ValueError for a game or a text that is
        none."""
        return self.found_game.position(self.at)

    def is_right(self, begun: Position, after: Position) -> bool:
        """Whether the turn that led from the puzzle to a position keeps the win."""
        return any(played(begun, answer) == after for answer in self.answers)


def played(position: Position, actions: str) -> Position:
    """The position after some actions, one by one. Raises IllegalAction."""
    for action in actions.split():
        position = position.play(action)
    return position


def is_whole_turn(begun: Position, after: Position) -> bool:
    """Whether what was played from the beginning of a turn on is exactly that turn."""
    return after is not begun and after.is_between_turns


def written(puzzle: Puzzle) -> str:
    """A puzzle as its line of a file, without the line's end."""
    return msgspec.json.encode(puzzle).decode()


def read_puzzles(lines: Iterable[bytes]) -> Iterator[Puzzle]:
    """The puzzles in the lines of a file; empty lines are left out.

    Raises PuzzleError naming the line. Whether a puzzle is right is not looked at: `flaws` does that.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > MOST_BYTES:
            raise PuzzleError(f"line {number}: no puzzle has more than {MOST_BYTES:,} bytes")
        try:
            yield msgspec.json.decode(line, type=Puzzle)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise PuzzleError(f"line {number}: no puzzle: {error or 'nested too deep'}") from None


FILE = "puzzles.jsonl"


@cache
def shipped_puzzles(description: Description) -> tuple[Puzzle, ...]:
    """Those of a game, in the order of the file; none without one. Raises PuzzleError."""
    file = description.file(FILE)
    return tuple(read_puzzles(file.read_bytes().splitlines())) if file else ()
