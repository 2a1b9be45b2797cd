"""Puzzles, and files of them in JSON lines, such as a game's `measured/puzzles.jsonl`.

The answers to choose from are all turns of the player to act; turns that lead to the same position are the
same answer.
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
    """The turns from a position, one for each position that they lead to; None if there are more than `most`,
    or too many action sequences to examine."""
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
    """Every way through a turn without positions already `seen` within it; None if there are too many."""
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
    """A key that is equal for positions of a game whose stones are equal up to a symmetry of the board."""
    stones = position.states()["stones"][0][: position.game.geometry.points].tolist()
    images = (
        tuple(stone for _, stone in sorted(zip(symmetry.points, stones, strict=True)))
        for symmetry in position.game.symmetries
    )
    return repr((position.game, position.to_move, min(images))).encode()


MOST_BYTES = 16_384
"""The longest line of a file."""
Count = Annotated[int, Meta(ge=0)]
Level = Annotated[int, Meta(ge=1)]


class PuzzleError(ValueError):
    """An invalid line of a puzzle file; the message says what is wrong with it."""


class Puzzle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A position in which the player to act has a proven win that a bot of some level misses.

    Turns are texts: their actions with spaces between them.
    """

    game: str
    options: dict[str, int]
    position: str = ""
    """Where `before` begins, as `str(position)` writes it; empty for the game's start."""
    before: str = ""
    """The actions that lead to the puzzle."""
    at: str
    """The puzzle's position, as `str(position)` writes it."""
    seat: Count
    """The seat to act, which can win."""
    answers: Annotated[tuple[str, ...], Meta(min_length=1)]
    """All first turns that keep the win, one for each position that they lead to."""
    line: str
    """The first answer, and best play after it as far as it was found."""
    level: Level
    """The highest level that misses the win in at least half its tries."""
    misses: Count
    """How often that level missed it."""
    tries: Level
    """How often that level tried, each time with a different seed."""
    source: str
    """The game that it is from, for readers."""
    seed: int = 0
    """The seed of the tries, and of the game if bots played it."""

    @cached_property
    def name(self) -> str:
        """A name that is unique to the position."""
        text = repr((self.game, sorted(self.options.items()), self.at))
        return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()

    @property
    def found_game(self) -> Game:
        """The game with its options. Raises ValueError if it doesn't exist."""
        return catalog.game(self.game, **self.options)

    def begin(self) -> Position:
        """The position to solve, with the actions that led to it.

        Raises ValueError if the game or its start doesn't exist, or if actions can't be played.
        """
        game = self.found_game
        return played(game.position(self.position) if self.position else game.start(), self.before)

    def shown(self) -> Position:
        """The position to solve, without the actions before it. Raises ValueError if it is invalid."""
        return self.found_game.position(self.at)

    def is_right(self, begun: Position, after: Position) -> bool:
        """Whether the turn that led from the puzzle to a position keeps the win."""
        return any(played(begun, answer) == after for answer in self.answers)


def played(position: Position, actions: str) -> Position:
    """The position after playing actions, separated by spaces. Raises IllegalAction."""
    for action in actions.split():
        position = position.play(action)
    return position


def is_whole_turn(begun: Position, after: Position) -> bool:
    """Whether the actions from `begun`, the beginning of a turn, to `after` make up exactly one turn."""
    return after is not begun and after.is_between_turns


def written(puzzle: Puzzle) -> str:
    """A puzzle as a line of a file, without a newline."""
    return msgspec.json.encode(puzzle).decode()


def read_puzzles(lines: Iterable[bytes]) -> Iterator[Puzzle]:
    """The puzzles in the lines of a file; empty lines are skipped.

    Raises PuzzleError naming the line. Doesn't check whether puzzles are right; `flaws` does.
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
    """The puzzles that come with a game, in file order; empty without a file. Raises PuzzleError."""
    file = description.measured_file(FILE)
    return tuple(read_puzzles(file.read_bytes().splitlines())) if file else ()
