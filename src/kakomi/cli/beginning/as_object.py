"""First turns as data, for programs."""

from typing import Any

from kakomi.cli.beginning.told import Margins
from kakomi.study.openings import OpeningRow, OpeningStudy, OpeningTable
from kakomi.study.report.estimates import Estimate


def as_object(study: OpeningStudy, table: OpeningTable, margins: Margins) -> dict[str, Any]:
    """A study with its table, as JSON can hold it."""
    told: dict[str, Any] = {
        "game": study.game.name,
        "options": study.game.options,
        "bot": study.bot,
        "turns": study.turns,
        "seed": study.seed,
        "searches": table.searches,
        "positions": table.positions,
        "expected": _as_numbers(table.expected),
        "first_turns": [_row_object(study, table, row, margins) for row in table.rows],
    }
    if margins:
        found = table.exact_shares(margins)
        told["exact"] = {
            "best": {**(_as_numbers(found.best) or {}), "even": round(found.best_evenly, 5)},
            "kept": {**(_as_numbers(found.kept) or {}), "even": round(found.kept_evenly, 5)},
        }
    return told


def _row_object(
    study: OpeningStudy, table: OpeningTable, row: OpeningRow, margins: Margins
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "turn": row.turn,
        "positions": row.members,
        "count": row.count,
        "share": _as_numbers(row.share),
        "even": None if row.even is None else round(row.even, 5),
        "p": None if row.chance is None else float(f"{row.chance:.4g}"),
        "expected": _as_numbers(row.expected),
    }
    if margins:
        told["margin"] = margins[row.key]
    if study.turns > 1:
        told["replies"] = [
            {"turn": one.turn, "count": one.count, "share": _as_numbers(one.share)}
            for one in table.replies(row)
        ]
    return told


def _as_numbers(estimate: Estimate | None) -> dict[str, float] | None:
    if estimate is None:
        return None
    names = ("value", "low", "high") if estimate.has_interval else ("value",)
    return {name: round(getattr(estimate, name), 5) for name in names}
