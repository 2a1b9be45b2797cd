"""The terms of a tournament, as data: a format with its parameters."""

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
"""The names of tie-breaks (`scoring.py`; docs/tournaments.md has the formulas)."""

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
    """The fields of all formats."""

    bye: int = 1
    """The points for a bye."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """The tie-breaks between entrants with equal points, the most important first."""


class Swiss(Format, frozen=True, tag="swiss"):
    """Rounds of games for two, between entrants with similar points, who meet at most once if possible."""

    rounds: int = 5
    tie_breaks: tuple[TieBreak, ...] = SWISS_TIE_BREAKS


class Tables(Format, frozen=True, tag="tables"):
    """Rounds at tables of several, where everyone meets the others as evenly as possible."""

    seats: int = 4
    """The maximum at a table, 2 to 6. If it doesn't divide the entrants, some tables have one fewer."""
    rounds: int = 5
    tie_breaks: tuple[TieBreak, ...] = TABLE_TIE_BREAKS


class Elimination(Format, frozen=True, tag="elimination"):
    """A knock-out: an entrant who has lost `losses` matches is out."""

    losses: Literal[1, 2] = 1
    replays: int = 2
    """The number of drawn games of a match to replay; after one more draw, the higher seed advances."""
    tie_breaks: tuple[TieBreak, ...] = ()


class RoundRobin(Format, frozen=True, tag="round robin"):
    """All play all within groups; the best of each group advance to a final stage, if there is one."""

    groups: int = 1
    legs: int = 1
    """The number of games between two entrants."""
    promoted: int = 0
    """The number of entrants per group who advance to the final stage."""
    final: "RoundRobin | Elimination | None" = None
    bye: int = 0
    tie_breaks: tuple[TieBreak, ...] = ROUND_ROBIN_TIE_BREAKS


class Ladder(Format, frozen=True, tag="ladder"):
    """A ranking in which entrants climb by beating those above them."""

    reach: int = 3
    """The maximum number of rungs up to a challenged opponent, not counting absent entrants."""
    rest: int = 1
    """The number of other games before the same people may play again, if others could be challenged."""


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
    """Raise ValueError, with one sentence, for a format with invalid parameters."""
    for name, (low, high) in _RANGES.items():
        if not low <= (value := getattr(config, name, low)) <= high:
            raise ValueError(f"{name} should be {low} to {high}, not {value}")
    if isinstance(config, RoundRobin):
        if (config.final is None) != (config.promoted == 0):
            raise ValueError("a round robin has a final stage just if some are promoted to it")
        if config.final is not None:
            check_format(config.final)


def read_format(data: bytes | str) -> AnyFormat:
    """Read a format from JSON. Raises ValueError if it is invalid."""
    config: AnyFormat = msgspec.json.decode(data, type=AnyFormat)
    check_format(config)
    return config


def write_format(config: AnyFormat) -> bytes:
    """Write a format as JSON."""
    return msgspec.json.encode(config)
