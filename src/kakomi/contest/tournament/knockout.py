"""Knock-outs: a tree of matches, recomputed from all games so far.

The founders are placed in a bracket of a power of two slots, seeded so that the best meet last; empty slots
are byes for the best. With two losses, losers move to a second bracket, whose winner meets the winner of the
first one in the final; if the latter loses there, for the first time, they play once more.

The first game of a match that isn't drawn decides it, with results as they were when the next round was
paired. Participants who are withdrawn when a round is paired can't return to the bracket. The next round has
a game for every match that is ready.
"""

import math
from dataclasses import dataclass, field

from kakomi.contest.tournament.config import Elimination
from kakomi.contest.tournament.log import Game, Pairing, Round, Tournament
from kakomi.contest.tournament.seating import History, seat_order
from kakomi.contest.tournament.seeded_random import lot

Slot = str | None
"""The entrant in a slot of the bracket; None if it is empty."""


@dataclass(frozen=True)
class Match:
    """A match that is ready for a game."""

    stage: str
    players: tuple[str, str]
    """The higher seed first."""
    games: int
    """The number of games so far, all drawn."""


@dataclass(frozen=True)
class Tie:
    """A match of the tree, whether or not it is ready."""

    stage: str
    sides: "tuple[Place, Place]"
    """`None` gives the other side a bye; `UNKNOWN` waits for an earlier match."""
    winner: str | None
    """None while the match isn't decided."""
    games: list[Game]


@dataclass
class Bracket:
    """The state of a knock-out. Made by `walk`."""

    seeds: list[str]
    ties: list[Tie] = field(default_factory=list)
    """All matches, in playing order, and within a stage from the top of the tree."""
    ready: list[Match] = field(default_factory=list)
    """The matches that are ready for a game."""
    waiting: set[str] = field(default_factory=set)
    """The remaining entrants without a match now."""
    out_at: dict[str, int] = field(default_factory=dict)
    """Entrant -> the step at which they were eliminated; later is better, and several may share a step."""
    out_in: dict[str, str] = field(default_factory=dict)
    """Entrant -> the stage in which they were eliminated."""
    champion: str | None = None


class _Unknown:
    """The unknown winner or loser of an undecided match."""


UNKNOWN = _Unknown()
Place = Slot | _Unknown


def seeding(tournament: Tournament, seed: int) -> list[str]:
    """Return the founders, the strongest first, equals by lot. Later entrants aren't in the bracket."""
    founders = [who for who in tournament.participants.values() if who.joined == 0]
    founders.sort(key=lambda who: (-who.strength, lot(seed, "rank", who.name), who.name))
    return [who.name for who in founders]


def slots(count: int) -> list[int]:
    """Return the seeds, from 0, in the order of bracket slots: the top two can only meet at the end."""
    order = [0]
    while len(order) < count:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


def walk(tournament: Tournament, config: Elimination, seed: int) -> Bracket:
    """Return the bracket after all games so far."""
    return _Walk(tournament, config, seed).bracket


class _Walk:
    def __init__(self, tournament: Tournament, config: Elimination, seed: int) -> None:
        self.tournament, self.config = tournament, config
        self.bracket = Bracket(seeding(tournament, seed))
        self.step = 0
        self._games: dict[tuple[str, frozenset[str]], list[Game]] = {}
        for game in tournament.games:
            self._games.setdefault((game.stage, frozenset(game.seats)), []).append(game)
        self._rank = {name: rank for rank, name in enumerate(self.bracket.seeds)}
        self._all_rounds()
        gone = set(self.bracket.out_at) | {name for match in self.bracket.ready for name in match.players}
        self.bracket.waiting = {name for name in self.bracket.seeds if name not in gone}
        self.bracket.waiting -= {self.bracket.champion} if self.bracket.champion else set()

    def _all_rounds(self) -> None:
        order = slots(max(len(self.bracket.seeds), 1))
        upper: list[Place] = [self.bracket.seeds[s] if s < len(self.bracket.seeds) else None for s in order]
        lower: list[Place] = []
        number = 0
        while len(upper) > 1:
            number += 1
            upper, losers = self._round(upper, f"winners {number}", falls=self.config.losses == 2)
            if self.config.losses == 2:
                lower = self._lower(lower, losers, number)
        if self.config.losses == 2 and lower:
            self._final(upper[0], lower[0])
        elif isinstance(upper[0], str):
            self.bracket.champion = upper[0]

    def _lower(self, lower: list[Place], losers: list[Place], number: int) -> list[Place]:
        """Play the second bracket's rounds after a round of the first, whose losers join it."""
        if number == 1:
            return self._round(losers, "losers 1")[0] if len(losers) > 1 else losers
        losers = losers[::-1] if number % 2 == 0 else losers[len(losers) // 2 :] + losers[: len(losers) // 2]
        met = [place for pair in zip(lower, losers, strict=True) for place in pair]
        lower = self._round(met, f"losers {2 * number - 2}")[0]
        return self._round(lower, f"losers {2 * number - 1}")[0] if len(lower) > 1 else lower

    def _final(self, upper: Place, lower: Place) -> None:
        [winner], [loser] = self._round([upper, lower], "final", falls=True)
        if isinstance(winner, _Unknown):
            return
        if winner is not None and winner == lower and isinstance(loser, str):
            [winner], [loser] = self._round([upper, lower], "final again", falls=True)
        if isinstance(winner, str):
            self.bracket.champion = winner
        if isinstance(loser, str):
            self._out(loser, "final")

    def _round(
        self, places: list[Place], stage: str, *, falls: bool = False
    ) -> tuple[list[Place], list[Place]]:
        """Return winners and losers of a round. Losers are out unless they fall to the second bracket."""
        self.step += 1
        winners: list[Place] = []
        losers: list[Place] = []
        for one, other in zip(places[::2], places[1::2], strict=True):
            winner, loser = self._match(one, other, stage)
            winners.append(winner)
            losers.append(loser)
            games = (
                self._next_games(one, other, stage) if isinstance(one, str) and isinstance(other, str) else []
            )
            self.bracket.ties.append(
                Tie(stage, (one, other), winner if isinstance(winner, str) else None, games)
            )
            if isinstance(loser, str) and not falls:
                self._out(loser, stage)
        return winners, losers

    def _out(self, name: str, stage: str) -> None:
        self.bracket.out_at.setdefault(name, self.step)
        self.bracket.out_in.setdefault(name, stage)

    def _match(self, one: Place, other: Place, stage: str) -> tuple[Place, Place]:
        """Return the winner and the loser of a match."""
        if isinstance(one, _Unknown) or isinstance(other, _Unknown):
            return UNKNOWN, UNKNOWN
        if one is None or other is None:
            return (other if one is None else one), None
        players = (one, other) if self._rank[one] < self._rank[other] else (other, one)
        played = 0
        for game in self._next_games(one, other, stage):
            if (result := game.advancing) is None:
                return UNKNOWN, UNKNOWN
            place = dict(zip(game.seats, result.places, strict=True))
            absent = {game.seats[seat] for seat in result.absent}
            if len(absent) < 2 and place[one] != place[other]:
                return (one, other) if place[one] < place[other] else (other, one)
            played += 1
            if len(absent) == 2 or played > self.config.replays:
                return players
        left = [self._left_in(name) for name in players]
        if min(left) < math.inf:
            return players if left[0] >= left[1] else players[::-1]
        self.bracket.ready.append(Match(stage, players, played))
        return UNKNOWN, UNKNOWN

    def _next_games(self, one: str, other: str, stage: str) -> list[Game]:
        """Return the games of a match, in order; stage and players identify it."""
        return self._games.get((stage, frozenset((one, other))), [])

    def _left_in(self, name: str) -> float:
        """Return the first round that somebody missed, infinite if present: the later leaver advances."""
        who = self.tournament.participants[name]
        if who.first_missed is not None:
            return who.first_missed
        return math.inf if who.is_present else len(self.tournament.rounds) + 1


def next_elimination_round(tournament: Tournament, config: Elimination, seed: int) -> Round | None:
    """Return the next round, in which remaining entrants without a match have a bye; None if no match is
    ready."""
    bracket = walk(tournament, config, seed)
    if not bracket.ready:
        return None
    past, number = History(tournament).seats, len(tournament.rounds) + 1
    pairings = [
        Pairing(seat_order(match.players, past, lot(seed, number)), match.stage) for match in bracket.ready
    ]
    waiting = [
        name for name in bracket.seeds if name in bracket.waiting and tournament.participants[name].is_present
    ]
    return Round(tuple(pairings), tuple(waiting))


def progress(tournament: Tournament, config: Elimination, seed: int) -> dict[str, int]:
    """Return how far each entrant got: the step of their elimination, more for remaining ones, most for the
    champion, and 0 for late entrants, who aren't in the bracket."""
    bracket = walk(tournament, config, seed)
    beyond = max(bracket.out_at.values(), default=0) + 1
    found = dict.fromkeys(tournament.participants, 0)
    for name in bracket.seeds:
        found[name] = bracket.out_at.get(name, beyond + (name == bracket.champion))
    return found
