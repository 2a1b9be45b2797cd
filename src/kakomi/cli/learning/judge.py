"""How strong a run's checkpoints are: matches against the levels, now and then, kept beside them."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kakomi.core import Game
from kakomi.core.level_config import LEVELS, LevelConfig
from kakomi.core.line_file import add_row, rows_in
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
"""Where levels have no Elo points: the scores from which the next match is one level up, or down."""


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

    def above(self, share: float) -> float:
        """The Elo points above the level that a score comes to, as far as so many games can tell."""
        least = 0.5 / self.games
        return tournament.elo_of(min(1 - least, max(least, share)))

    def __str__(self) -> str:
        elo, low, high = (
            f"{tournament.elo_of(score):+.0f}".replace("inf", "∞")
            for score in (self.score, self.low, self.high)
        )
        score = f"{100 * self.score:.0f} % of {self.games} games"
        return f"checkpoint {self.network} against level {self.level}: {score}, Elo {elo} ({low} to {high})"


def next_level(verdict: Verdict, levels: Sequence[LevelConfig]) -> int:
    """The level to play against next: the one that is about as strong, by a match."""
    known = {number: level.elo for number, level in enumerate(levels, 1) if level.elo is not None}
    if verdict.level in known:
        reached = known[verdict.level] + verdict.above(verdict.score)
        return min(known, key=lambda number: abs(known[number] - reached))
    step = (verdict.score >= STRONGER) - (verdict.score <= WEAKER)
    return min(max(verdict.level + step, 1), len(levels))


class Judge:
    """Has checkpoints of a run play, at `SECONDS` an action, against the level that is about as strong."""

    def __init__(self, folder: Path, game: Game, plan: Plan) -> None:
        self._path, self._game = folder / "verdicts.jsonl", game
        self._kind, self._mix = ENTRANTS[plan.student], plan.how.mix
        self.first_level = LEVELS if plan.origin else 1
        """That of the first match: who begins with a network is no beginner."""
        self._next_at = time.monotonic() + EVERY
        self.verdicts = rows_in(self._path, Verdict)
        """All so far, oldest first."""

    def is_due(self) -> bool:
        """Whether it is time for a match."""
        return time.monotonic() >= self._next_at

    def judge(self, checkpoint: Path, farm: Farm) -> Verdict:
        """Play a match; `keep` keeps its result."""
        level = self.first_level
        if self.verdicts:
            level = next_level(self.verdicts[-1], self._game.description.levels)
        entrant = f"{self._kind}:{checkpoint},cpu={SECONDS},mix={self._mix:g}"
        pairings = tournament.schedule(self._game, [entrant, str(level)], GAMES)
        statistics = tournament.Statistics(pairings)
        with contextlib.closing(tournament.play_games(pairings, farm)) as games:
            for played in games:
                statistics.add(played)
        estimate = statistics.estimate(*tournament.entrant_names([entrant, str(level)]))
        assert estimate
        score, low, high = (round(value, 4) for value in (estimate.score, estimate.low, estimate.high))
        self._next_at = time.monotonic() + EVERY
        return Verdict(checkpoint.stem, level, len(pairings), score, low, high)

    def keep(self, verdict: Verdict) -> None:
        """Add the result of a match to those so far."""
        self.verdicts.append(verdict)
        add_row(self._path, verdict)
