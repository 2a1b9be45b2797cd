"""What happened in a tournament, as a log, and the state that follows from it.

A log has one entry for each thing that happened, in order. Entries say what was decided and never what
follows from it, and are only ever added at the end: a wrong result is put right by a later entry. `write_log`
and `read_log` store logs as JSON; `replay` gives the participants, games and rounds of a log, or raises
LogError.
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
    """The entrants of a game in the order of their seats; the first one begins."""

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


class LogError(ValueError):
    """The log holds what can't have happened, such as a result of a game that nobody was paired for."""


class RoundNotReadyError(ValueError):
    """The next round can't be paired yet: games of the last one go on."""


MOST_SEATS = 6


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    places: tuple[int, ...]
    absent: frozenset[int] = frozenset()

    @property
    def was_played(self) -> bool:
        """Whether at least two met."""
        return len(self.places) - len(self.absent) >= 2


@dataclass
class Participant:
    """Somebody in a tournament."""

    name: str
    number: int
    """In the order of entry, from 0."""
    strength: float
    joined: int
    """So many rounds had been paired before they entered."""
    is_present: bool = True
    is_erased: bool = False
    first_missed: int | None = None
    """The number of the first round, from 1, that was paired while they were withdrawn."""
    left_at: int = -1
    """The number of the entry by which they last left."""


@dataclass
class Game:
    """A pairing and what has become of it."""

    round: int
    table: int
    seats: tuple[str, ...]
    stage: str
    result: Result | None = None
    """None while it goes on. Corrections change it."""
    decided: Result | None = None
    """What the result was when the next round was paired. It says who went on, and no correction changes it.
    """
    is_reported: bool = False
    """False while the result follows from who has left alone."""

    @property
    def is_open(self) -> bool:
        """Whether a result is still to come."""
        return self.result is None

    @property
    def advancing(self) -> Result | None:
        """The result by which it is decided who goes on."""
        return self.decided or self.result

    def came(self) -> list[str]:
        """Those who did not stay away, as far as is known."""
        if self.result is None or not self.result.absent:
            return list(self.seats)
        return [name for seat, name in enumerate(self.seats) if seat not in self.result.absent]

    def met(self) -> list[str]:
        """Those who play or played each other."""
        came = self.came()
        return came if len(came) > 1 else []


@dataclass
class PlayedRound:
    """A round with its games."""

    games: list[Game]
    byes: tuple[str, ...]


@dataclass
class Tournament:
    """All that a log says. Made by `replay`."""

    participants: dict[str, Participant] = field(default_factory=dict)
    rounds: list[PlayedRound] = field(default_factory=list)
    challenges: list[Challenged] = field(default_factory=list)
    """Those that haven't become games."""
    is_closed: bool = False
    _undecided: list[Game] = field(default_factory=list)
    _entries: int = 0

    @property
    def games(self) -> list[Game]:
        """All games, in the order in which they were paired."""
        return [game for played in self.rounds for game in played.games]

    @property
    def present(self) -> list[Participant]:
        """Those who are to be paired, in the order of entry."""
        return [each for each in self.participants.values() if each.is_present]

    @property
    def open_games(self) -> list[Game]:
        """Games without a result."""
        return [game for game in self._undecided if game.is_open]

    def add(self, entry: Entry) -> None:
        """One more entry. Raises LogError if it can't have happened."""
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
        """Somebody by name. Raises LogError for whoever didn't enter."""
        if name not in self.participants:
            raise LogError(f"{name!r} did not enter the tournament")
        return self.participants[name]

    def game(self, number: int, table: int) -> Game:
        """A game by its round and table, both from 1. Raises LogError if there is none."""
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
        """A game is over when fewer than two of its players are left."""
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
    """What is wrong with a result, in words."""
    if len(given) != seats or ranks([-place for place in given]) != given:
        return f"each of {seats} seats needs a place, such as 1, 1, 3, not {given}"
    if len(set(absent)) < len(absent) or not set(absent) <= set(range(seats)):
        return f"who was absent should be some of the seats 0 to {seats - 1}, each once"
    last_present = max((place for seat, place in enumerate(given) if seat not in absent), default=0)
    if any(given[seat] <= last_present for seat in absent):
        return "who was absent should come behind all who were there"
    return None


def replay(log: Log) -> Tournament:
    """The tournament that a log tells of. Raises LogError, which names the entry that can't have happened."""
    tournament = Tournament()
    for number, entry in enumerate(log, start=1):
        try:
            tournament.add(entry)
        except LogError as error:
            raise LogError(f"entry {number}: {error}") from None
    return tournament
