"""The students of a run: a network, or patterns. Both write files that advise bots."""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from kakomi.core import Game
from kakomi.core.line_file import rows_in
from kakomi.extras import needs_extra
from kakomi.learn.batches import Window, window_of
from kakomi.learn.distillation import Fit, distil
from kakomi.learn.export import export
from kakomi.learn.games import TrainingGame
from kakomi.learn.learner import Learner
from kakomi.learn.network import Network, NetworkSize
from kakomi.learn.plan import Plan
from kakomi.learn.round_log import Round
from kakomi.learn.self_play import PATTERNS
from kakomi.networks.layout import network_layout
from kakomi.networks.weights import read_network, save_network

with needs_extra("learn"):
    import torch

SAVED_EVERY = 60.0
"""Seconds between saves: the most training that a killed process loses."""
PATTERN_GAMES = 2_000
"""Patterns are fitted to this many of the latest games, or to half of all if that is more."""


class Student(Protocol):
    """Learns from the games of a run."""

    @property
    def suffix(self) -> str:
        """The suffix of its checkpoint files."""

    @property
    def steps(self) -> int:
        """The number of training steps over all rounds; 0 if it starts afresh in each round."""

    @property
    def losses(self) -> Mapping[str, float]:
        """The recent mean loss of each head."""

    notice: str
    """A sentence on what it resumed from, if its saved state was damaged; otherwise empty."""

    def learn(self, games: Sequence[TrainingGame], rows: int) -> Iterator[float]:
        """Learn from all games so far, which have `rows` rows; yields the fraction done.

        Raises ValueError, without overwriting anything, if a loss isn't finite.
        """

    def keep(self, path: Path) -> None:
        """Write a checkpoint. The file at `path` itself is written last, which marks it as complete."""

    def save(self) -> None:
        """Save the state for resuming the run."""


def student_of(plan: Plan, folder: Path, game: Game) -> Student:
    """The student of a plan, with its state in a folder; `game` is the plan's game on its first board."""
    if plan.student == PATTERNS:
        return PatternStudent(plan.seed)
    return NetworkStudent(plan, folder / "learner.pt", game)


class NetworkStudent:
    """A network, trained on the latest games until every row was used as often as planned."""

    suffix = ".npz"

    def __init__(self, plan: Plan, kept: Path, game: Game) -> None:
        self._plan, self._kept = plan, kept
        torch.manual_seed(plan.seed)
        self._learner = Learner(_first_network(plan, game, is_new=not kept.exists()), plan.rate)
        self.losses: dict[str, float] = {}
        self.notice = ""
        if kept.exists():
            try:
                self._learner.load(kept)
            except ValueError as error:
                self._fall_back(game, error)

    @property
    def steps(self) -> int:
        """The number of training steps over all rounds."""
        return self._learner.steps

    def _fall_back(self, game: Game, error: ValueError) -> None:
        """Resume from the last checkpoint, or start afresh without one; keep the damaged file."""
        plan, kept = self._plan, self._kept
        aside = kept.replace(kept.with_name(f"{kept.name}.damaged"))
        ended = {each.checkpoint: each.steps for each in rows_in(kept.with_name("rounds.jsonl"), Round)}
        for path in sorted(kept.parent.glob(f"checkpoints/[0-9]*{self.suffix}"), reverse=True):
            if path.stem in ended:
                with contextlib.suppress(ValueError):  # damaged too
                    self._learner = Learner(Network.of_numbers(read_network(str(path))), plan.rate)
                    self._learner.steps = ended[path.stem]
                    instead = f"learning goes on from {path}"
                    break
        else:
            self._learner = Learner(_first_network(plan, game, is_new=True), plan.rate)
            instead = "learning begins anew with the games that there are"
        self.notice = f"{error}, and was renamed to {aside.name}; {instead}"

    def learn(self, games: Sequence[TrainingGame], rows: int) -> Iterator[float]:
        """Take the missing training steps, using all games as long as a teacher plays them."""
        plan = self._plan
        wanted, first = int(rows * plan.passes / plan.batch), self.steps
        if first >= wanted:
            return
        is_taught = games[-1].player == plan.teacher
        window = Window.of(reversed(games), rows if is_taught else window_of(rows))
        saved = time.monotonic()
        while self.steps < wanted:
            rng = np.random.default_rng([plan.seed, self.steps])
            self._note(self._learner.learn(window.batch(plan.batch, rng)))
            if time.monotonic() - saved > SAVED_EVERY:
                self.save()
                saved = time.monotonic()
            yield (self.steps - first) / (wanted - first)

    def _note(self, losses: Mapping[str, float]) -> None:
        for name, loss in losses.items():
            self.losses[name] = loss + 0.98 * (self.losses.get(name, loss) - loss)

    def keep(self, path: Path) -> None:
        """Write the averaged network: its numbers for play, and files for ONNX and PyTorch beside them."""
        self.save()
        averaged, beside = self._learner.averaged, path.with_suffix(".part")
        averaged.save(path.with_suffix(".pt"))
        export(averaged, beside)
        beside.replace(path.with_suffix(".onnx"))
        save_network(path, averaged.layout, averaged.numbers(), self._plan.boards)

    def save(self) -> None:
        """Save the learner."""
        self._learner.save(self._kept)


def _first_network(plan: Plan, game: Game, *, is_new: bool) -> Network:
    """The network to train in a new run, or to load the saved weights into."""
    if is_new and plan.origin:
        return Network.of_numbers(read_network(plan.origin))
    return Network(network_layout(game), NetworkSize(plan.channels, plan.blocks))


class PatternStudent:
    """Patterns, fitted afresh in every round (`kakomi.learn.distillation`), without state between rounds."""

    suffix = ".npz"
    steps = 0
    notice = ""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._fit: Fit | None = None
        self.losses: dict[str, float] = {}

    def learn(self, games: Sequence[TrainingGame], rows: int) -> Iterator[float]:
        """Fit a table to the latest games."""
        del rows
        fit = yield from distil(games[-max(PATTERN_GAMES, len(games) // 2) :], self._seed)
        self.losses = {"policy": fit.policy, "value": fit.value}
        self._fit = fit

    def keep(self, path: Path) -> None:
        """Write the fitted table."""
        assert self._fit is not None, "what was not learned can't be kept"
        self._fit.table.save(path)

    def save(self) -> None:
        """Do nothing: an interrupted round is fitted afresh."""
