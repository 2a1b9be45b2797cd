"""Lists in columns, such as games, standings and seeks, and the turns of a game with a round per row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from kakomi import catalog
from kakomi.core.i18n import lazy_message, range_in_words
from kakomi.protocol.mail.printing.blocks import (
    COLUMNS,
    Block,
    Say,
    html_paragraph,
    joined,
    sentence_block,
    width_of,
    wrapped,
)
from kakomi.protocol.mail.turns import PlayedTurn, turns_of
from kakomi.session import MatchGame

_LEAST_NUMBER = 4
"""The fewest columns for a round's number and the space after it."""


def rounds_of(game: MatchGame) -> list[list[PlayedTurn | None]]:
    """Return the turns by round and player; None where a player had no turn."""
    rounds: list[list[PlayedTurn | None]] = []
    last = -1
    for turn in turns_of(game):
        if not rounds or turn.player <= last:
            rounds.append([None] * game.game.players)
        rounds[-1][turn.player] = turn
        last = turn.player
    return rounds


def round_lines(game: MatchGame, say: Say = str, *, last: int = 0) -> list[str]:
    """Return the `last` rounds (0: all) in columns under the players' names; empty before the first turn.

    A turn that is too long for its column is wrapped.
    """
    rounds = rounds_of(game)
    if not rounds:
        return []
    first = max(len(rounds) - last, 0) if last else 0
    number = max(_LEAST_NUMBER, len(str(len(rounds))) + 2)
    width = (COLUMNS - number) // game.game.players
    names = [say(name) for name in game.game.player_names]
    lines = _round_row("", [_fitting(name, width - 1) for name in names], number, width)
    for place, turns in enumerate(rounds[first:], first + 1):
        cells = [wrapped(" ".join(turn.actions), width=width - 1) if turn else [] for turn in turns]
        lines += _round_row(str(place), cells, number, width)
    return lines


def _fitting(name: str, width: int) -> list[str]:
    return [name if width_of(name) <= width else f"{name[: width - 1]}."]


def _round_row(number: str, cells: Sequence[Sequence[str]], number_width: int, width: int) -> list[str]:
    """Return the lines of a row, as many as its tallest cell has."""
    height = max(map(len, cells))
    lines = []
    for place in range(height):
        parts = [cell[place] if place < len(cell) else "" for cell in cells]
        head = number.rjust(number_width - 2) + "  " if place == 0 else " " * number_width
        lines.append((head + "".join(padded(part, width) for part in parts)).rstrip())
    return lines


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Pad a text with spaces to a number of columns."""
    space = " " * (width - width_of(text))
    return space + text if right else text + space


_NUMBER = re.compile(r"[-+−±]?\d[\d.,]*(?:\s?±\s?\d[\d.,]*)?\??")
_LEAST_COLUMN = 8
_GAP = 2


@dataclass(frozen=True)
class Standing:
    """A person's rating in a game."""

    place: int
    name: str
    rating: float
    margin: float
    """Half the width of the 95 % confidence interval, in points."""
    games: int
    """The number of rated games behind it."""
    is_provisional: bool = False


def list_block(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], say: Say = str) -> Block:
    """Return a list in columns, such as games, standings or seeks, from the texts of its cells.

    Columns of numbers are right-aligned. Cells that are too wide are wrapped. `columns` are the headings,
    which may be empty. Without rows, a sentence says that there is nothing to list.
    """
    head = say(title)
    if not rows:
        nothing = say(lazy_message("Nothing to list."))
        return Block(
            "\n".join([*wrapped(head), *wrapped(nothing)]),
            html_paragraph(head, strong=True) + html_paragraph(nothing),
        )
    cells = [[say(cell) for cell in row] for row in rows]
    names = [say(name) for name in columns]
    lines = [*wrapped(head), "", *_lines(names, cells)]
    return Block("\n".join(lines), html_paragraph(head, strong=True) + _html(names, cells))


def _lines(names: list[str], rows: list[list[str]]) -> list[str]:
    columns = list(zip(*[names, *rows], strict=True))
    are_numbers = [all(not cell or _NUMBER.fullmatch(cell) for cell in column[1:]) for column in columns]
    widths = _widths([max(map(width_of, column)) for column in columns])
    head = [names] if any(names) else []
    return [line for row in [*head, *rows] for line in _row(row, widths, are_numbers)]


def _widths(wanted: list[int]) -> list[int]:
    """Return the widths of columns, narrowing the widest until all fit."""
    widths = list(wanted)
    room = COLUMNS - _GAP * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _LEAST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], are_numbers: Sequence[bool]) -> list[str]:
    parts = [wrapped(cell, width=width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for place in range(max(map(len, parts), default=0)):
        filled = [
            padded(part[place] if place < len(part) else "", width, right=right)
            for part, width, right in zip(parts, widths, are_numbers, strict=True)
        ]
        lines.append((" " * _GAP).join(filled).rstrip())
    return lines


def _html(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cell = 'style="padding:2px 12px 2px 0;text-align:left;vertical-align:top"'
    head = "".join(f"<th {cell}>{escape(name)}</th>" for name in names)
    body = "\n".join(
        "<tr>" + "".join(f"<td {cell}>{escape(part)}</td>" for part in row) + "</tr>" for row in rows
    )
    return f'<table style="border-collapse:collapse;margin:0 0 1em">\n<tr>{head}</tr>\n{body}\n</table>'


def standings_block(title: str, rows: Sequence[Standing], say: Say = str) -> Block:
    """List ratings with their intervals and numbers of games."""
    columns = ["", lazy_message("Name"), lazy_message("Rating"), lazy_message("Games")]
    cells = [
        [
            f"{row.place}.",
            row.name,
            f"{row.rating:.0f} ± {row.margin:.0f}{'?' if row.is_provisional else ''}",
            str(row.games),
        ]
        for row in rows
    ]
    block = list_block(title, columns, cells, say)
    if not rows:
        return block
    note = say(lazy_message("± is the 95 % interval; ? marks a provisional rating."))
    return joined([block, Block("\n".join(wrapped(note)), html_paragraph(note, small=True))])


def games_block(say: Say = str) -> Block:
    """List the games that can be played, with their parameters."""
    head = lazy_message("Games and their parameters, with default values in brackets.")
    return joined([sentence_block(head, say=say), *(_game_block(name, say) for name in catalog.names())])


def _game_block(name: str, say: Say) -> Block:
    description = catalog.describe(name)
    usual = catalog.game(name).options
    head = f"{name}: {say(description.summary)}"
    lines = wrapped(head)
    items = []
    for option in description.options:
        item = (
            f"-{option.name}=  {say(_option(option.help, option.allowed_given(usual), usual[option.name]))}"
        )
        items.append(item)
        lines += wrapped(item, "  ")
    html = html_paragraph(head, strong=True) + html_paragraph("\n".join(items))
    return Block("\n".join(lines), html)


def _option(help_text: str, allowed: Sequence[int], usual: int) -> str:
    return lazy_message(
        "{help}: {allowed} ({usual})",
        help=lazy_message(help_text),
        allowed=range_in_words(allowed),
        usual=usual,
    )
