"""What is agreed of a tournament before it begins: its terms, kinds on offer, and how long rounds last."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from kakomi.contest.tournament import (
    AnyFormat,
    Elimination,
    Ladder,
    RoundRobin,
    Swiss,
    Tables,
    check_format,
    read_format,
)
from kakomi.core import Description
from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.lobby.terms import SeekTerms, seats_of
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.tables.table_request import LEVELS, why_unrated
from kakomi.server.tournaments import GO_ON
from kakomi.server.tournaments.models import LONGEST_DESCRIPTION, LONGEST_NAME, Tournament
from kakomi.session import Pace, Refused, TimeControl
from kakomi.session.time_control import DAY

MOST_ENTRANTS = 64
SHORTEST_NAME = 3
MOST_ROUNDS = 15
MOST_GROUPS = 8
MOST_PROMOTED = 8
MOST_REACH = 10
ROUND_DAYS = (7, 14, 30, 60, 90)
"""The lengths of rounds, in days, that are offered."""
LATEST_DAYS = 60
"""A tournament begins so many days from now at the latest."""


@dataclass(frozen=True)
class TournamentTerms:
    """A tournament that somebody asks for."""

    name: str
    terms: SeekTerms
    format: AnyFormat
    begins_at: float
    """Seconds since the epoch."""
    is_rated: bool = False
    most: int = 32
    takes_late: bool = True
    takes_bots: bool = False
    filler: str = ""
    round_days: int = 30
    """0 for live games."""
    repeat: str = ""
    """One of `Tournament.Repeat`; empty: it doesn't come again."""
    description: str = ""

    def check(self, now: float) -> None:
        """Raise Refused for what can't be, in one sentence that says what could."""
        check_name(self.name)
        _check_description(self.description)
        _check_format(self.format, self.terms)
        _check_pace(self.format, self.terms.pace)
        if not 2 <= self.most <= MOST_ENTRANTS:
            raise Refused(lazy_message("A tournament is for 2 to {most} people.", most=MOST_ENTRANTS))
        if isinstance(self.format, RoundRobin) and self.most < 2 * self.format.groups:
            raise Refused(lazy_message("A group is for two at least: so many groups need more players."))
        if self.round_days not in (ROUND_DAYS if self.terms.pace == "days" else (0,)):
            raise Refused(lazy_message("Choose one of the lengths of a round that are offered."))
        if self.begins_at < now:
            raise Refused(lazy_message("This time has passed: choose a later one."))
        if self.begins_at > now + LATEST_DAYS * DAY:
            raise Refused(lazy_message("It begins in {most} days at the latest.", most=LATEST_DAYS))
        if self.filler and self.filler not in LEVELS:
            raise Refused(lazy_message("There is no such level of a bot: choose one of those offered."))
        if self.is_rated:
            game = self.terms.game_for(table_sizes(self.format, self.terms)[1])
            for wrong in why_unrated(game, self.terms.control, "").values():
                raise Refused(wrong)


def check_name(name: str) -> None:
    """Raise Refused for what is no name of a tournament."""
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise Refused(
            lazy_message(
                "Write a name of {least} to {most} letters, digits and the like, in one line.",
                least=SHORTEST_NAME,
                most=LONGEST_NAME,
            )
        )


def _check_description(text: str) -> None:
    if len(text) > LONGEST_DESCRIPTION or not all(line.isprintable() for line in text.split("\n")):
        raise Refused(
            lazy_message("A description has {most} letters and the like at most.", most=LONGEST_DESCRIPTION)
        )


def _check_format(config: AnyFormat, terms: SeekTerms) -> None:
    try:
        check_format(config)
    except ValueError as error:
        raise Refused(*error.args) from None
    if isinstance(config, Swiss | Tables) and config.rounds > MOST_ROUNDS:
        raise Refused(lazy_message("A tournament has {most} rounds at most.", most=MOST_ROUNDS))
    if isinstance(config, RoundRobin) and (config.groups > MOST_GROUPS or config.promoted > MOST_PROMOTED):
        raise Refused(
            lazy_message(
                "There are {groups} groups at most, and {promoted} of each go on at most.",
                groups=MOST_GROUPS,
                promoted=MOST_PROMOTED,
            )
        )
    if isinstance(config, Ladder) and config.reach > MOST_REACH:
        raise Refused(lazy_message("A challenge reaches {most} rungs at most.", most=MOST_REACH))
    terms.check_seats(*table_sizes(config, terms))


def _check_pace(config: AnyFormat, pace: Pace) -> None:
    if isinstance(config, Ladder) and pace != "days":
        raise Refused(lazy_message("Games of a ladder are played over days: choose such a clock."))


def table_sizes(config: AnyFormat, terms: SeekTerms) -> tuple[int, int]:
    """The fewest and the most players at a table. With tables of several, some may have one fewer."""
    if not isinstance(config, Tables):
        return 2, 2
    return max(config.seats - 1, seats_of(terms.description)[0]), config.seats


def terms_of(row: Tournament) -> SeekTerms:
    """The terms of a tournament's games."""
    return SeekTerms.from_json(row.terms)


def format_of(row: Tournament) -> AnyFormat:
    """The format of a tournament."""
    return read_format(msgspec.json.encode(row.format))


def least_of(row: Tournament) -> int:
    """The fewest with whom a tournament begins; a ladder waits for people."""
    if isinstance(format_of(row), Ladder):
        return 0
    return table_sizes(format_of(row), terms_of(row))[0]


TURNS = 60
"""The turns of a seat for which a live round leaves time."""
LONGEST_ROUND = 4 * 3600.0
"""No live round lasts longer, in seconds."""
START_SECONDS = 180.0
"""For so long a live game waits for somebody's first turn."""


def has_rounds(row: Tournament) -> bool:
    """Whether a round begins when the one before is over. On ladders games begin at any time."""
    return not isinstance(format_of(row), Ladder)


def start_seconds(row: Tournament) -> float | None:
    """The wait for a first turn, in seconds; None: as long as at any table."""
    return START_SECONDS if terms_of(row).pace == "live" else None


def round_seconds(row: Tournament) -> float:
    """After so long, in seconds, a round ends in any case."""
    if row.round_days:
        return row.round_days * DAY
    terms = terms_of(row)
    return live_round_seconds(terms.control, table_sizes(format_of(row), terms)[1])


def live_round_seconds(control: TimeControl, seats: int) -> float:
    """What a live game of 60 turns each takes at most by its clocks, and the wait for its beginning."""
    a_turn = control.initial if control.is_by_turn else control.increment
    of_seat = (0.0 if control.is_by_turn else control.full) + TURNS * a_turn
    return min(LONGEST_ROUND, START_SECONDS + seats * of_seat)


def make_due(row: Tournament) -> None:
    """Have the site look at a locked tournament at once."""
    row.due_at = clock.now()
    row.save(update_fields=["due_at"])
    transaction.on_commit(partial(JOBS.wake, GO_ON))


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
