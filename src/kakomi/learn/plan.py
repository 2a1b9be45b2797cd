"""What a run of learning is to be: told once, and kept with it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import kakomi
from kakomi.core import Game
from kakomi.core.system import replacing
from kakomi.learn.evaluator import check_layout
from kakomi.learn.self_play import NETWORK, NO_RIVALS, PATTERNS, SEARCH, RivalShares, SelfPlay
from kakomi.learn.weights import read_network
from kakomi.search.pattern_table import own_patterns
from kakomi.search.search import PATTERN_MIX


class PlanError(Exception):
    """A folder that holds no run, or another one."""


@dataclass(frozen=True)
class LearningRate:
    """How far a step goes."""

    highest: float = 2e-3
    """At its highest;"""
    warm_up: int = 200
    """Steps until it is reached."""
    half_life: int = 20_000
    """Steps after which it has become half, from there on."""

    def at(self, step: int) -> float:
        """That of a step, from 0 on."""
        if step < self.warm_up:
            return self.highest * (step + 1) / self.warm_up
        lives = (step - self.warm_up) / self.half_life
        return self.highest * math.pow(0.5, lives)


CONTINUED_RATE = LearningRate(highest=7e-4, half_life=4_000)
"""That of a run that begins with a network: smaller steps, which wear off sooner, refine what it knows."""


NOISE = 0.25
"""The share of noise at the root of searches by visits, as AlphaZero has it (D. Silver and others, 2018)."""


@dataclass(frozen=True)
class Plan:
    """A run: of which game, on which boards, who learns, and how much of what."""

    game: str
    boards: tuple[Mapping[str, int], ...]
    """The options of the games that are played, as often each."""
    student: str = NETWORK
    """Who learns: `network`, or `patterns`;"""
    seed: int = 1
    channels: int = 32
    """Of a network,"""
    blocks: int = 3
    """and its depth."""
    teacher: str = SEARCH
    """Who plays the games to begin with: `search`, or `patterns`, those that come with the game."""
    teacher_games: int = 2_000
    """How many these are."""
    origin: str = ""
    """The file of a network that a run begins with, in the place of a teacher."""
    round_games: int = 384
    """Games of self-play between one checkpoint and the next."""
    piece_games: int = 24
    """Games that a worker plays in one go, whose result must be small enough to travel."""
    batch: int = 128
    """Rows in a step of training."""
    passes: float = 4.0
    """How often a row is learned from, on average."""
    rate: LearningRate = LearningRate()
    """How far a step of training goes."""
    how: SelfPlay = field(default_factory=SelfPlay)

    def __post_init__(self) -> None:
        if not self.boards:
            raise PlanError("a run needs a board at least")
        if self.student not in (NETWORK, PATTERNS):
            raise PlanError(f"{self.student!r} can't learn; {NETWORK} and {PATTERNS} can")
        if self.origin and self.student != NETWORK:
            raise PlanError(f"{self.student} can't begin with a network")
        if self.teacher not in (SEARCH, PATTERNS):
            raise PlanError(f"{self.teacher!r} can't teach; {SEARCH} and {PATTERNS} can")
        for name in ("channels", "blocks", "round_games", "piece_games", "batch"):
            if getattr(self, name) < 1:
                raise PlanError(f"{name} is {getattr(self, name)}; it must be 1 at least")

    def save(self, path: Path) -> None:
        """Keep it."""
        with replacing(path) as file:
            file.write(json.dumps(asdict(self), indent=2).encode() + b"\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """The plan that was kept. Raises PlanError for a file that is none."""
        try:
            data: dict[str, Any] = json.loads(path.read_text())
            kept = data.pop("how")
            how = SelfPlay(**{**kept, "rivals": RivalShares(**kept.get("rivals", {}))})
            rate = LearningRate(**data.pop("rate", {}))
            return cls(**{**data, "boards": tuple(data["boards"]), "rate": rate, "how": how})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PlanError(f"{path} holds no plan of learning: {error}") from None


def teacher_of(game: Game) -> str:
    """The strongest teacher that there is for a game: the patterns that come with it, else the search."""
    return PATTERNS if own_patterns(game) else SEARCH


def by_visits(plan: Plan, simulations: int) -> Plan:
    """The plan with self-play as AlphaZero has it: simulations of every turn, and noise at the root."""
    how = replace(plan.how, halving=0, thorough=simulations, thorough_share=1.0, first_part=1.0, noise=NOISE)
    return replace(plan, how=how)


LEVELS_PART = 1 / 3
"""Of the games against rivals, those against levels."""


def with_rivals(plan: Plan, share: float, *, levels: bool) -> Plan:
    """The plan with rivals in a part of its games, 0 to 1: earlier checkpoints and, if wished, levels."""
    against_levels = share * LEVELS_PART if levels else 0.0
    rivals = RivalShares(past=share - against_levels, levels=against_levels)
    return replace(plan, how=replace(plan.how, rivals=rivals))


def continued(plan: Plan, origin: Path) -> Plan:
    """A run that begins with a network, which plays for itself from its first game on, and at full length.

    Raises PlanError for a file that holds none, or one for another game.
    """
    try:
        network = read_network(str(origin))
        check_layout(network.layout, kakomi.game(plan.game, **plan.boards[0]), origin)
    except ValueError as error:
        raise PlanError(str(error)) from None
    how = replace(plan.how, first_part=1.0)
    plan = replace(plan, channels=network.channels, blocks=network.blocks, rate=CONTINUED_RATE)
    return replace(plan, origin=str(origin), teacher_games=0, how=how)


def pattern_plan(game: str, boards: tuple[Mapping[str, int], ...], seed: int = 1) -> Plan:
    """A run that fits patterns: they are mixed with playouts, and searches that they advise need not wait."""
    how = SelfPlay(mix=PATTERN_MIX, lockstep=1, halving=0, rivals=NO_RIVALS)
    return Plan(game, boards, PATTERNS, seed=seed, piece_games=16, how=how)
