"""Turns in a season: random ones, and the usual one that everybody would play and plans can foresee."""

import random

from kakomi.core import Position
from kakomi.server.plans import selectors, services
from kakomi.server.tables import models
from kakomi.server.tables import selectors as table_selectors
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Branch, MatchGame
from kakomi.session.plans import play_turn

DEEP = 5
"""Consecutive turns in a plan: the others' and one's own."""


def drawn_turn(position: Position, chance: random.Random) -> tuple[str, ...]:
    """A complete random turn. Half of them are the usual turn."""
    return usual_turn(position) if chance.random() < 0.5 else _turn(position, chance)


def usual_turn(position: Position) -> tuple[str, ...]:
    """The usual turn of a position, the same for every player."""
    return _turn(position, random.Random(position.key()))


def _turn(position: Position, chance: random.Random) -> tuple[str, ...]:
    actions: list[str] = []
    while not actions or (position.turn and not position.is_over):
        actions.append(chance.choice(position.legal()))
        position = position.play(actions[-1])
    return tuple(actions)


def arm_plan(row: models.Table, viewer: Viewer) -> None:
    """Store and arm a plan for the usual turns. Raises Refused or Stale."""
    table = table_selectors.table_of(row)
    seat = viewer.seats[viewer.own[0]]
    known = selectors.plan_of(seat)
    seen = services.Seen(known.version if known else 0, row.entries)
    services.put(row, viewer, seen, _branches(table.match.current_game, DEEP))


def _branches(leg: MatchGame, deep: int) -> tuple[Branch, ...]:
    if not deep or leg.is_over or leg.to_act is None:
        return ()
    turn = usual_turn(leg.position)
    return (Branch(leg.to_act, turn, _branches(play_turn(leg, turn), deep - 1)),)
