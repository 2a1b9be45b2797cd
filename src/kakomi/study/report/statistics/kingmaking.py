"""Games of three and more: who decides that another one wins, and whether players act against the leader."""

from itertools import pairwise

import numpy as np

from kakomi.study.report.content import GameLink, Section
from kakomi.study.report.estimates import mean
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, mean_of, share_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

HOPELESS = 0.05
"""A smaller chance is none."""
DECISIVE = 0.2
"""By so much must a turn change the gap between the two who can win."""


def kingmaking(study: Study) -> Section | None:
    """How often somebody without a chance decides who wins; None for two, or where no search says how games
    stood."""
    games = study.searched
    if study.game.players < 3 or not games:
        return None
    own = share_of(games, lambda trace: bool(kingmakers(trace)))
    assert own
    made = [trace for trace in games if kingmakers(trace)]
    return Section(
        key="kingmaking",
        title="Kingmaking",
        group="players",
        finding=f"In {in_words(own, 'percent')} of games somebody without a chance decides who wins.",
        means="A kingmaker has a chance below 5 % and makes a turn after which another player is the most "
        "likely winner than before, the gap between the two having moved by 20 points or more.",
        not_means="It does not say that anybody meant to: bots play for their own chance, and one that "
        "has none plays as if by chance. How the game stood is what searches expected.",
        numbers=(
            *number(study, "games with a kingmaker", own, "percent"),
            *number(study, "such turns a game", mean_of(games, lambda trace: float(len(kingmakers(trace))))),
            *number(
                study,
                "positions of a player without a chance",
                mean((trace.block, *_hopeless(trace)) for trace in games),
                "percent",
            ),
        ),
        figures=tuple(
            strength_chart(
                study,
                "Kingmaking over strength",
                "share of games",
                [("kingmaking", lambda some: share_of(some, lambda trace: bool(kingmakers(trace))))],
                "How often a player without a chance decides who wins, over the strength of the players.",
                unit="percent",
                searched=True,
            )
        ),
        links=(GameLink(made[0].id, "A kingmaker's turn", kingmakers(made[0])[0]),) if made else (),
    )


def turn_starts(trace: Trace) -> list[int]:
    """The first action of each turn that the players chose, and the end."""
    turns = trace.turns[trace.opening :]
    starts = trace.opening + np.flatnonzero(np.diff(turns, prepend=turns[:1] - 1))
    return [*starts.tolist(), trace.plies]


def kingmakers(trace: Trace) -> list[int]:
    """The first actions of turns by which a player without a chance changed who is going to win."""
    starts = turn_starts(trace)
    found = []
    for start, end in pairwise(starts):
        before, after = trace.chances[start], trace.chances[end]
        mover = int(trace.movers[start])
        old, new = int(before.argmax()), int(after.argmax())
        moved = (after[new] - after[old]) - (before[new] - before[old])
        if before[mover] < HOPELESS and new not in (old, mover) and moved >= DECISIVE:
            found.append(start)
    return found


def _hopeless(trace: Trace) -> tuple[float, float]:
    """Actions of players without a chance, while somebody has not won already, and all actions."""
    rows = trace.chances[trace.opening : trace.plies]
    own = rows[np.arange(len(rows)), trace.movers[trace.opening :]]
    return float(((own < HOPELESS) & (rows.max(axis=1) < 1 - HOPELESS)).sum()), float(len(rows))
