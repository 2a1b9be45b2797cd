"""The turns of a game in columns, a round in a row."""

from collections.abc import Sequence

from kakomi.protocol.mail.printing.blocks import COLUMNS, Say, width_of, wrapped
from kakomi.protocol.mail.turns import PlayedTurn, turns_of
from kakomi.session import MatchGame

_LEAST_NUMBER = 4
"""Columns of a round's number, with the space behind it."""


def rounds_of(game: MatchGame) -> list[list[PlayedTurn | None]]:
    """The turns, a list for every round, in it one for each player; None for one who had none."""
    rounds: list[list[PlayedTurn | None]] = []
    last = -1
    for turn in turns_of(game):
        if not rounds or turn.player <= last:
            rounds.append([None] * game.game.players)
        rounds[-1][turn.player] = turn
        last = turn.player
    return rounds


def round_lines(game: MatchGame, say: Say = str, *, last: int = 0) -> list[str]:
    """The last rounds in columns under the players' names, all of them for 0; nothing before the first turn.

    A turn that is too long for its column goes on below.
    """
    rounds = rounds_of(game)
    if not rounds:
        return []
    first = max(len(rounds) - last, 0) if last else 0
    number = max(_LEAST_NUMBER, len(str(len(rounds))) + 2)
    width = (COLUMNS - number) // game.game.players
    names = [say(name) for name in game.game.player_names]
    lines = _row("", [_fitting(name, width - 1) for name in names], number, width)
    for place, turns in enumerate(rounds[first:], first + 1):
        cells = [wrapped(" ".join(turn.actions), width=width - 1) if turn else [] for turn in turns]
        lines += _row(str(place), cells, number, width)
    return lines


def _fitting(name: str, width: int) -> list[str]:
    return [name if width_of(name) <= width else f"{name[: width - 1]}."]


def _row(number: str, cells: Sequence[Sequence[str]], number_width: int, width: int) -> list[str]:
    """The lines of a row, as many as its longest cell has."""
    height = max(map(len, cells))
    lines = []
    for place in range(height):
        parts = [cell[place] if place < len(cell) else "" for cell in cells]
        head = number.rjust(number_width - 2) + "  " if place == 0 else " " * number_width
        lines.append((head + "".join(padded(part, width) for part in parts)).rstrip())
    return lines


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text filled up with spaces to a number of columns."""
    space = " " * (width - width_of(text))
    return space + text if right else text + space
