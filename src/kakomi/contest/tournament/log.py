"""The log of a tournament, and the state that follows from it.

A log has one entry per event, in order. Entries record decisions, never their consequences, and are only
appended: a later entry corrects a wrong result. `write_log` and `read_log` store logs as JSON; `replay`
returns the participants, games and rounds of a log, or raises LogError.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from msgspec import Struct

from kakomi.contest.places import places, ranks


class Pairing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The entrants of a game in the order of their seats; the first one starts."""

    seats: tuple[str, ...]
    stage: str = ""
    """The part of the tournament that it belongs to, such as `group 2` or `losers 3`; empty without parts."""


class Round(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="round"):
    """Pairings made at the same time, and byes. Tables are numbered from 1 in the order of the pairings.
    Rounds are numbered from 1 in the order of the log."""

    pairings: tuple[Pairing, ...] = ()
    byes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there are neither pairings nor byes."""
        return not self.pairings and not self.byes


class Entered(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="entered"):
    """Somebody enters, before the first round or later."""

    entrant: str
    """The identifier of the entrant; not a person's name."""
    strength: float = 0.0
    """A strength, such as a rating; higher is stronger, and lots decide between equals."""


class Withdrew(Struct, frozen=True, forbid_unknown_fields=True, tag="withdrew"):
    """Somebody isn't paired any more until they return. A game with fewer than two players left is over."""

    entrant: str


class Returned(Struct, frozen=True, forbid_unknown_fields=True, tag="returned"):
    """Somebody who withdrew is paired again."""

    entrant: str


class Erased(Struct, frozen=True, forbid_unknown_fields=True, tag="erased"):
    """An account was deleted: its owner withdraws permanently. Results stay, as they concern others too."""

    entrant: str


class Reported(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="reported"):
    """The result of a game: the place of each seat, from 1; equals share one and skip the next: 1, 1, 3."""

    round: int
    table: int
    places: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The seats, from 0, whose entrants didn't appear. They come last and get no points."""


class Corrected(Reported, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="corrected"):
    """The director corrects the result of a game. Standings change; existing pairings don't."""


class Challenged(Struct, frozen=True, forbid_unknown_fields=True, tag="challenged"):
    """On a ladder, somebody challenges others who are above them."""

    entrant: str
    opponents: tuple[str, ...]


class Closed(Struct, frozen=True, forbid_unknown_fields=True, tag="closed"):
    """The director ends the tournament: there are no more rounds, but results can still be added."""


Entry: TypeAlias = Entered | Withdrew | Returned | Erased | Round | Reported | Corrected | Challenged | Closed
Log: TypeAlias = Sequence[Entry]


def write_log(log: Log) -> bytes:
    """Write a log as JSON."""
    return msgspec.json.encode(log)


def read_log(data: bytes | str) -> list[Entry]:
    """Read a log from JSON. Raises `msgspec.ValidationError` if malformed; `replay` checks the content."""
    return msgspec.json.decode(data, type=list[Entry])


class LogError(ValueError):
    """The log contains an impossible event, such as the result of a game that wasn't paired."""


class RoundNotReadyError(ValueError):
    """The next round can't be paired yet, because games are still open."""


MOST_SEATS = 6


@dataclass(frozen=True)
class Result:
    """The result of a game."""

    places: tuple[int, ...]
    absent: frozenset[int] = frozenset()


@dataclass
class Participant:
    """An entrant's state in a tournament."""

    name: str
    number: int
    """The number in the order of entry, from 0."""
    strength: float
    joined: int
    """The number of rounds that had been paired when they entered."""
    is_present: bool = True
    is_erased: bool = False
    first_missed: int | None = None
    """The number, from 1, of the first round paired while they were withdrawn."""
    left_at: int = -1
    """The number of the entry, from 0, by which they last left."""


@dataclass
class Game:
    """A pairing and its result."""

    round: int
    table: int
    seats: tuple[str, ...]
    stage: str
    result: Result | None = None
    """None while the game is open. Corrections change it."""
    decided: Result | None = None
    """The result when the next round was paired. It decides who advances; corrections don't change it."""
    is_reported: bool = False
    """False while the result only follows from withdrawals."""

    @property
    def is_open(self) -> bool:
        """Whether there is no result yet."""
        return self.result is None

    @property
    def advancing(self) -> Result | None:
        """The result that decides who advances."""
        return self.decided or self.result

    def came(self) -> list[str]:
        """Return the entrants not known to be absent."""
        if self.result is None or not self.result.absent:
            return list(self.seats)
        return [name for seat, name in enumerate(self.seats) if seat not in self.result.absent]

    def met(self) -> list[str]:
        """Return the entrants who play or played each other."""
        came = self.came()
        return came if len(came) > 1 else []


@dataclass
class PlayedRound:
    """A round with its games."""

    games: list[Game]
    byes: tuple[str, ...]


@dataclass
class Tournament:
    """The state of a tournament. Made by `replay`."""

    participants: dict[str, Participant] = field(default_factory=dict)
    rounds: list[PlayedRound] = field(default_factory=list)
    challenges: list[Challenged] = field(default_factory=list)
    """The challenges that haven't become games yet."""
    is_closed: bool = False
    _undecided: list[Game] = field(default_factory=list)
    _entries: int = 0

    @property
    def games(self) -> list[Game]:
        """All games, in the order in which they were paired."""
        return [game for played in self.rounds for game in played.games]

    @property
    def present(self) -> list[Participant]:
        """The participants who can be paired, in the order of entry."""
        return [each for each in self.participants.values() if each.is_present]

    @property
    def open_games(self) -> list[Game]:
        """The games without a result."""
        return [game for game in self._undecided if game.is_open]

    def add(self, entry: Entry) -> None:
        """Apply one more entry. Raises LogError if it is impossible."""
        match entry:
            case Entered():
                self._enter(entry)
            case Withdrew() | Erased():
                self._leave(entry)
            case Returned():
                self._return(entry)
            case Round():
                self._pair(entry)
            case Corrected():
                self._correct(entry)
            case Reported():
                self._report(entry)
            case Challenged():
                self._challenge(entry)
            case Closed():
                self.is_closed = True
        self._entries += 1

    def participant(self, name: str) -> Participant:
        """Return a participant by name. Raises LogError if they didn't enter."""
        if name not in self.participants:
            raise LogError(f"{name!r} did not enter the tournament")
        return self.participants[name]

    def game(self, number: int, table: int) -> Game:
        """Return a game by round and table, both from 1. Raises LogError if there is none."""
        if not 1 <= number <= len(self.rounds) or not 1 <= table <= len(self.rounds[number - 1].games):
            raise LogError(f"there is no table {table} in a round {number}")
        return self.rounds[number - 1].games[table - 1]

    def _enter(self, entry: Entered) -> None:
        if entry.entrant in self.participants:
            raise LogError(f"{entry.entrant!r} entered twice; who withdrew returns instead")
        if not math.isfinite(entry.strength):
            raise LogError(f"the strength of {entry.entrant!r} should be a number")
        number = len(self.participants)
        self.participants[entry.entrant] = Participant(
            entry.entrant, number, entry.strength, len(self.rounds)
        )

    def _leave(self, entry: Withdrew | Erased) -> None:
        who = self.participant(entry.entrant)
        if who.is_erased or (isinstance(entry, Withdrew) and not who.is_present):
            raise LogError(f"{entry.entrant!r} has left already")
        who.is_erased = isinstance(entry, Erased)
        if who.is_present:
            who.is_present, who.left_at = False, self._entries
        self.challenges = [
            each for each in self.challenges if entry.entrant not in (each.entrant, *each.opponents)
        ]
        for game in self._undecided:
            if entry.entrant in game.seats:
                self._end_if_left(game)

    def _end_if_left(self, game: Game) -> None:
        """End a game if fewer than two of its players are left."""
        left = [seat for seat, name in enumerate(game.seats) if not self.participants[name].is_present]
        if game.is_open and len(game.seats) - len(left) < 2:
            left.sort(key=lambda seat: self.participants[game.seats[seat]].left_at)
            game.result = Result(places([0] * len(game.seats), left), frozenset(left))

    def _return(self, entry: Returned) -> None:
        who = self.participant(entry.entrant)
        if who.is_present or who.is_erased:
            raise LogError(f"{entry.entrant!r} can't return: {'erased' if who.is_erased else 'never left'}")
        who.is_present = True

    def _pair(self, entry: Round) -> None:
        busy = {name for game in self.open_games for name in game.seats}
        names = [name for pairing in entry.pairings for name in pairing.seats] + list(entry.byes)
        if self.is_closed:
            raise LogError("the tournament is closed, and has no more rounds")
        for name in names:
            if not self.participant(name).is_present:
                raise LogError(f"{name!r} has withdrawn and can't be paired")
            if name in busy:
                raise LogError(f"{name!r} would play twice at a time")
            busy.add(name)
        if any(not 2 <= len(pairing.seats) <= MOST_SEATS for pairing in entry.pairings):
            raise LogError(f"a game is for 2 to {MOST_SEATS}")
        number = len(self.rounds) + 1
        for who in self.participants.values():
            if not who.is_present and who.first_missed is None:
                who.first_missed = number
        for game in self._undecided:
            game.decided = game.result
        games = [
            Game(number, table, pairing.seats, pairing.stage)
            for table, pairing in enumerate(entry.pairings, start=1)
        ]
        self.rounds.append(PlayedRound(games, entry.byes))
        self._undecided = [game for game in self._undecided if game.is_open] + games
        paired = {frozenset(game.seats) for game in games}
        self.challenges = [
            each for each in self.challenges if frozenset((each.entrant, *each.opponents)) not in paired
        ]

    def _report(self, entry: Reported) -> None:
        game = self.game(entry.round, entry.table)
        if game.is_reported:
            raise LogError(
                f"table {entry.table} of round {entry.round} has a result; a correction would change it"
            )
        game.result = _checked_result(entry, game)
        game.is_reported = True

    def _correct(self, entry: Corrected) -> None:
        game = self.game(entry.round, entry.table)
        if game.is_open:
            raise LogError(f"table {entry.table} of round {entry.round} has no result yet to correct")
        game.result = _checked_result(entry, game)
        game.is_reported = True

    def _challenge(self, entry: Challenged) -> None:
        names = (entry.entrant, *entry.opponents)
        for name in names:
            if not self.participant(name).is_present:
                raise LogError(f"{name!r} has withdrawn and can't be challenged or challenge")
        if len(set(names)) != len(names) or not 2 <= len(names) <= MOST_SEATS:
            raise LogError(f"a challenge is of 1 to {MOST_SEATS - 1} others, each once")
        self.challenges.append(entry)


def _checked_result(entry: Reported, game: Game) -> Result:
    if fault := _fault(entry.places, entry.absent, len(game.seats)):
        raise LogError(f"table {entry.table} of round {entry.round}: {fault}")
    return Result(entry.places, frozenset(entry.absent))


@functools.lru_cache(4096)
def _fault(given: tuple[int, ...], absent: tuple[int, ...], seats: int) -> str | None:
    """Return what is wrong with a result, in words; None if it is valid."""
    if len(given) != seats or ranks([-place for place in given]) != given:
        return f"each of {seats} seats needs a place, such as 1, 1, 3, not {given}"
    if len(set(absent)) < len(absent) or not set(absent) <= set(range(seats)):
        return f"who was absent should be some of the seats 0 to {seats - 1}, each once"
    last_present = max((place for seat, place in enumerate(given) if seat not in absent), default=0)
    if any(given[seat] <= last_present for seat in absent):
        return "who was absent should come behind all who were there"
    return None


def replay(log: Log) -> Tournament:
    """Return the state after a log. Raises LogError with the number of the impossible entry."""
    tournament = Tournament()
    for number, entry in enumerate(log, start=1):
        try:
            tournament.add(entry)
        except LogError as error:
            raise LogError(f"entry {number}: {error}") from None
    return tournament
