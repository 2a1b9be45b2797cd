"""Lin in words and marks: why an action is forbidden, whose the points are, what the score is made of."""

from collections.abc import Sequence

import numpy as np

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_join, lazy_message, lazy_plural
from kakomi.draw import Mark, Overlay
from kakomi.games.lin.rules import CLOSED
from kakomi.kernel.records import EMPTY


def why_illegal(position: Position, action: int) -> str:
    """A stone is there, or the point belongs to the enemy alone."""
    if position.state["stones"][action] != EMPTY:
        return lazy_message(
            "there is a stone on that point already, and stones go on empty points (RULES L3)"
        )
    players = position.game.player_names
    return lazy_message(
        "that point is {enemy}'s territory: {own} has no room for a line of {line} there (RULES L2, L3)",
        enemy=lazy_message(players[1 - position.to_move]),
        own=lazy_message(players[position.to_move]),
        line=position.game.options["line"],
    )


def expects(position: Position) -> str:
    """What the player to act does next."""
    del position
    return lazy_message("a stone on an empty point of a living domain of that colour")


def account(position: Position) -> str:
    """What the score is made of."""
    black, white = position.scores()
    komi, contested = position.game.options["komi"], len(_contested(_living(position)))
    parts = [
        lazy_plural(
            "Black's living domains have {count} point, White's {white}",
            "Black's living domains have {count} points, White's {white}",
            count=int(black),
            white=white - komi,
        )
    ]
    if komi:
        parts.append(lazy_message("with komi {komi} White has {white}", komi=komi, white=white))
    if contested:
        parts.append(lazy_message("contested points, {contested} still, count for both", contested=contested))
    return lazy_join("; ", parts)


def guide(position: Position) -> Guidance:
    """Room for lines, and what happens to who has none."""
    line = position.game.options["line"]
    if len(position.stones()) < position.game.geometry.size:
        return Guidance(
            lazy_message(
                "Cut off parts in which the other has no straight line of {line} free points.", line=line
            ),
            "L2",
        )
    return Guidance(
        lazy_message(
            "What has no room left for a line of {line} falls to the other colour. Play where both live.",
            line=line,
        ),
        "L3",
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """The points of one colour alone, and those in living domains of both (RULES L4)."""
    names = position.game.geometry.names
    living = _living(position)
    contested = _contested(living)
    territory = [
        Mark("area", names[point], player, _("territory"))
        for player in (0, 1)
        for point in living[player]
        if point not in contested
    ]
    disputed = [Mark("dot", names[point], None, _("contested")) for point in sorted(contested)]
    return (
        Overlay(
            "territory",
            _("Territory: in living domains of one colour alone"),
            tuple(territory),
            for_newcomers=True,
        ),
        Overlay("contested", _("Contested: in living domains of both colours"), tuple(disputed)),
    )


def _living(position: Position) -> list[list[int]]:
    """The points of each player's living domains: those where a stone may go, and those with one."""
    state, points = position.state, position.game.geometry.points
    places, stones = state["place_in_open"][:, :points], state["stones"][:points]
    return [np.flatnonzero((places[player] != CLOSED) | (stones == player)).tolist() for player in (0, 1)]


def _contested(living: Sequence[list[int]]) -> set[int]:
    return set(living[0]) & set(living[1])
