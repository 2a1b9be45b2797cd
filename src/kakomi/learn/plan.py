"""The plan of a learning run: its settings, which are stored with it."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import kakomi
from kakomi.core import Game
from kakomi.core.system import replacing
from kakomi.learn.self_play import NETWORK, NO_RIVALS, PATTERNS, SEARCH, RivalShares, SelfPlay
from kakomi.networks.evaluator import check_layout
from kakomi.networks.weights import read_network
from kakomi.search.pattern_table import own_patterns
from kakomi.search.search import PATTERN_MIX


class PlanError(Exception):
    """An invalid plan, or a folder that holds no run or a different one."""


@dataclass(frozen=True)
class LearningRate:
    """The learning rate's schedule."""

    highest: float = 2e-3
    """The highest rate."""
    warm_up: int = 200
    """The number of steps until it is reached."""
    half_life: int = 20_000
    """The number of steps in which it halves after that."""

    def at(self, step: int) -> float:
        """The rate of a step, counted from 0."""
        if step < self.warm_up:
            return self.highest * (step + 1) / self.warm_up
        lives = (step - self.warm_up) / self.half_life
        return self.highest * math.pow(0.5, lives)


CONTINUED_RATE = LearningRate(highest=7e-4, half_life=4_000)
"""The rate of a run that begins with a network: lower and decaying faster, to refine it."""


NOISE = 0.25
"""The share of noise at the root of searches by visits, as in AlphaZero (D. Silver and others, 2018)."""


@dataclass(frozen=True)
class Plan:
    """The settings of a run: the game, its boards, the student, the teacher, and the amounts."""

    game: str
    boards: tuple[Mapping[str, int], ...]
    """The options of the games to play, each equally often."""
    student: str = NETWORK
    """What learns: `network` or `patterns`."""
    seed: int = 1
    channels: int = 32
    """The channels of a network."""
    blocks: int = 3
    """The blocks of a network."""
    teacher: str = SEARCH
    """What plays the first games: `search`, or the `patterns` that come with the game."""
    teacher_games: int = 2_000
    """The number of games that the teacher plays."""
    origin: str = ""
    """The file of a network to begin with, instead of a teacher."""
    round_games: int = 384
    """The number of self-play games between one checkpoint and the next."""
    piece_games: int = 24
    """The number of games in one worker's assignment; the result must be small enough to send."""
    batch: int = 128
    """The number of rows in a training step."""
    passes: float = 4.0
    """How often each row is used for training, on average."""
    rate: LearningRate = LearningRate()
    """The learning rate."""
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
        """Write the plan to a file."""
        with replacing(path) as file:
            file.write(json.dumps(asdict(self), indent=2).encode() + b"\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a plan from a file. Raises PlanError if the file isn't a plan."""
        try:
            data: dict[str, Any] = json.loads(path.read_text())
            kept = data.pop("how")
            how = SelfPlay(**{**kept, "rivals": RivalShares(**kept.get("rivals", {}))})
            rate = LearningRate(**data.pop("rate", {}))
            return cls(**{**data, "boards": tuple(data["boards"]), "rate": rate, "how": how})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PlanError(f"{path} holds no plan of learning: {error}") from None


def teacher_of(game: Game) -> str:
    """The strongest teacher for a game: the patterns that come with it, if any, otherwise the search."""
    return PATTERNS if own_patterns(game) else SEARCH


def by_visits(plan: Plan, simulations: int) -> Plan:
    """The plan with self-play as in AlphaZero: equally many simulations for every turn, and root noise."""
    how = replace(plan.how, halving=0, thorough=simulations, thorough_share=1.0, first_part=1.0, noise=NOISE)
    return replace(plan, how=how)


LEVELS_PART = 1 / 3
"""The fraction of games against rivals that are against levels."""


def with_rivals(plan: Plan, share: float, *, levels: bool) -> Plan:
    """The plan with rivals in a fraction of its games: earlier checkpoints and, optionally, levels."""
    against_levels = share * LEVELS_PART if levels else 0.0
    rivals = RivalShares(past=share - against_levels, levels=against_levels)
    return replace(plan, how=replace(plan.how, rivals=rivals))


def continued(plan: Plan, origin: Path) -> Plan:
    """The plan for a run that begins with a network, without a teacher and with full searches from the start.

    Raises PlanError if the file holds no network, or one for another game.
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
    """The plan for a run that fits patterns, which are mixed with playouts and don't need lockstep."""
    how = SelfPlay(mix=PATTERN_MIX, lockstep=1, halving=0, rivals=NO_RIVALS)
    return Plan(game, boards, PATTERNS, seed=seed, piece_games=16, how=how)
