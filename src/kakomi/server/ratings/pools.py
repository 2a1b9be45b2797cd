"""Pools: what is rated together, and how strong the levels of bots are there."""

from collections.abc import Mapping
from functools import cache

from kakomi import catalog
from kakomi.contest import FIRST, Rating, Series, anchor
from kakomi.core import Game
from kakomi.server.django_private import PreparedQuery
from kakomi.server.ratings import models
from kakomi.session import TimeControl

Key = int | str
"""Of an entrant: a guest's number, or a bot's level."""
SERIES: Mapping[str, Series] = {"days": Series()}
"""The rule for time-outs in succession, by pace. In live games each counts."""

_POOL = PreparedQuery(
    lambda game, size_class, pace: (
        models.Pool.objects.filter(game=game).filter(size_class=size_class).filter(pace=pace)
    )
)


def pool_of(game: Game, control: TimeControl) -> models.Pool | None:
    """The pool of a game, made if there is none yet; None if it has no class of boards that are rated."""
    size_class = game.description.size_class(game.options)
    if size_class is None:
        return None
    known = _POOL.first(game.name, size_class, control.pace)
    return (
        known
        or models.Pool.objects.get_or_create(game=game.name, size_class=size_class, pace=control.pace)[0]
    )


@cache
def levels_of(game: str, size_class: str) -> Mapping[Key, Rating]:
    """The ratings of the levels of bots, which never change. One that was not measured says nothing."""
    description = catalog.describe(game)
    ladder = catalog.game(game, **description.ladder_options)
    is_measured = description.size_class(ladder.options) == size_class
    return {
        str(number): FIRST if level.elo is None else anchor(level.elo, is_measured=is_measured)
        for number, level in enumerate(description.levels, 1)
    }
