"""Positions as a line of text, and back (docs/positions.md)."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, repeat
from string import ascii_lowercase

import numpy as np

from kakomi.boards import Geometry
from kakomi.core.description import Description
from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.kernel.records import EMPTY

_RUNS_AND_STONES = re.compile("[0-9]{1,9}|.")  # digits are limited so that any run is a small number
_NUMBERS = re.compile("-?[0-9]{1,20}(,-?[0-9]{1,20})*")


class Notation:
    """Positions of a game as text: all identity fields, and nothing else. The arguments are the game's
    description, geometry, number of players and starting state, and its name for messages.

    >>> import kakomi
    >>> position = kakomi.game("rin", size=4).start().play("1,1")
    >>> str(position)
    '4/1b2/4/4 w left_in_turn=2'
    >>> position.game.position("4/1b2/4/4 w left_in_turn=2") == position
    True
    """

    def __init__(
        self, description: Description, geometry: Geometry, players: int, start: np.void, name: str
    ) -> None:
        self.name, self.title, self.players = name, description.title, players
        self._player_names, self._kinds = description.player_names[:players], description.style.kinds
        pieces = [name for name in self._kinds[1:] for _ in range(players)]
        self.letters = letters_of([*self._player_names, *pieces])
        """The letter of each stone: each player's, then each player's of every further kind of piece."""
        self.widths = [len(list(row)) for _, row in groupby(geometry.grid, key=lambda spot: spot[0])]
        """The number of points in each row, in the order of the points' numbers."""
        others = [name for name in description.rules.IDENTITY if name not in ("stones", "to_move")]
        self.usual: dict[str, list[int]] = {name: np.ravel(start[name]).tolist() for name in others}
        """The other fields, with the start's numbers, which texts leave out."""
        self._start = start

    def written(self, state: np.void) -> str:
        """A state as a line of ASCII."""
        stones = iter(state["stones"][: sum(self.widths)].tolist())
        rows = [self._row([next(stones) for _ in range(width)]) for width in self.widths]
        return " ".join(["/".join(rows), self.letters[state["to_move"]], *self._fields(state)])

    def _row(self, stones: Sequence[int]) -> str:
        runs = ((stone, len(list(run))) for stone, run in groupby(stones))
        return "".join(
            str(length) if stone == EMPTY else self.letters[stone] * length for stone, length in runs
        )

    def _fields(self, state: np.void) -> Iterator[str]:
        """Each field up to its last number that differs from the start's."""
        for name, usual in self.usual.items():
            numbers = np.ravel(state[name]).tolist()
            while numbers and numbers[-1] == usual[len(numbers) - 1]:
                numbers.pop()
            if numbers:
                yield f"{name}={','.join(map(str, numbers))}"

    def read(self, text: str) -> dict[str, list[int]]:
        """All numbers of the identity fields in a text. Raises ValueError, saying what is wrong with it."""
        if not text.isascii():
            raise lazy_error(
                ValueError, "{text} isn't a position: use only ASCII characters", text=truncated_repr(text)
            )
        rows, mover, *fields = self._words(text)
        stones = [*self._read_rows(rows), *self._start["stones"][sum(self.widths) :].tolist()]
        return {"stones": stones, "to_move": [self._player(mover)], **self._read_fields(fields)}

    def check(self, text: str, state: np.void) -> None:
        """Raise ValueError if a text that `read` accepts isn't how the state that it led to is written."""
        given, proper = " ".join(self._words(text)), self.written(state)
        if given != proper:
            raise lazy_error(
                ValueError,
                "{given} isn't a position written in full; the closest is {proper}",
                given=truncated_repr(given),
                proper=repr(proper),
            )

    def _words(self, text: str) -> list[str]:
        words = text.lower().split()
        if len(words) < 2:
            raise lazy_error(
                ValueError,
                "{text} isn't a position: write rows of points and the player to move, as in {start}",
                text=truncated_repr(text),
                start=repr(self.written(self._start)),
            )
        return words

    def _read_rows(self, text: str) -> Iterator[int]:
        rows = text.split("/")
        if len(rows) != len(self.widths):
            raise lazy_error(
                ValueError,
                "the board of {game} has {wanted} rows of points, not {given}",
                game=self.name,
                wanted=len(self.widths),
                given=len(rows),
            )
        for number, (row, width) in enumerate(zip(rows, self.widths, strict=True), 1):
            where = lazy_message("row {number}, {row}", number=number, row=truncated_repr(row))
            yield from self._read_row(row, width, where)

    def _read_row(self, row: str, width: int, where: str) -> Iterator[int]:
        runs = [self._run(part, where) for part in _RUNS_AND_STONES.findall(row)]
        points = sum(length for _, length in runs)
        if points != width:
            raise lazy_error(
                ValueError,
                "{where}: it has {points} points instead of {width}",
                where=where,
                points=points,
                width=width,
            )
        return chain.from_iterable(repeat(stone, length) for stone, length in runs)

    def _run(self, part: str, where: str) -> tuple[int, int]:
        """A stone or `EMPTY`, and the number of points that have it."""
        if part.isdigit():
            return EMPTY, int(part)
        if part not in self.letters:
            known = self._legend(max(1, len(self._kinds)))
            raise lazy_error(
                ValueError,
                "{where}: {letter} isn't a stone; stones are {known}",
                where=where,
                letter=repr(part),
                known=known,
            )
        return self.letters.index(part), 1

    def _player(self, text: str) -> int:
        if text not in list(self.letters[: self.players]):
            raise lazy_error(
                ValueError,
                "{text} isn't a player; players are {known}",
                text=truncated_repr(text),
                known=self._legend(1),
            )
        return self.letters.index(text)

    def _legend(self, kinds: int) -> str:
        """The meaning of the letters of the first kinds of pieces."""
        players = self._player_names
        names = [*players, *(f"{player}'s {piece}" for piece in self._kinds[1:kinds] for player in players)]
        return ", ".join(f"{letter} ({name})" for letter, name in zip(self.letters, names, strict=False))

    def _read_fields(self, words: Sequence[str]) -> dict[str, list[int]]:
        """All numbers of every field in the text."""
        known = {name.lower(): name for name in self.usual}
        found: dict[str, list[int]] = {}
        for word in words:
            spelling, _, numbers = word.partition("=")
            if spelling not in known:
                raise lazy_error(
                    ValueError,
                    "{word} can't follow the player to move: {known}",
                    word=truncated_repr(word),
                    known=self._what_may_follow(),
                )
            name = known[spelling]
            if name in found:
                raise ValueError(lazy_message("{name} is given twice", name=name))
            found[name] = self._numbers(name, numbers)
        return found

    def _what_may_follow(self) -> str:
        known = ", ".join(f"{name}=..." for name in self.usual)
        if known:
            return lazy_message("write {known}", known=known)
        return lazy_message("a position of {title} has nothing after it", title=self.title)

    def _numbers(self, name: str, text: str) -> list[int]:
        if not _NUMBERS.fullmatch(text):
            raise lazy_error(
                ValueError,
                "{name}={text}: write whole numbers separated by commas",
                name=name,
                text=truncated_repr(text),
            )
        numbers, usual = [int(number) for number in text.split(",")], self.usual[name]
        if len(numbers) > len(usual):
            raise lazy_error(
                ValueError,
                "{name} has {count} numbers; it may have up to {most}",
                name=name,
                count=len(numbers),
                most=len(usual),
            )
        return numbers + usual[len(numbers) :]


def letters_of(names: Sequence[str]) -> str:
    """A letter for every name: the first of its own letters that is still free, else of the alphabet.

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
