"""How strong a run's checkpoints are: matches against the levels, now and then, kept beside them."""

import contextlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from kakomi.bots import NUMBERS
from kakomi.core import Game
from kakomi.core.line_file import LineFile, whole_lines
from kakomi.farm import Farm
from kakomi.learn.plan import Plan
from kakomi.learn.self_play import NETWORK, PATTERNS
from kakomi.study import tournament

GAMES = 20
"""Of a match."""
EVERY = 20 * 60.0
"""Seconds between one match and the next."""
SECONDS = 0.1
"""Of processor time that a checkpoint has for an action."""
ENTRANTS = {NETWORK: "net", PATTERNS: "patterns"}
"""Who learns -> how a bot's name begins that goes by it."""
STRONGER, WEAKER = 0.65, 0.35
"""Scores from which on the next match is against the next level up, or down."""


@dataclass(frozen=True)
class Verdict:
    """What a match against a level came to."""

    network: str
    """The checkpoint: a network, or patterns;"""
    level: int
    games: int
    score: float
    """its score, from 0 to 1,"""
    low: float
    high: float
    """and its 95 % interval."""

    @property
    def next_level(self) -> int:
        """The level to play against next."""
        step = (self.score >= STRONGER) - (self.score <= WEAKER)
        return min(max(self.level + step, NUMBERS.start), NUMBERS.stop - 1)

    def __str__(self) -> str:
        elo, low, high = (
            f"{tournament.elo_of(score):+.0f}".replace("inf", "∞")
            for score in (self.score, self.low, self.high)
        )
        score = f"{100 * self.score:.0f} % of {self.games} games"
        return f"checkpoint {self.network} against level {self.level}: {score}, Elo {elo} ({low} to {high})"


class Judge:
    """Has checkpoints of a run play, at `SECONDS` an action, against the level that is about as strong."""

    def __init__(self, folder: Path, game: Game, plan: Plan) -> None:
        self._path, self._game = folder / "verdicts.jsonl", game
        self._kind, self._mix = ENTRANTS[plan.student], plan.how.mix
        self._next_at = time.monotonic() + EVERY
        self.verdicts = self._kept()
        """All so far, oldest first."""

    def is_due(self) -> bool:
        """Whether it is time for a match."""
        return time.monotonic() >= self._next_at

    def judge(self, checkpoint: Path, farm: Farm) -> Verdict:
        """Play a match, and keep what it came to."""
        level = self.verdicts[-1].next_level if self.verdicts else NUMBERS.start
        entrant = f"{self._kind}:{checkpoint},cpu={SECONDS},mix={self._mix:g}"
        pairings = tournament.schedule(self._game, [entrant, str(level)], GAMES)
        statistics = tournament.Statistics(pairings)
        with contextlib.closing(tournament.play_games(pairings, farm)) as games:
            for played in games:
                statistics.add(played)
        estimate = statistics.estimate(*tournament.entrant_names([entrant, str(level)]))
        assert estimate
        score, low, high = (round(value, 4) for value in (estimate.score, estimate.low, estimate.high))
        verdict = Verdict(checkpoint.stem, level, len(pairings), score, low, high)
        with LineFile(self._path) as file:
            file.add(json.dumps(asdict(verdict)).encode())
        self.verdicts.append(verdict)
        self._next_at = time.monotonic() + EVERY
        return verdict

    def _kept(self) -> list[Verdict]:
        """What was kept; a line that was cut off is left out."""
        found = []
        for line in whole_lines(self._path) if self._path.exists() else ():
            with contextlib.suppress(ValueError, TypeError):
                found.append(Verdict(**json.loads(line)))
        return found
