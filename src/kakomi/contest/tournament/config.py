"""What is agreed of a tournament before it begins: a format with its numbers, as data."""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

TieBreak: TypeAlias = Literal[
    "direct encounter",
    "wins",
    "buchholz",
    "buchholz cut 1",
    "sonneborn-berger",
    "progressive",
    "less begun",
]
"""Names of tie-breaks (`scoring.py`; docs/tournaments.md has the formulas)."""

SWISS_TIE_BREAKS: tuple[TieBreak, ...] = (
    "buchholz cut 1",
    "buchholz",
    "sonneborn-berger",
    "direct encounter",
    "wins",
)
ROUND_ROBIN_TIE_BREAKS: tuple[TieBreak, ...] = ("direct encounter", "sonneborn-berger", "wins", "less begun")
TABLE_TIE_BREAKS: tuple[TieBreak, ...] = ("wins", "buchholz", "sonneborn-berger", "progressive")


class Format(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="format"
):
    """What all formats have."""

    bye: int = 1
    """Points for sitting out though one would play."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """What tells equals in points apart, the most important first."""


class Swiss(Format, frozen=True, tag="swiss"):
    """Rounds in which those with about the same points meet, nobody twice. For two at a table."""

    rounds: int = 5
    tie_breaks: tuple[TieBreak, ...] = SWISS_TIE_BREAKS


class Tables(Format, frozen=True, tag="tables"):
    """Rounds at tables of several: everybody meets the others as evenly as can be."""

    seats: int = 4
    """The most at a table, 2 to 6. If the number of entrants isn't a multiple, some tables have one fewer."""
    rounds: int = 5
    tie_breaks: tuple[TieBreak, ...] = TABLE_TIE_BREAKS


class Elimination(Format, frozen=True, tag="elimination"):
    """Who loses `losses` matches is out."""

    losses: Literal[1, 2] = 1
    replays: int = 2
    """So many drawn games of a match are played again; after one more, the higher seed goes on."""
    tie_breaks: tuple[TieBreak, ...] = ()


class RoundRobin(Format, frozen=True, tag="round robin"):
    """Everybody plays everybody of their group; the best of each go on to a final stage, if there is one."""

    groups: int = 1
    legs: int = 1
    """How often two meet."""
    promoted: int = 0
    """So many of each group go on to the final stage."""
    final: "RoundRobin | Elimination | None" = None
    bye: int = 0
    tie_breaks: tuple[TieBreak, ...] = ROUND_ROBIN_TIE_BREAKS


class Ladder(Format, frozen=True, tag="ladder"):
    """An order in which one climbs by beating who stands above."""

    reach: int = 3
    """By how many rungs above one's own a challenge may reach, not counting who is away."""
    rest: int = 1
    """So many other games end before the same people may play again, if others could be challenged."""


AnyFormat: TypeAlias = Swiss | Tables | Elimination | RoundRobin | Ladder

_RANGES = {
    "rounds": (1, 100),
    "seats": (2, 6),
    "groups": (1, 500),
    "legs": (1, 10),
    "promoted": (0, 500),
    "replays": (0, 20),
    "reach": (1, 1000),
    "rest": (0, 1000),
    "bye": (0, 1000),
}


def check_format(config: AnyFormat) -> None:
    """Raises ValueError, in one sentence, for a format whose numbers make no sense."""
    for name, (low, high) in _RANGES.items():
        if not low <= (value := getattr(config, name, low)) <= high:
            raise ValueError(f"{name} should be {low} to {high}, not {value}")
    if isinstance(config, RoundRobin):
        if (config.final is None) != (config.promoted == 0):
            raise ValueError("a round robin has a final stage just if some are promoted to it")
        if config.final is not None:
            check_format(config.final)


def read_format(data: bytes | str) -> AnyFormat:
    """A format from JSON. Raises ValueError for what isn't one."""
    config: AnyFormat = msgspec.json.decode(data, type=AnyFormat)
    check_format(config)
    return config


def write_format(config: AnyFormat) -> bytes:
    """A format as JSON."""
    return msgspec.json.encode(config)
