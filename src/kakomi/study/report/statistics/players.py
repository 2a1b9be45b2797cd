"""Statistics of games for three or more players: kingmaking and coalitions."""

from itertools import pairwise

import numpy as np

from kakomi.study.report.content import GameLink, Section, in_words
from kakomi.study.report.estimates import Estimate, mean
from kakomi.study.report.statistics.shared import number, strength_chart
from kakomi.study.report.study import Study, mean_of, share_of
from kakomi.study.report.trace import Trace

HOPELESS = 0.05
"""A player with a smaller chance counts as hopeless."""
DECISIVE = 0.2
"""How much a turn must change the gap between the old and the new favourite."""


def kingmaking(study: Study) -> Section | None:
    """How often a hopeless player decides who wins; None for two players, or without games with chances."""
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
    """The first action of each turn after the opening, and the end."""
    turns = trace.turns[trace.opening :]
    starts = trace.opening + np.flatnonzero(np.diff(turns, prepend=turns[:1] - 1))
    return [*starts.tolist(), trace.plies]


def kingmakers(trace: Trace) -> list[int]:
    """The first actions of turns by which a hopeless player changed who is most likely to win."""
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
    """The number of actions of hopeless players while the game is undecided, and of all actions."""
    rows = trace.chances[trace.opening : trace.plies]
    own = rows[np.arange(len(rows)), trace.movers[trace.opening :]]
    return float(((own < HOPELESS) & (rows.max(axis=1) < 1 - HOPELESS)).sum()), float(len(rows))


def coalitions(study: Study) -> Section | None:
    """What others' turns cost the leader, beyond what they cost the rest; None for two players, or without
    games with chances."""
    games = study.searched
    if study.game.players < 3 or not games:
        return None
    own = _pressure(games)
    if own is None:
        return None
    most = max(games, key=lambda trace: (_sums(trace)[0], -trace.id.number))
    return Section(
        key="coalitions",
        title="Coalitions against the leader",
        group="players",
        finding=f"A turn of another player costs the leader {in_words(own.scaled(100), 'points')} points "
        "more than it costs the others.",
        means="For each turn of a player who does not lead: by how many percentage points the leader's "
        "chance falls, less by how many the chances of those fall who neither lead nor act. Above 0, "
        "players hold the leader back.",
        not_means="No player of these speaks with another or plans with them. A leader also has more to "
        "lose, so that a small number above 0 comes of itself.",
        numbers=tuple(number(study, "points a turn", own.scaled(100), "points")),
        figures=tuple(
            strength_chart(
                study,
                "Pressure on the leader over strength",
                "points a turn",
                [("pressure", lambda some: (one := _pressure(some)) and one.scaled(100))],
                "How much others' turns cost the leader, over the strength of the players.",
                unit="points",
                searched=True,
                level=0.0,
            )
        ),
        links=(GameLink(most.id, "A leader held back", most.at(0.5)),),
    )


def _pressure(games: list[Trace]) -> Estimate | None:
    return mean((trace.block, *_sums(trace)) for trace in games)


def _sums(trace: Trace) -> tuple[float, float]:
    """The total cost of turns to the leader beyond the others, and the number of such turns."""
    starts = turn_starts(trace)
    total, turns = 0.0, 0
    for start, end in pairwise(starts[:-1]):  # the last turn's change is the result
        change = trace.chances[end] - trace.chances[start]
        mover, leader = int(trace.movers[start]), int(trace.chances[start].argmax())
        others = [seat for seat in range(len(change)) if seat not in (mover, leader)]
        if mover != leader and others:
            total += float(np.mean(change[others]) - change[leader])
            turns += 1
    return total, float(turns)
