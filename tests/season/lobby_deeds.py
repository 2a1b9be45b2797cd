"""Actions in the lobby in a season: seeking games and accepting the seeks of others."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from kakomi import catalog
from kakomi.core import Description
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import services
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.terms import SeekTerms, seats_of
from kakomi.session import TimeControl
from kakomi.session.time_control import DAY, LONGEST, LONGEST_TOTAL

Deed = dict[str, Any]
MOST_GAMES = 3
"""The most games at a time with which a person looks for another."""


def in_lobby(guest: Guest, chance: random.Random, slowness: float) -> Iterator[Deed]:
    """Yield the lobby actions of a person who looks for a game."""
    seeks = open_seeks(guest)
    if seeks and chance.random() < 0.8:
        yield {"do": "accept", "code": chance.choice(seeks).code}
    elif guest.seeks.filter(ended_at=None).count() < 2:
        yield {"do": "seek", "seed": chance.getrandbits(32), "slowness": slowness}


def open_seeks(guest: Guest) -> list[Seek]:
    """The open seeks of others that a guest hasn't joined."""
    return list(Seek.objects.filter(ended_at=None).exclude(owner=guest).exclude(places__guest=guest))


def controls(slowness: float) -> tuple[TimeControl, ...]:
    """The time controls that people agree on, slowed as far as limits allow."""

    def days(count: float, most: float = LONGEST_TOTAL) -> float:
        return min(count * slowness * DAY, most)

    return (
        TimeControl(days(2, LONGEST), kind="days"),
        TimeControl(days(0.5, LONGEST), kind="days"),
        TimeControl(days(2), days(0.25, LONGEST), "bank", cap=days(3)),
        TimeControl(days(6), kind="total"),
    )


def quick_options(description: Description) -> dict[str, int]:
    """The options for a quick game, without the number of players."""
    return {name: value for name, value in description.quick.items() if name != "players"}


def _seek(guest: Guest, deed: Deed) -> None:
    chance = random.Random(deed["seed"])
    name = chance.choice(catalog.names())
    description = catalog.describe(name)
    least, most = seats_of(description)
    players = chance.randint(least, most)
    control = chance.choice(controls(deed["slowness"]))
    negotiates = bool(description.komi_option) and chance.random() < 0.5
    terms = SeekTerms(name, control, quick_options(description), negotiate=negotiates)
    is_rated = chance.random() < 0.7
    services.create_seek(guest, services.Wish(Seek.Kind.OPEN, terms, is_rated, players, players), deed["key"])


def _accept(guest: Guest, deed: Deed) -> None:
    services.accept(deed["code"], guest)


DEEDS: dict[str, Callable[[Guest, Deed], None]] = {"seek": _seek, "accept": _accept}
