"""What is agreed of a tournament before it begins: what an organiser may choose, and what it comes to."""

from dataclasses import dataclass

import msgspec

from kakomi.contest.tournament import (
    AnyFormat,
    Ladder,
    RoundRobin,
    Swiss,
    Tables,
    check_format,
    read_format,
)
from kakomi.core.i18n import lazy_message
from kakomi.server.lobby.terms import SeekTerms, seats_of
from kakomi.server.tables.table_request import LEVELS, why_unrated
from kakomi.server.tournaments.models import LONGEST_DESCRIPTION, LONGEST_NAME, Tournament
from kakomi.session import Refused
from kakomi.session.time_control import DAY, Pace

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
