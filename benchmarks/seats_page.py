"""Markdown and a picture of measured seats, for docs/seats.md."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import kakomi
from benchmarks.charts import STYLE, as_file
from kakomi.core import Game
from kakomi.study.report.content import Chart, DataPoint, Series, in_words
from kakomi.study.report.estimates import Estimate, difference
from kakomi.study.seats import FORESEEN, MATCH, SWAP, BoardFigures, RepairFigures, SeatFigures

REAL = 0.05
MARK = " †"
"""Marks shares that differ from an equal one by more than chance."""

EVEN = ".even { stroke: var(--soft); stroke-dasharray: 5 4; fill: none; }\n"
"""The style of the horizontal line at an even share."""


class MeasuredCell(Protocol):
    """The parts of a cell, besides its figures, that pages show."""

    @property
    def simulations(self) -> int: ...

    @property
    def position(self) -> str: ...

    @property
    def command(self) -> str: ...


Found = Sequence[tuple[MeasuredCell, tuple[BoardFigures, ...]]]


def pages(found: Found) -> dict[str, str]:
    """Return the parts of the page by name."""
    return {
        "seats": _table(_SEATS, _seat_rows(found)),
        "repairs": _table(_REPAIRS, _repair_rows(found)),
        "players": _table(_PLAYERS, _player_rows(found)),
        "stone": _table(_STONE, _stone_rows(found)),
        "commands": "".join(f"    {cell.command}\n" for cell, _ in found),
    }


def picture(found: Found) -> str:
    """Draw the first seat's share on every board for two, by strength."""
    boards = list(dict.fromkeys(board.game for _, board in _for_two(found)))
    strengths = sorted({cell.simulations for cell, _ in _for_two(found)})
    series = tuple(
        Series(
            f"{strength:,} simulations",
            tuple(
                _point(boards.index(board.game), board)
                for cell, board in _for_two(found)
                if cell.simulations == strength
            ),
            "points",
        )
        for strength in strengths
    )
    chart = Chart(
        "What the first seat wins",
        "board",
        "share of the win",
        series,
        "The first seat's share of the win between equals, with its 95 % interval. The line across is even.",
        "percent",
        {float(place): _short(game) for place, game in enumerate(boards)},
        0.5,
    )
    return as_file(chart, "seats", STYLE + EVEN)


_SEATS = (
    (
        "board",
        "simulations",
        "games",
        "first seat wins",
        "p",
        "ends level",
        "first seat's margin",
        "elsewhere",
    ),
    "--- ---: ---: --- ---: --- --- ---",
)
_REPAIRS = (
    (
        "board",
        "as it is",
        "another option",
        "swap",
        "swap, foreseen",
        "match of two ends level",
        "by games won",
    ),
    "--- --- --- --- --- --- ---",
)
_PLAYERS = (
    ("seats", "games", "1st", "2nd", "3rd", "4th", "5th", "6th", "smallest p"),
    "---: ---: " + "--- " * 6 + "---:",
)
_STONE = (("board", "games", "one stone", "two stones", "worth of the second"), "--- ---: --- --- ---")


def _table(head: tuple[tuple[str, ...], str], rows: Iterator[list[str]]) -> str:
    names, rules = head
    lines = [list(names), rules.split(), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _for_two(found: Found) -> list[tuple[MeasuredCell, BoardFigures]]:
    """Return the boards for two that begin at the game's start, sorted by game, size and strength."""
    boards = [
        (cell, board)
        for cell, figures in found
        for board in figures
        if board.game.players == 2 and not cell.position
    ]
    return sorted(boards, key=lambda one: (one[1].game.name, one[1].game.options["size"], one[0].simulations))


def _seat_rows(found: Found) -> Iterator[list[str]]:
    for cell, board in _for_two(found):
        (first,) = board.seats
        yield [
            _label(board.game),
            f"{cell.simulations:,}",
            f"{board.games:,}",
            _marked(first),
            _p(first.p),
            in_words(board.level, "percent") if board.game.description.has_draws else "never",
            in_words(board.margin, "plain"),
            _elsewhere(board.game),
        ]


def _repair_rows(found: Found) -> Iterator[list[str]]:
    for cell, board in _for_two(found):
        by_name = {one.name: one for one in board.repairs}
        others = [one for name, one in by_name.items() if name not in (SWAP, FORESEEN, MATCH)]
        match = by_name[MATCH]
        assert match.level_by_wins
        yield [
            f"{_label(board.game)}, {cell.simulations:,}",
            in_words(board.seats[0].share, "percent"),
            "; ".join(f"{one.name}: {_marked(one)}" for one in others) or "–",
            _swap(by_name.get(SWAP)),
            _swap(by_name.get(FORESEEN)),
            in_words(match.level, "percent"),
            in_words(match.level_by_wins, "percent"),
        ]


def _player_rows(found: Found) -> Iterator[list[str]]:
    for _, figures in found:
        for board in figures:
            if board.game.players > 2:
                shares = [_marked(seat) for seat in board.seats]
                blank = ["–"] * (6 - len(shares))
                smallest = _p(min(seat.p for seat in board.seats))
                yield [f"{board.game.players}", f"{board.games:,}", *shares, *blank, smallest]


def _stone_rows(found: Found) -> Iterator[list[str]]:
    one_stone = {(board.game, cell.simulations): board for cell, board in _for_two(found)}
    for cell, figures in found:
        for board in figures:
            if cell.position:
                usual = one_stone[board.game, cell.simulations].seats[0].share
                changed = board.seats[0].share
                worth = in_words(difference(changed, usual).scaled(100), "points")
                shares = [in_words(usual, "percent"), in_words(changed, "percent")]
                yield [_label(board.game), f"{board.games:,}", *shares, f"{worth} points"]


def _marked(one: SeatFigures | RepairFigures) -> str:
    assert one.share
    return in_words(one.share, "percent") + (MARK if one.p < REAL else "")


def _swap(one: RepairFigures | None) -> str:
    if one is None or one.taken is None:
        return "–"
    begun = f"{one.first_turn}, whose side wins {in_words(one.side, 'percent')}; " if one.side else ""
    return f"{_marked(one)}; {begun}taken {in_words(one.taken, 'percent')}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _label(game: Game) -> str:
    """Return a name such as `Ren size 8`, with non-default options."""
    usual = kakomi.game(game.name, size=game.options["size"]).options
    others = [
        f"{name} {value}" for name, value in game.options.items() if name != "size" and value != usual[name]
    ]
    return ", ".join([f"{game.description.title} size {game.options['size']}", *others])


def _short(game: Game) -> str:
    return f"{game.description.title} {game.options['size']}"


def _elsewhere(game: Game) -> str:
    """Return other results for the board: its exact value, and the report's figure for stronger players."""
    told = [
        f"[solved](solved.md): {one.margin:+d}".replace("-", "−").replace("+0", "0")
        for one in game.description.solved
        if dict(one.options) == dict(game.options) and one.seat == 0
    ]
    report = game.description.report
    if report and dict(report.options) == dict(game.options):
        first = report.first_seat[-1]
        share = Estimate(first.value, first.low or 0.0, first.high or 1.0, first.games, first.games)
        told.append(f"[level {first.level}](reports.md): {in_words(share, 'percent')}")
    return "; ".join(told) or "–"


def _point(place: int, board: BoardFigures) -> DataPoint:
    first = board.seats[0].share
    told = f"{_label(board.game)}: {in_words(first, 'percent')}"
    return DataPoint(float(place), first.value, first.low, first.high, told)
