"""Which kinds of actions a game is made of."""

from collections import Counter

import numpy as np

from kakomi.study.report.content import Cell, Number, Section, Table
from kakomi.study.report.estimates import mean
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

KIND_NAMES = {
    "place": "placements",
    "remove": "removals",
    "convert": "conversions",
    "pass": "passes",
    "end": "ends of a turn",
}


def action_kinds(study: Study) -> Section:
    """What share of actions is of which kind, in each third of a game."""
    kinds = np.array([action.kind for action in study.game.actions])
    used = Counter(str(kinds[action]) for trace in study.games for action in trace.actions)
    rows = []
    for kind in (kind for kind in KIND_NAMES if used[kind]):
        cells = [Cell(KIND_NAMES[kind])]
        for begin, end in ((0.0, 1.0), (0.0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.0)):
            one = mean(_share_of_kind(trace, kinds, kind, begin, end) for trace in study.games)
            cells.append(
                Cell(number=Number(KIND_NAMES[kind], one, "percent", study.best.title)) if one else Cell("–")
            )
        rows.append(tuple(cells))
    first = rows[0][1].number
    assert first
    return Section(
        key="actions",
        title="Kinds of actions",
        group="board",
        finding=f"{in_words(first.estimate, 'percent')} of actions are {first.label}.",
        means="What players do: which share of all actions is of each kind, in whole games and in each "
        "third of them.",
        not_means="Actions that come of themselves by the rules, such as captures that nobody has to "
        "choose, are none.",
        figures=(
            Table(
                "Kinds of actions",
                ("kind", "whole game", "first third", "second third", "last third"),
                tuple(rows),
                f"Games of {study.best.title}.",
            ),
        ),
    )


def _share_of_kind(
    trace: Trace, kinds: np.ndarray, kind: str, begin: float, end: float
) -> tuple[str, float, float]:
    inside = trace.actions[trace.at(begin) if begin else 0 : trace.at(end)]
    return trace.block, float((kinds[list(inside)] == kind).sum()) if inside else 0.0, float(len(inside))
