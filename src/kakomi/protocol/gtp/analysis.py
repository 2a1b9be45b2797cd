"""Analyses as the boards on screens for Go know them: Leela Zero's `lz-analyze`, KataGo's `kata-analyze`."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.protocol.gtp.syntax import GtpError, Vertices, player
from kakomi.search import Line, Report
from kakomi.search.report import DIGITS

ANALYSES = ("lz-analyze", "kata-analyze")
MOST_LINES = 20
_MOST_CENTISECONDS = 6000
_DEFAULT_CENTISECONDS = 100


@dataclass(frozen=True)
class Wanted:
    """The arguments of an analysis: `[COLOUR] [CENTISECONDS] [KEY VALUE] ...`."""

    player: int | None
    seconds: float
    """Between reports."""


def read_wanted(arguments: Sequence[str]) -> Wanted:
    """The meaning of an analysis's arguments; keys other than `interval` are ignored. Raises GtpError."""
    words = list(arguments)
    who = player(words.pop(0)) if words and words[0].lower() in ("b", "w", "black", "white") else None
    centiseconds = str(_DEFAULT_CENTISECONDS)
    if words and words[0].isdigit():
        centiseconds = words.pop(0)
    for key, value in zip(words[::2], words[1::2], strict=False):
        centiseconds = value if key == "interval" else centiseconds
    if not (centiseconds.isascii() and centiseconds.isdigit() and len(centiseconds) <= 9):
        raise GtpError("syntax error: the interval is a whole number of centiseconds")
    return Wanted(who, min(int(centiseconds), _MOST_CENTISECONDS) / 100)


def in_a_line(command: str, position: Position, report: Report, vertices: Vertices) -> str:
    """A report in the form of either program; win rates are of the player to act."""

    def told(order: int, line: Line) -> str:
        rate = round(line.chances[report.to_move], DIGITS)
        winrate = f"{10_000 * rate:.0f}" if command == "lz-analyze" else f"{rate:.4f}"
        best = report.principal if order == 0 and report.principal else (line.action,)
        variation = " ".join(vertices.vertex(action) for action in best)
        return (
            f"info move {vertices.vertex(line.action)} visits {line.visits} winrate {winrate} "
            f"order {order} pv {variation}"
        )

    return " ".join(told(order, line) for order, line in enumerate(report.lines[:MOST_LINES]))
