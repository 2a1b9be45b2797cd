"""The terms of a tournament, the kinds on offer, and the length of rounds."""

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
from kakomi.server.lobby.terms import SeekTerms, seats_of
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.site import clock
from kakomi.server.tables.table_request import LEVELS, why_unrated
from kakomi.server.tournaments import ADVANCE
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
"""The lengths of rounds on offer, in days."""
LATEST_DAYS = 60
"""The maximum number of days before a tournament begins."""


@dataclass(frozen=True)
class TournamentTerms:
    """The terms of a tournament that somebody wants to create."""

    name: str
    terms: SeekTerms
    format: AnyFormat
    begins_at: float
    """In seconds since the epoch."""
    is_rated: bool = False
    most: int = 32
    takes_late: bool = True
    takes_bots: bool = False
    filler: str = ""
    round_days: int = 30
    """0 for live games."""
    repeat: str = ""
    """A value of `Tournament.Repeat`; empty if it isn't repeated."""
    description: str = ""

    def check(self, now: float) -> None:
        """Raise Refused for invalid terms, with one sentence that says what is valid."""
        check_name(self.name)
        _check_description(self.description)
        _check_format(self.format, self.terms)
        if isinstance(self.format, Ladder) and self.terms.pace != "days":
            raise Refused(
                lazy_message("Ladder games are correspondence games: choose a matching time control.")
            )
        if not 2 <= self.most <= MOST_ENTRANTS:
            raise Refused(lazy_message("A tournament can have 2 to {most} players.", most=MOST_ENTRANTS))
        if isinstance(self.format, RoundRobin) and self.most < 2 * self.format.groups:
            raise Refused(
                lazy_message("Each group needs at least two players: allow more players or fewer groups.")
            )
        if self.round_days not in (ROUND_DAYS if self.terms.pace == "days" else (0,)):
            raise Refused(lazy_message("Choose one of the round limits in the list."))
        if self.begins_at < now:
            raise Refused(lazy_message("This time is in the past: choose a later one."))
        if self.begins_at > now + LATEST_DAYS * DAY:
            raise Refused(lazy_message("It must start within {most} days.", most=LATEST_DAYS))
        if self.filler and self.filler not in LEVELS:
            raise Refused(lazy_message("Choose one of the bot levels in the list."))
        if self.is_rated:
            game = self.terms.game_for(table_sizes(self.format, self.terms)[1])
            for wrong in why_unrated(game, self.terms.control, "").values():
                raise Refused(wrong)


def check_name(name: str) -> None:
    """Raise Refused for an invalid tournament name."""
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise Refused(
            lazy_message(
                "Enter a name of {least} to {most} characters, on one line.",
                least=SHORTEST_NAME,
                most=LONGEST_NAME,
            )
        )


def _check_description(text: str) -> None:
    if len(text) > LONGEST_DESCRIPTION or not all(line.isprintable() for line in text.split("\n")):
        raise Refused(
            lazy_message("A description can have up to {most} characters.", most=LONGEST_DESCRIPTION)
        )


def _check_format(config: AnyFormat, terms: SeekTerms) -> None:
    try:
        check_format(config)
    except ValueError as error:
        raise Refused(*error.args) from None
    if isinstance(config, Swiss | Tables) and config.rounds > MOST_ROUNDS:
        raise Refused(lazy_message("A tournament can have up to {most} rounds.", most=MOST_ROUNDS))
    if isinstance(config, RoundRobin) and (config.groups > MOST_GROUPS or config.promoted > MOST_PROMOTED):
        raise Refused(
            lazy_message(
                "There can be up to {groups} groups with up to {promoted} finalists each.",
                groups=MOST_GROUPS,
                promoted=MOST_PROMOTED,
            )
        )
    if isinstance(config, Ladder) and config.reach > MOST_REACH:
        raise Refused(lazy_message("A challenge can reach up to {most} ranks.", most=MOST_REACH))
    terms.check_seats(*table_sizes(config, terms))


def table_sizes(config: AnyFormat, terms: SeekTerms) -> tuple[int, int]:
    """The minimum and maximum number of players at a table. Tables of several may have one fewer."""
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
    """The minimum number of players for a tournament to begin; 0 for a ladder, which waits for people."""
    if isinstance(format_of(row), Ladder):
        return 0
    return table_sizes(format_of(row), terms_of(row))[0]


TURNS = 60
"""The number of turns per seat for which a live round allows time."""
LONGEST_ROUND = 4 * 3600.0
"""The maximum length of a live round, in seconds."""
START_SECONDS = 180.0
"""How long a live game waits for a player's first turn."""


def has_rounds(row: Tournament) -> bool:
    """Whether each round begins when the previous one is over. On ladders games begin at any time."""
    return not isinstance(format_of(row), Ladder)


def start_seconds(row: Tournament) -> float | None:
    """How long a game waits for a first turn, in seconds; None for the usual time of a table."""
    return START_SECONDS if terms_of(row).pace == "live" else None


def round_seconds(row: Tournament) -> float:
    """The maximum length of a round, in seconds."""
    if row.round_days:
        return row.round_days * DAY
    terms = terms_of(row)
    return live_round_seconds(terms.control, table_sizes(format_of(row), terms)[1])


def live_round_seconds(control: TimeControl, seats: int) -> float:
    """The maximum length in seconds of a live game with 60 turns per seat, including the wait to start."""
    a_turn = control.initial if control.is_by_turn else control.increment
    of_seat = (0.0 if control.is_by_turn else control.full) + TURNS * a_turn
    return min(LONGEST_ROUND, START_SECONDS + seats * of_seat)


def make_due(row: Tournament) -> None:
    """Schedule a locked tournament for immediate processing."""
    row.due_at = clock.now()
    row.save(update_fields=["due_at"])
    transaction.on_commit(partial(JOBS.wake, ADVANCE))


FINALS: Mapping[str, tuple[Promise, RoundRobin | Elimination]] = {
    "knock-out": (gettext_lazy("a knock-out"), Elimination()),
    "round robin": (gettext_lazy("a round robin"), RoundRobin()),
}
"""The possible formats of the final after groups."""


@dataclass(frozen=True)
class Kind:
    """A kind of tournament."""

    label: Promise
    description: Promise
    """A one-sentence description."""
    fields: tuple[str, ...]
    """The form fields specific to this kind."""
    make_format: Callable[[Mapping[str, Any]], AnyFormat]
    """Creates the format from the form's cleaned data."""
    paces: tuple[Pace, ...] = ("live", "days")
    is_for_two: bool = True
    """Whether its tables have two seats."""


KINDS: Mapping[str, Kind] = {
    "swiss": Kind(
        gettext_lazy("Swiss"),
        gettext_lazy("Each round pairs players with similar scores; nobody meets the same opponent twice."),
        ("rounds", "filler", "takes_late", "repeat"),
        lambda given: Swiss(rounds=given["rounds"]),
    ),
    "round robin": Kind(
        gettext_lazy("Round robin"),
        gettext_lazy("Everyone plays everyone else, once or twice."),
        ("legs", "filler", "repeat"),
        lambda given: RoundRobin(legs=given["legs"]),
    ),
    "groups": Kind(
        gettext_lazy("Groups and final"),
        gettext_lazy("A round robin in each group; the best of each group play the final."),
        ("groups", "promoted", "final", "filler", "repeat"),
        lambda given: RoundRobin(
            groups=given["groups"], promoted=given["promoted"], final=FINALS[given["final"]][1]
        ),
    ),
    "knock-out": Kind(
        gettext_lazy("Knock-out"),
        gettext_lazy("Players are out after one or two losses."),
        ("losses", "repeat"),
        lambda given: Elimination(losses=given["losses"]),
    ),
    "tables": Kind(
        gettext_lazy("Multiplayer"),
        gettext_lazy("Three to six players per game; everyone meets the others as evenly as possible."),
        ("seats", "rounds", "filler", "takes_late", "repeat"),
        lambda given: Tables(seats=given["seats"], rounds=given["rounds"]),
        is_for_two=False,
    ),
    "ladder": Kind(
        gettext_lazy("Ladder"),
        gettext_lazy(
            "A lasting ranking: beat a higher-ranked player to take their rank. It runs until you close it."
        ),
        ("reach",),
        lambda given: Ladder(reach=given["reach"]),
        paces=("days",),
    ),
}


def kinds_for(description: Description, pace: Pace) -> dict[str, Kind]:
    """The kinds that a game and pace allow, by name."""
    fewest, most = seats_of(description)
    return {
        name: kind
        for name, kind in KINDS.items()
        if pace in kind.paces and (fewest == 2 if kind.is_for_two else most > 2)
    }
