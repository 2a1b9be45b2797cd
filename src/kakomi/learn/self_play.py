"""Self-play: many games in lockstep, so that one evaluation serves all that wait for one.

Most turns get a quick search, and some a thorough one, from which alone a network learns (playout-cap
randomisation: D. Wu, "Accelerating self-play learning in Go", 2019). Games begin with some turns drawn at
random, and go on with turns drawn by their visits, ever more surely the best.
"""

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import kakomi
from kakomi.core import Game, Position
from kakomi.core.returns import return_of
from kakomi.learn.evaluators import NetworkEvaluator, open_evaluator
from kakomi.learn.training_game import TrainingGame
from kakomi.search.advised_search import AdvisedWorker, advised
from kakomi.search.pattern_search import PatternWorker, by_patterns
from kakomi.search.pattern_table import PatternTable
from kakomi.search.report import Line, RootReport
from kakomi.search.tree import Tree
from kakomi.search.worker import Worker

MEMORY_MB = 8.0
"""For the tree of one game."""
NETWORK, PATTERNS = "network", "patterns"
"""Who may learn (`kakomi.learn.students`), and then advises."""
SEARCH = "search"
"""What plays while nobody advises."""
LEAST_VISITS = 2
"""An action with fewer is noise, and is left out of what is learned."""


@dataclass(frozen=True)
class SelfPlay:
    """How games are played. Simulations are those of one turn."""

    thorough: int = 400
    quick: int = 80
    first_part: float = 0.3
    """The part of these that the first advisor gets (progressive simulation: T.-R. Wu and others, "MiniZero",
    2023);"""
    grown_after: int = 12
    """and after so many they get all."""
    teacher_part: float = 2.0
    """The part that a teacher gets, whose games are played but once."""
    thorough_share: float = 0.25
    """Of turns."""
    opening_share: float = 0.5
    """Of games that begin with random actions."""
    opening_plies: int = 6
    """The most of them."""
    temperature: float = 0.8
    """How freely actions are drawn at first: by their visits to the power of 1 over this;"""
    last_temperature: float = 0.15
    """and in the end."""
    half_life: float = 0.05
    """The part of the board's points in plies after which it has gone half the way."""
    mix: float = 1.0
    """The share of who advises in the value of a simulation (`kakomi.search.advised_search`)."""
    lockstep: int = 32
    """Games at a time."""

    def of_round(self, checkpoints: int) -> "SelfPlay":
        """How games are played once there are so many checkpoints; before the first, by a teacher."""
        gone = min(1.0, (checkpoints - 1) / max(1, self.grown_after))
        grown = self.first_part + (1 - self.first_part) * gone
        part = grown if checkpoints else self.teacher_part
        thorough, quick = (max(1, round(each * part)) for each in (self.thorough, self.quick))
        return replace(self, thorough=thorough, quick=quick)


@dataclass(frozen=True)
class Assignment:
    """Some games for somebody else to play."""

    game: str
    options: Mapping[str, int]
    games: int
    seed: int
    """Of the run,"""
    batch: int
    """and the number of these games in it: chance follows from both."""
    how: SelfPlay
    advisor: str = ""
    """The file that advises; without one the game's own search plays."""
    adviser: str = NETWORK
    """What is in that file: `network`, or `patterns`."""
    player: str = ""
    """What the games are said to be played by."""


def play_assignment(assignment: Assignment) -> list[dict[str, Any]]:
    """The games of an assignment, as `TrainingGame.to_json` tells them."""
    game = kakomi.game(assignment.game, **assignment.options)
    return [each.to_json() for each in play_games(game, assignment)]


def play_games(game: Game, assignment: Assignment) -> list[TrainingGame]:
    """The games of an assignment, in the order in which they end. Equal ones give equal games."""
    count = min(assignment.how.lockstep, assignment.games)
    file, is_network = assignment.advisor, assignment.adviser == NETWORK
    evaluator = open_evaluator(file, game, count) if file and is_network else None
    table = PatternTable.load(Path(file)) if file and not is_network else None
    seeds = iter(np.random.SeedSequence([assignment.seed, assignment.batch]).spawn(assignment.games))
    ended: list[TrainingGame] = []
    tables = [
        _Table(game, assignment, evaluator, table, place).play_all(seeds, ended.append)
        for place in range(count)
    ]
    while tables:
        tables = [table for table in tables if next(table, _OVER) is not _OVER]
        if evaluator:
            evaluator.evaluate()
    return ended


_OVER = object()
"""Stands for the end of an iterator."""


class _Table:
    """A place at which one game after another is played."""

    def __init__(
        self,
        game: Game,
        assignment: Assignment,
        evaluator: NetworkEvaluator | None,
        table: PatternTable | None,
        place: int,
    ) -> None:
        self._game, self._how, self._assignment = game, assignment.how, assignment
        self._tree = Tree(game.players, len(game.actions), MEMORY_MB)
        self._report = RootReport(self._tree, game.players, lambda mean: return_of(mean, game.players))
        self._evaluator, self._table, self._place = evaluator, table, place

    def play_all(
        self, seeds: Iterator[np.random.SeedSequence], take: Callable[[TrainingGame], None]
    ) -> Iterator[None]:
        """Play a game for each seed that nobody else takes; pause whenever one waits for an evaluation."""
        for seed in seeds:
            take((yield from self._play(seed)))

    def _play(self, seed: np.random.SeedSequence) -> Generator[None, None, TrainingGame]:
        rng = np.random.default_rng(seed)
        worker = self._worker(int(rng.integers(2**62)))
        position = self._opening(rng)
        self._tree.clear()
        visits: dict[int, Mapping[int, int]] = {}
        cut_off = self._game.cut_off or math.inf
        while not position.is_over and position.ply < cut_off:
            is_thorough = rng.random() < self._how.thorough_share
            wanted = self._how.thorough if is_thorough else self._how.quick
            yield from self._search(worker, position, wanted)
            lines = self._report.lines(followed=0)
            if is_thorough and not lines[0].loses:
                visits[position.ply] = targets_of(lines)
            action = self._drawn(lines, position, rng)
            position = position.play_action(action)
            self._tree.descend([action])
        played = tuple(position.played())
        return TrainingGame(self._game, played, visits, self._assignment.player, self._assignment.batch)

    def _worker(self, seed: int) -> Worker:
        game, config, mix = self._game, self._game.description.search_config, self._how.mix
        if self._evaluator:
            advice = _Advised(self._evaluator, self._place)
            return AdvisedWorker(game, self._tree, advised(config, mix), seed, advice, mix)
        if self._table:
            return PatternWorker(game, self._tree, by_patterns(config), seed, self._table, mix)
        return Worker(game, self._tree, config, seed)

    def _search(self, worker: Worker, position: Position, wanted: int) -> Iterator[None]:
        roots = position.states()
        made = 0
        while made < wanted:
            if not isinstance(worker, AdvisedWorker):
                made += worker.simulate(roots, wanted - made)
            else:
                made += worker.advance(roots, wanted - made)
                if worker.is_waiting:
                    yield
                    continue
            if self._tree.is_proven:
                return

    def _opening(self, rng: np.random.Generator) -> Position:
        """The start, or a position that some random actions lead to, while the game goes on."""
        position = self._game.start()
        if rng.random() < self._how.opening_share:
            for _ in range(int(rng.integers(1, self._how.opening_plies + 1))):
                following = position.play_action(int(rng.choice(position.legal_actions())))
                if following.is_over:
                    break
                position = following
        return position

    def _drawn(self, lines: Sequence[Line], position: Position, rng: np.random.Generator) -> int:
        if lines[0].wins or self._tree.is_proven:
            return lines[0].action
        gone = position.ply / max(1.0, self._how.half_life * self._game.geometry.points)
        span = self._how.temperature - self._how.last_temperature
        temperature = self._how.last_temperature + span * 0.5**gone
        shares = np.array([line.visits for line in lines], float) ** (1 / temperature)
        return lines[int(rng.choice(len(lines), p=shares / shares.sum()))].action


@dataclass(frozen=True)
class _Advised:
    """The place of one game in an evaluator that many share, which somebody else asks to evaluate."""

    evaluator: NetworkEvaluator
    place: int

    @property
    def advice(self) -> Any:
        """What the game's search takes."""
        return self.evaluator.advices[self.place]

    def evaluate(self) -> None:
        """Nothing: the evaluation is for all."""


def targets_of(lines: Sequence[Line]) -> dict[int, int]:
    """The visits to learn from: a proven win alone, else of what neither loses nor was hardly looked at."""
    if lines[0].wins:
        return {lines[0].action: lines[0].visits or 1}
    kept = {line.action: line.visits for line in lines if line.visits >= LEAST_VISITS and not line.loses}
    return kept or {lines[0].action: max(1, lines[0].visits)}
