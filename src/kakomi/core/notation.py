"""Positions as a line of text, and back (docs/positions.md)."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, repeat
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from kakomi.core.i18n import lazy_message
from kakomi.core.validation import set_field
from kakomi.core.wording import truncated_repr
from kakomi.kernel.records import EMPTY

if TYPE_CHECKING:
    from kakomi.core.game import Game
    from kakomi.core.position import Position

_RUNS_AND_STONES = re.compile("[0-9]{1,9}|.")  # no run so long that it couldn't be counted
_NUMBERS = re.compile("-?[0-9]{1,20}(,-?[0-9]{1,20})*")


class Notation:
    """How the positions of a game are written: all that its rules can tell apart, and nothing else.

    >>> import kakomi
    >>> position = kakomi.game("rin", size=4).start().play("1,1")
    >>> str(position)
    '4/1b2/4/4 w left_in_turn=2'
    >>> position.game.position("4/1b2/4/4 w left_in_turn=2") == position
    True
    """

    def __init__(self, game: "Game") -> None:
        self.game = game
        pieces = [name for name in game.description.style.kinds[1:] for _ in range(game.players)]
        self.letters = letters_of([*game.player_names, *pieces])
        """What each stone is written as: each player's, then of each further kind of piece each player's."""
        self.widths = [len(list(row)) for _, row in groupby(game.geometry.grid, key=lambda spot: spot[0])]
        """How many points each row has, in the order of the points' numbers."""
        others = [name for name in game.description.rules.IDENTITY if name not in ("stones", "to_move")]
        start = game.start().state
        self.usual: dict[str, list[int]] = {name: np.ravel(start[name]).tolist() for name in others}
        """What else a position can say, with the numbers that go without saying: those of the start."""

    def written(self, state: np.void) -> str:
        """A state in a line of ASCII."""
        stones = iter(state["stones"][: self.game.geometry.points].tolist())
        rows = [self._row([next(stones) for _ in range(width)]) for width in self.widths]
        return " ".join(["/".join(rows), self.letters[state["to_move"]], *self._fields(state)])

    def _row(self, stones: Sequence[int]) -> str:
        runs = ((stone, len(list(run))) for stone, run in groupby(stones))
        return "".join(
            str(length) if stone == EMPTY else self.letters[stone] * length for stone, length in runs
        )

    def _fields(self, state: np.void) -> Iterator[str]:
        """Each field up to its last number that isn't the usual one."""
        for name, usual in self.usual.items():
            numbers = np.ravel(state[name]).tolist()
            while numbers and numbers[-1] == usual[len(numbers) - 1]:
                numbers.pop()
            if numbers:
                yield f"{name}={','.join(map(str, numbers))}"

    def read(self, text: str) -> "Position":
        """The position that a text tells of. Raises ValueError, saying what is wrong with it."""
        if not text.isascii():
            raise ValueError(
                lazy_message(
                    "{text} is no position: its letters and numbers are ASCII", text=truncated_repr(text)
                )
            )
        words = self._words(text)
        rows, mover, *fields = words
        states = self.game.start().states()
        states["stones"][0, : self.game.geometry.points] = list(self._read_rows(rows))
        states["to_move"] = self._player(mover)
        for name, numbers in self._read_fields(fields).items():
            set_field(states, name, np.reshape(np.array(numbers, object), states[name].shape[1:]))
        position = self.game.restored(states)
        given, proper = " ".join(words), self.written(position.state)
        if given != proper:
            raise ValueError(
                lazy_message(
                    "no position is written {given}; what comes nearest is {proper}",
                    given=truncated_repr(given),
                    proper=repr(proper),
                )
            )
        return position

    def _words(self, text: str) -> list[str]:
        words = text.lower().split()
        if len(words) < 2:
            raise ValueError(
                lazy_message(
                    "{text} is no position: write rows of points and the player to act, as in {start}",
                    text=truncated_repr(text),
                    start=repr(self.written(self.game.start().state)),
                )
            )
        return words

    def _read_rows(self, text: str) -> Iterator[int]:
        rows = text.split("/")
        if len(rows) != len(self.widths):
            raise ValueError(
                lazy_message(
                    "the board of {game} has {wanted} rows of points, not {given}",
                    game=repr(self.game),
                    wanted=len(self.widths),
                    given=len(rows),
                )
            )
        for number, (row, width) in enumerate(zip(rows, self.widths, strict=True), 1):
            where = lazy_message("row {number}, {row}", number=number, row=truncated_repr(row))
            yield from self._read_row(row, width, where)

    def _read_row(self, row: str, width: int, where: str) -> Iterator[int]:
        runs = [self._run(part, where) for part in _RUNS_AND_STONES.findall(row)]
        points = sum(length for _, length in runs)
        if points != width:
            raise ValueError(
                lazy_message(
                    "{where}: it has {points} points, and {width} on the board",
                    where=where,
                    points=points,
                    width=width,
                )
            )
        return chain.from_iterable(repeat(stone, length) for stone, length in runs)

    def _run(self, part: str, where: str) -> tuple[int, int]:
        """What is on so many points."""
        if part.isdigit():
            return EMPTY, int(part)
        if part not in self.letters:
            known = self._legend(self.game.kinds)
            raise ValueError(
                lazy_message(
                    "{where}: {letter} is nobody's stone; stones are {known}",
                    where=where,
                    letter=repr(part),
                    known=known,
                )
            )
        return self.letters.index(part), 1

    def _player(self, text: str) -> int:
        if text not in list(self.letters[: self.game.players]):
            raise ValueError(
                lazy_message(
                    "{text} is no player to act; players are {known}",
                    text=truncated_repr(text),
                    known=self._legend(1),
                )
            )
        return self.letters.index(text)

    def _legend(self, kinds: int) -> str:
        """What the letters of the first kinds of pieces stand for."""
        players, pieces = self.game.player_names, self.game.description.style.kinds
        names = [*players, *(f"{player}'s {piece}" for piece in pieces[1:kinds] for player in players)]
        return ", ".join(f"{letter} ({name})" for letter, name in zip(self.letters, names, strict=False))

    def _read_fields(self, words: Sequence[str]) -> dict[str, list[int]]:
        """The numbers of every field that is told, whole."""
        known = {name.lower(): name for name in self.usual}
        found: dict[str, list[int]] = {}
        for word in words:
            spelling, _, numbers = word.partition("=")
            if spelling not in known:
                raise ValueError(
                    lazy_message(
                        "{word} after the player to act: {known}",
                        word=truncated_repr(word),
                        known=self._what_may_follow(),
                    )
                )
            name = known[spelling]
            if name in found:
                raise ValueError(lazy_message("{name} is given twice", name=name))
            found[name] = self._numbers(name, numbers)
        return found

    def _what_may_follow(self) -> str:
        known = ", ".join(f"{name}=..." for name in self.usual)
        if known:
            return lazy_message("there may be {known}", known=known)
        return lazy_message("nothing follows in {title}", title=self.game.description.title)

    def _numbers(self, name: str, text: str) -> list[int]:
        if not _NUMBERS.fullmatch(text):
            raise ValueError(
                lazy_message(
                    "{name}={text}: whole numbers are meant, with commas between them",
                    name=name,
                    text=truncated_repr(text),
                )
            )
        numbers, usual = [int(number) for number in text.split(",")], self.usual[name]
        if len(numbers) > len(usual):
            raise ValueError(
                lazy_message(
                    "{name} has {count} numbers; it may have up to {most}",
                    name=name,
                    count=len(numbers),
                    most=len(usual),
                )
            )
        return numbers + usual[len(numbers) :]


def letters_of(names: Sequence[str]) -> str:
    """A letter for every name: of itself, or else of the alphabet, the first that is still free.

    Raises ValueError for more names than there are letters.
    """
    if len(names) > len(ascii_lowercase):
        raise ValueError(
            f"there are letters for {len(ascii_lowercase)} kinds of stones, not for {len(names)}"
        )
    letters = ""
    for name in names:
        letters += next(
            letter
            for letter in name.lower() + ascii_lowercase
            if letter in ascii_lowercase and letter not in letters
        )
    return letters
