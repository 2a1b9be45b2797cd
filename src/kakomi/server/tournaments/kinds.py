"""The kinds of tournaments that are offered: each with a sentence, what else it needs, and its format."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from kakomi.contest.tournament import AnyFormat, Elimination, Ladder, RoundRobin, Swiss, Tables
from kakomi.core import Description
from kakomi.server.lobby.terms import seats_of
from kakomi.session import Pace

FINALS: Mapping[str, tuple[Promise, RoundRobin | Elimination]] = {
    "knock-out": (gettext_lazy("a knock-out"), Elimination()),
    "round robin": (gettext_lazy("a group in which everybody plays everybody"), RoundRobin()),
}
"""What may follow the groups."""


@dataclass(frozen=True)
class Kind:
    """A kind of tournament."""

    label: Promise
    said: Promise
    """What it is, in a sentence."""
    fields: tuple[str, ...]
    """What the form asks for besides what it always does."""
    made: Callable[[Mapping[str, Any]], AnyFormat]
    """The format that the form's cleaned data come to."""
    paces: tuple[Pace, ...] = ("live", "days")
    is_for_two: bool = True
    """Whether two sit at a table."""


KINDS: Mapping[str, Kind] = {
    "swiss": Kind(
        gettext_lazy("Swiss"),
        gettext_lazy("In each round those with about the same points meet, and nobody twice."),
        ("rounds", "filler", "takes_late", "repeat"),
        lambda given: Swiss(rounds=given["rounds"]),
    ),
    "round robin": Kind(
        gettext_lazy("Everybody plays everybody"),
        gettext_lazy("Everybody meets everybody else, once or twice."),
        ("legs", "filler", "repeat"),
        lambda given: RoundRobin(legs=given["legs"]),
    ),
    "groups": Kind(
        gettext_lazy("Groups and a final"),
        gettext_lazy("Everybody plays everybody of their group; the best of each group play the final."),
        ("groups", "promoted", "final", "filler", "repeat"),
        lambda given: RoundRobin(
            groups=given["groups"], promoted=given["promoted"], final=FINALS[given["final"]][1]
        ),
    ),
    "knock-out": Kind(
        gettext_lazy("Knock-out"),
        gettext_lazy("Who loses is out, at once or after a second loss."),
        ("losses", "repeat"),
        lambda given: Elimination(losses=given["losses"]),
    ),
    "tables": Kind(
        gettext_lazy("Tables of several"),
        gettext_lazy("Three to six sit at a table, and everybody meets the others as evenly as can be."),
        ("seats", "rounds", "filler", "takes_late", "repeat"),
        lambda given: Tables(seats=given["seats"], rounds=given["rounds"]),
        is_for_two=False,
    ),
    "ladder": Kind(
        gettext_lazy("Ladder"),
        gettext_lazy(
            "A lasting order: who beats somebody above takes their rung. It goes on until you close it."
        ),
        ("reach",),
        lambda given: Ladder(reach=given["reach"]),
        paces=("days",),
    ),
}


def kinds_for(description: Description, pace: Pace) -> dict[str, Kind]:
    """The kinds that a game can be played in at a pace."""
    fewest, most = seats_of(description)
    return {
        name: kind
        for name, kind in KINDS.items()
        if pace in kind.paces and (fewest == 2 if kind.is_for_two else most > 2)
    }
