"""What a tournament's log consists of: one entry for each thing that happened, in order.

Entries say what was decided and never what follows from it. Whoever keeps the log adds to its end alone: a
result that was wrong is put right by a later entry. `write_log` and `read_log` keep them as JSON.
"""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct


class Pairing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who plays whom: entrants in the order of their seats; the first begins."""

    seats: tuple[str, ...]
    stage: str = ""
    """Which part of the tournament it belongs to, such as `group 2` or `losers 3`; empty if it has no parts.
    """


class Round(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="round"):
    """Pairings that are made at the same moment, and who sits out though they would play. Tables are numbered
    from 1 in the order of the pairings. Its number is its place among the rounds of the log, from 1."""

    pairings: tuple[Pairing, ...] = ()
    byes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nobody plays and nobody sits out."""
        return not self.pairings and not self.byes


class Entered(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="entered"):
    """Somebody takes part from now on, whenever that is."""

    entrant: str
    """What tells entrants apart; no name of a person."""
    strength: float = 0.0
    """The higher the stronger, such as a rating; equals are put in order by lot."""


class Withdrew(Struct, frozen=True, forbid_unknown_fields=True, tag="withdrew"):
    """Somebody isn't paired any more, until they return. A game in which no two are left is over."""

    entrant: str


class Returned(Struct, frozen=True, forbid_unknown_fields=True, tag="returned"):
    """Somebody who withdrew plays again."""

    entrant: str


class Erased(Struct, frozen=True, forbid_unknown_fields=True, tag="erased"):
    """An account is gone: its owner withdraws for good. Results stay, as they are others' too."""

    entrant: str


class Reported(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="reported"):
    """How a game ended: the place of each seat, from 1; equals share one, and the next is as much lower."""

    round: int
    table: int
    places: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """Seats, from 0, whose entrants did not appear. They come last, and win no points."""


class Corrected(Reported, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="corrected"):
    """The director puts right how a game ended. Standings follow; pairings that were made stay."""


class Challenged(Struct, frozen=True, forbid_unknown_fields=True, tag="challenged"):
    """On a ladder: somebody wants to play others who stand above."""

    entrant: str
    opponents: tuple[str, ...]


class Closed(Struct, frozen=True, forbid_unknown_fields=True, tag="closed"):
    """The director ends the tournament: there are no more rounds, but results may still come."""


Entry: TypeAlias = Entered | Withdrew | Returned | Erased | Round | Reported | Corrected | Challenged | Closed
Log: TypeAlias = Sequence[Entry]


def write_log(log: Log) -> bytes:
    """A log as JSON."""
    return msgspec.json.encode(log)


def read_log(data: bytes | str) -> list[Entry]:
    """A log from JSON. Raises `msgspec.ValidationError` for what isn't one; what it says isn't checked."""
    return msgspec.json.decode(data, type=list[Entry])
