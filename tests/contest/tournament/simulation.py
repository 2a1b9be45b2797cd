"""Random tournaments: people enter late, leave, return and are erased; results are corrected."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from kakomi.contest.tournament import (
    AnyFormat,
    Challenged,
    Corrected,
    Elimination,
    Entered,
    Entry,
    Erased,
    Ladder,
    Reported,
    Returned,
    Round,
    RoundRobin,
    Swiss,
    Tables,
    Tournament,
    Withdrew,
    next_round,
    why_not_challenge,
)
from kakomi.contest.tournament.log import Game

FORMATS = ("swiss", "tables", "round robin", "elimination", "ladder")
FIELDS = (0, 1, 2, 2, 3, 3, *range(4, 11), *range(4, 11), 12, 16, 24)
"""The possible numbers of people at the start."""
MOST_ROUNDS = 60
MOST_LADDER_ROUNDS = 15
"""The most rounds of a ladder, which otherwise never ends."""

Witness = Callable[[list[Entry], AnyFormat, int, Round], None]
"""Called for each round before it is played, with the log before it, the format, the seed and the round."""


@dataclass
class Simulation:
    """A simulated tournament."""

    config: AnyFormat
    seed: int
    draw: Random
    trouble: float
    """The probability of unusual events, between 0 and 1."""
    log: list[Entry] = field(default_factory=list)
    state: Tournament = field(default_factory=Tournament)
    """The state after the log."""

    def play(self, witness: Witness) -> None:
        """Play to the end, or up to the maximum number of rounds."""
        is_ladder = isinstance(self.config, Ladder)
        for _ in range(MOST_LADDER_ROUNDS if is_ladder else MOST_ROUNDS):
            paired = next_round(self.log, self.config, self.seed)
            if paired is not None:
                witness(self.log, self.config, self.seed, paired)
                self.add(paired)
            elif not is_ladder:
                return
            self._go_on()

    def add(self, entry: Entry) -> None:
        """Add an entry to the log and the state."""
        self.state.add(entry)
        self.log.append(entry)

    def enter(self) -> None:
        """Enter another person."""
        name = f"p{len(self.state.participants)}"
        self.add(Entered(name, float(self.draw.choice((0, 0, 1, 2, 3)))))

    def _go_on(self) -> None:
        """Simulate the events until the next round."""
        games = list(self.state.open_games)
        self.draw.shuffle(games)
        if isinstance(self.config, Ladder):
            games = games[: int(self.draw.random() * (len(games) + 1)) + 1]
        for game in games:
            if self.draw.random() < self.trouble:
                self._something_unusual()
            self._report(game)
        if self.draw.random() < 3 * self.trouble:
            self._something_unusual()
        if isinstance(self.config, Ladder):
            self._challenge()

    def _report(self, game: Game) -> None:
        if game.is_open:
            self.add(Reported(game.round, game.table, *self._result(len(game.seats))))

    def _result(self, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Random places, with draws, and the seats of absent players."""
        worth = [self.draw.randrange(3 * seats) for _ in range(seats)]
        absent = [seat for seat in range(seats) if self.draw.random() < self.trouble / 4]
        for seat in absent:
            worth[seat] = -1
        return tuple(1 + sum(other > own for other in worth) for own in worth), tuple(absent)

    def _something_unusual(self) -> None:
        state = self.state
        present = [who.name for who in state.present]
        away = [w.name for w in state.participants.values() if not w.is_present and not w.is_erased]
        ended = [game for game in state.games if not game.is_open]
        kind = self.draw.choice(("enter", "withdraw", "withdraw", "withdraw", "return", "correct", "erase"))
        if kind == "enter" and len(state.participants) < 60:
            self.enter()
        elif kind == "withdraw" and present:
            self.add(Withdrew(self.draw.choice(present)))
        elif kind == "return" and away:
            self.add(Returned(self.draw.choice(away)))
        elif kind == "erase" and present:
            self.add(Erased(self.draw.choice(present + away)))
        elif kind == "correct" and ended:
            game = self.draw.choice(ended)
            self.add(Corrected(game.round, game.table, *self._result(len(game.seats))))

    def _challenge(self) -> None:
        """Make some random challenges that the rules allow."""
        assert isinstance(self.config, Ladder)
        for _ in range(4):
            names = [who.name for who in self.state.present]
            if len(names) < 2:
                return
            entrant, *others = self.draw.sample(names, min(len(names), self.draw.choice((2, 2, 2, 3))))
            opponents = tuple(others)
            if why_not_challenge(self.state, self.config, self.seed, entrant, opponents) is None:
                self.add(Challenged(entrant, opponents))


def random_tournament(number: int) -> Simulation:
    """The tournament with a number, which determines its format, field and events."""
    draw = Random(number)
    kind = FORMATS[number % len(FORMATS)]
    trouble = draw.choice((0.0, 0.02, 0.1, 0.3))
    simulation = Simulation(_format(kind, draw), number, draw, trouble)
    for _ in range(draw.choice(FIELDS)):
        simulation.enter()
    return simulation


def _format(kind: str, draw: Random) -> AnyFormat:
    match kind:
        case "swiss":
            return Swiss(rounds=draw.randint(1, 9))
        case "tables":
            return Tables(seats=draw.randint(3, 6), rounds=4)
        case "round robin":
            final = draw.choice((None, Elimination(), RoundRobin()))
            promoted = draw.randint(1, 3) if final else 0
            return RoundRobin(
                groups=draw.randint(1, 4), legs=draw.choice((1, 1, 1, 2)), promoted=promoted, final=final
            )
        case "elimination":
            return Elimination(losses=draw.choice((1, 2)), replays=draw.randint(0, 2))
    return Ladder(reach=draw.randint(1, 5), rest=draw.randint(0, 3))
