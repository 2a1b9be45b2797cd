"""Lin in words and marks: why an action is illegal, who owns which points, and the score."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import LazyMessage, lazy_message, lazy_plural
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.marks import NOBODYS, MarkedPlaces, overlays_of, reason_for
from kakomi.draw import Overlay
from kakomi.games.lin.rules import CLOSED
from kakomi.kernel import driver
from kakomi.kernel.records import EMPTY

REASONS = (
    _("there is already a stone on that point (RULES L3)"),
    _("that point is {enemy}'s territory: {own} has no room for a line of {line} there (RULES L2, L3)"),
)


@driver
def find_reason(boards: Any, states: Any, scratches: Any, action: Any, numbers: Any) -> Any:
    """Return why: a stone is there, or the point belongs to the enemy alone."""
    return int(states[0].stones[action] == EMPTY)


why_illegal = partial(reason_for, find_reason=find_reason, reasons=REASONS)


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    owner = lazy_message(position.game.player_names[position.to_move])
    return lazy_message("place a stone in one of {owner}'s living domains", owner=owner)


def account(position: Position) -> str:
    """Return what the score consists of."""
    scores, komi = position.scores_in_words(), position.game.options["komi"]
    if komi:
        return lazy_message("points: {scores} (White's include a komi of {komi})", scores=scores, komi=komi)
    return lazy_message("points: {scores}", scores=scores)


def contested(position: Position) -> int:
    """Return the number of points in living domains of both colours, which count for both (RULES L4)."""
    return len(_contested(_living(position)))


def guide(position: Position) -> Guidance:
    """Return advice on room for lines, and on domains without it."""
    line = position.game.options["line"]
    if len(position.stones()) < position.game.geometry.size:
        return Guidance(
            lazy_message("Wall off areas where your opponent has no room for a line of {line}.", line=line),
            "L2",
        )
    return Guidance(
        lazy_message(
            "Areas with no room for a line of {line} go to the other colour. Play on contested points.",
            line=line,
        ),
        "L3",
    )


def achievements(before: Position, action: int, after: Position) -> list[LazyMessage]:
    """Return the points on which the enemy has no room any more, and the stones removed (RULES L3)."""
    enemy = 1 - before.to_move
    lost = set(_living(before)[enemy]) - set(_living(after)[enemy]) - {action}
    captured = int((before.state["stones"] == enemy).sum() - (after.state["stones"] == enemy).sum())
    return [
        lazy_plural("{count} point cut off", "{count} points cut off", count=len(lost)),
        lazy_plural("{count} stone captured", "{count} stones captured", count=captured),
    ]


MARKED = (
    MarkedPlaces(
        "territory",
        _("Territory: in living domains of one colour only"),
        "area",
        _("territory"),
        for_newcomers=True,
    ),
    MarkedPlaces("contested", _("Contested: in living domains of both colours"), "dot", _("contested")),
)


@driver
def mark_places(boards: Any, states: Any, successors: Any, scratches: Any, marks: Any) -> None:
    """Mark the points of one colour alone, and those in living domains of both (RULES L4)."""
    state = states[0]
    for point in range(boards[0].points):
        is_blacks = state.place_in_open[0, point] != CLOSED or state.stones[point] == 0
        is_whites = state.place_in_open[1, point] != CLOSED or state.stones[point] == 1
        marks[0, point] = 0
        marks[1, point] = NOBODYS if is_blacks and is_whites else 0
        if is_blacks != is_whites:
            marks[0, point] = 1 if is_blacks else 2


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of `mark_places`."""
    return overlays_of(position, mark_places, MARKED)


def _living(position: Position) -> list[list[int]]:
    """Return the points of each player's living domains: where a stone may go, and where one is."""
    state, points = position.state, position.game.geometry.points
    places, stones = state["place_in_open"][:, :points], state["stones"][:points]
    return [np.flatnonzero((places[player] != CLOSED) | (stones == player)).tolist() for player in (0, 1)]


def _contested(living: Sequence[list[int]]) -> set[int]:
    return set(living[0]) & set(living[1])
