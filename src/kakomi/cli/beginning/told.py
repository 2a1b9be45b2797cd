"""First turns in words, as a table of the terminal."""

from collections.abc import Mapping

from kakomi.cli.shared.parameters import game_line
from kakomi.study.openings import OpeningRow, OpeningStudy, OpeningTable
from kakomi.study.openings.classes import Key
from kakomi.study.report.estimates import Estimate

Margins = Mapping[Key, int] | None
"""What each class of first turns is worth under best play, if that was asked for."""
_COLUMNS = (14, 9, 7, 16, 8, 20, 16, 11)
"""Widths: turn, positions, count, share, even share, expectation, difference, best play."""
_MOST_FOLLOWED, _MOST_REPLIES = 3, 5
"""First turns whose replies are told, and how many of each."""
_NAMED = 12
"""First turns that nobody played which are named."""


def told(study: OpeningStudy, table: OpeningTable, margins: Margins) -> list[str]:
    """The lines of a study's table."""
    heads = ("first turn", "positions", "came", "% of searches", "even %", "expects %", "differs")
    return [
        f"{game_line(study.game)} · {player_named(study.bot)}, asked {_times(table.searches)}",
        _summary(table),
        "",
        _line([*heads, *(["best play"] if margins else [])]),
        *(_line([*_cells(row), *([_margin(margins[row.key])] if margins else [])]) for row in table.played),
        *_others(table, margins),
        *(_exact_lines(table, margins) if margins else []),
        *_replies(table),
        "",
        "Shares and expectations with 95 % intervals, which are not corrected for there being several.",
        "Differs: from an even choice among all positions, p-values corrected by Holm's method.",
    ]


def _summary(table: OpeningTable) -> str:
    positions = table.positions
    there_are = "" if positions is None else f" of {len(table.rows)}"
    in_all = "" if positions is None else f", {positions} positions in all"
    mean = f"; the searches expect {_percent(table.expected, 1)} % of the win" if table.expected else ""
    return f"{len(table.played)}{there_are} first turns came{in_all}{mean}."


def _cells(row: OpeningRow) -> list[str]:
    differs = {1: "more", -1: "less", 0: "–"}[row.differs]
    return [
        row.turn,
        str(row.members),
        str(row.count),
        _percent(row.share, 0),
        "–" if row.even is None else f"{100 * row.even:.1f}",
        _percent(row.expected, 1) if row.expected else "–",
        differs if row.chance is None or row.chance >= 1 else f"{differs}, p {_p(row.chance)}",
    ]


def _p(chance: float) -> str:
    return f"{chance:.3f}" if chance >= 0.001 else "<0.001"


def _line(cells: list[str]) -> str:
    first, *others = cells
    right = (f"{cell:>{width}}" for cell, width in zip(others, _COLUMNS[1:], strict=False))
    return f"{first:<{_COLUMNS[0]}}" + "".join(right)


def _percent(estimate: Estimate, digits: int) -> str:
    value = f"{100 * estimate.value:.{digits}f}"
    if not estimate.has_interval:
        return value
    return f"{value} ({100 * estimate.low:.{digits}f}–{100 * estimate.high:.{digits}f})"


def _others(table: OpeningTable, margins: Margins) -> list[str]:
    """The first turns that nobody played."""
    rows = [row for row in table.rows if not row.count]
    if not rows:
        return []
    named = [f"{row.turn} ({_margin(margins[row.key])})" if margins else row.turn for row in rows[:_NAMED]]
    more = " …" if len(rows) > _NAMED else ""
    fewer = [row for row in rows if row.differs < 0]
    less = f" Less often than evenly, beyond chance: {len(fewer)} of them." if fewer else ""
    return [f"Never: {' · '.join(named)}{more}.{less}"]


def _exact_lines(table: OpeningTable, margins: Mapping[Key, int]) -> list[str]:
    found = table.exact_shares(margins)
    return [
        "",
        f"Of the best margin: {_percent(found.best, 0)} %; an even choice {100 * found.best_evenly:.0f} %.",
        f"Keep the result: {_percent(found.kept, 0)} %; an even choice {100 * found.kept_evenly:.0f} %.",
    ]


def _replies(table: OpeningTable) -> list[str]:
    lines: list[str] = []
    for row in table.played[:_MOST_FOLLOWED]:
        replies = table.replies(row)
        if replies:
            lines += ["", f"After {row.turn}, {_times(row.count)}, {len(replies)} replies:"]
            lines += [
                f"  {reply.turn:<{_COLUMNS[0]}}{reply.count:>5}{_percent(reply.share, 0):>16} %"
                for reply in replies[:_MOST_REPLIES]
            ]
    return lines


def _margin(points: int) -> str:
    return f"{points:+d}" if points else "0"


def player_named(bot: str) -> str:
    """A bot as people call it."""
    return f"level {bot}" if bot.isdecimal() else bot


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
