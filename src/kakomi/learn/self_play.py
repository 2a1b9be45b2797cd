"""Self-play: many games in lockstep, so that one batch evaluates positions of all games.

Half of the games begin with some random actions. Then every action is searched (`kakomi.learn.root_search`),
by visits or by sequential halving, and chosen with a decreasing temperature.

In some games a rival has one seat, whose actions aren't learned from. A player that only meets itself may
forget how to beat earlier opponents, so some games are against an earlier checkpoint, and some against a
level of the game's own search.
"""

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import kakomi
from kakomi.core import Game, Position
from kakomi.core.level_config import Adviser
from kakomi.learn.games import TrainingGame, packed
from kakomi.learn.root_search import Choice, HalvingSearch, RootSearch, VisitSearch
from kakomi.networks.evaluator import NetworkEvaluator, open_evaluator
from kakomi.search.advised_search import AdvisedSearch, AdvisedWorker, advised
from kakomi.search.pattern_table import PatternTable
from kakomi.search.search import PatternWorker, Search, by_patterns
from kakomi.search.tree import Tree
from kakomi.search.worker import Worker

MOST_SIMULATIONS = 3_000
"""The most simulations of a level that serves as a rival; stronger ones would hold up other games."""
RIVALS_MB = 8.0
_CACHE_MB = 1.0
_OWN_CHANCE = 7
"""Added to the seeds for drawing rivals, so that their random numbers differ from the games'."""


@dataclass(frozen=True)
class Rival:
    """A player for one seat of a game, which plays the best action after `simulations`."""

    name: str
    """Its name in game records."""
    simulations: int
    file: str = ""
    """The network that advises it; empty for the game's own search."""

    def player(self, game: Game, seed: int) -> "RivalPlayer":
        """The rival as a player of one game."""
        if not self.file:
            return RivalPlayer(Search(game, seed=seed, memory_mb=RIVALS_MB), self.simulations)
        evaluator = open_evaluator(self.file, game, cache_mb=_CACHE_MB)
        search = AdvisedSearch(game, evaluator=evaluator, seed=seed, memory_mb=RIVALS_MB)
        return RivalPlayer(search, self.simulations)


@dataclass(frozen=True)
class RivalPlayer:
    """A rival as a player of one game."""

    search: Search
    simulations: int

    def choose(self, position: Position) -> int:
        """Choose an action."""
        return self.search.run(position, simulations=self.simulations).action


@dataclass(frozen=True)
class RivalShares:
    """The shares of games, 0 to 1, in which one seat is a rival's."""

    past: float = 0.1
    """The share against earlier checkpoints."""
    levels: float = 0.05
    """The share against levels."""

    def draw(
        self, game: Game, earlier: Sequence[Path], simulations: int, seeds: Sequence[int]
    ) -> Rival | None:
        """Draw a rival for a batch of games, or None; the result depends only on the arguments.

        `earlier` holds the checkpoints before the current one; as rivals, they get `simulations`.
        """
        rng = np.random.default_rng([*seeds, _OWN_CHANCE])
        drawn, levels = rng.random(), rivals_among_levels(game)
        if drawn < self.past:
            return _of_checkpoint(earlier[int(rng.integers(len(earlier)))], simulations) if earlier else None
        if drawn < self.past + self.levels and levels:
            return levels[int(rng.integers(len(levels)))]
        return None


NO_RIVALS = RivalShares(past=0.0, levels=0.0)


def rivals_among_levels(game: Game) -> list[Rival]:
    """The levels that use the game's own search at temperature 0, with at most `MOST_SIMULATIONS`."""
    return [
        Rival(f"level {number}", level.simulations)
        for number, level in enumerate(game.description.levels, start=1)
        if level.adviser in (Adviser.NOBODY, Adviser.PRIOR)
        and not level.temperature
        and level.simulations <= MOST_SIMULATIONS
    ]


def _of_checkpoint(path: Path, simulations: int) -> Rival:
    return Rival(f"checkpoint {path.stem}", simulations, str(path))


MEMORY_MB = 8.0
"""The memory for the tree of one game."""
NETWORK, PATTERNS = "network", "patterns"
"""The kinds of students (`kakomi.learn.students`), which then advise the search."""
SEARCH = "search"
"""The player without an advisor."""


@dataclass(frozen=True)
class SelfPlay:
    """Settings of self-play. Simulations are per action."""

    halving: int = 48
    """Simulations by sequential halving (`kakomi.learn.root_search`), which needs an advisor with a policy; 0
    for searches by visits."""
    thorough: int = 400
    """Simulations of thorough searches by visits."""
    quick: int = 80
    """Simulations of quick searches by visits."""
    first_part: float = 0.3
    """The fraction of simulations by visits that the first checkpoint gets (progressive simulation: T.-R. Wu
    and others, "MiniZero", 2023)."""
    grown_after: int = 12
    """The number of checkpoints after which all simulations are used."""
    teacher_part: float = 2.0
    """The multiple of simulations that a teacher gets, since its games are only played once."""
    thorough_share: float = 0.25
    """The share of thorough searches among those by visits."""
    noise: float = 0.0
    """The share of noise in the priors at the root of searches by visits."""
    opening_share: float = 0.5
    """The share of games that begin with random actions."""
    opening_plies: int = 6
    """The most random actions at the beginning."""
    temperature: float = 0.8
    """The temperature of choices at the start of a game, from 0 to 1."""
    last_temperature: float = 0.15
    """The temperature that it approaches."""
    half_life: float = 0.05
    """The number of plies in which it gets half-way there, as a fraction of the board's points."""
    mix: float = 1.0
    """The advisor's share in the value of a simulation (`kakomi.search.advised_search`)."""
    lockstep: int = 32
    """The number of games played at once."""
    rivals: RivalShares = field(default_factory=RivalShares)
    """The shares of games against rivals, once there are checkpoints."""

    def of_round(self, checkpoints: int) -> "SelfPlay":
        """The settings after a number of checkpoints; with 0, those for a teacher."""
        gone = min(1.0, (checkpoints - 1) / max(1, self.grown_after))
        grown = self.first_part + (1 - self.first_part) * gone
        part = grown if checkpoints else self.teacher_part
        thorough, quick = (max(1, round(each * part)) for each in (self.thorough, self.quick))
        return replace(self, thorough=thorough, quick=quick)


@dataclass(frozen=True)
class Assignment:
    """A batch of games for a worker to play."""

    game: str
    options: Mapping[str, int]
    games: int
    seed: int
    """The seed of the run."""
    batch: int
    """The number of this batch in the run; the games depend on both."""
    how: SelfPlay
    advisor: str = ""
    """The file of the advisor; empty for the game's own search."""
    adviser: str = NETWORK
    """The kind of advisor in that file: `network` or `patterns`."""
    player: str = ""
    """The player's name in game records."""
    rival: Rival | None = None
    """The player of one random seat in each game, if any."""

    def __post_init__(self) -> None:
        if self.how.halving and not self.advisor:
            raise ValueError("simulations are halved by the shares of an advisor; the search has none")


def play_assignment(assignment: Assignment) -> bytes:
    """Play the games of an assignment, and return them packed (`kakomi.learn.games.packed`)."""
    game = kakomi.game(assignment.game, **assignment.options)
    return packed(play_games(game, assignment))


def play_games(game: Game, assignment: Assignment) -> list[TrainingGame]:
    """Play the games of an assignment, in the order in which they end. Equal assignments give equal games."""
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
"""Marks the end of an iterator."""


class _Table:
    """One of the games in lockstep, followed by others."""

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
        self._root_search = _root_search(assignment.how, self._tree, game.players)
        self._evaluator, self._table, self._place = evaluator, table, place

    def play_all(
        self, seeds: Iterator[np.random.SeedSequence], take: Callable[[TrainingGame], None]
    ) -> Iterator[None]:
        """Play a game for each seed taken from the shared iterator; yield when waiting for an evaluation."""
        for seed in seeds:
            take((yield from self._play(seed)))

    def _play(self, seed: np.random.SeedSequence) -> Generator[None, None, TrainingGame]:
        rng = np.random.default_rng(seed)
        worker = self._worker(int(rng.integers(2**62)))
        rival = self._rival(rng)
        position = self._opening(rng)
        self._tree.clear()
        policies: dict[int, Mapping[int, int]] = {}
        cut_off = self._game.cut_off or math.inf
        while not position.is_over and position.ply < cut_off:
            if player := rival.get(position.to_move):
                choice = Choice(player.choose(position))
            else:
                simulate = partial(self._simulate, worker, position.states())
                choice = yield from self._root_search.choose(simulate, self._temperature(position), rng)
            if choice.policy:
                policies[position.ply] = choice.policy
            self._root_search.follow(choice.action)
            position = position.play_action(choice.action)
        played = tuple(position.played())
        return TrainingGame(self._game, played, policies, self._assignment.player, self._assignment.batch)

    def _rival(self, rng: np.random.Generator) -> Mapping[int, RivalPlayer]:
        """The rival by its random seat; empty if there is none."""
        rival = self._assignment.rival
        if rival is None:
            return {}
        return {int(rng.integers(self._game.players)): rival.player(self._game, int(rng.integers(2**62)))}

    def _temperature(self, position: Position) -> float:
        """The temperature at a position."""
        gone = position.ply / max(1.0, self._how.half_life * self._game.geometry.points)
        span = self._how.temperature - self._how.last_temperature
        return self._how.last_temperature + span * math.pow(0.5, gone)

    def _worker(self, seed: int) -> Worker:
        game, config, mix = self._game, self._game.description.search_config, self._how.mix
        if self._evaluator:
            advice = _Advised(self._evaluator, self._place)
            config = advised(config, mix)
            if self._how.noise:
                config = replace(config, fpu_reduction=0.0)  # otherwise noise would have little effect
            return AdvisedWorker(game, self._tree, config, seed, advice, mix)
        if self._table:
            return PatternWorker(game, self._tree, by_patterns(config), seed, self._table, mix)
        return Worker(game, self._tree, config, seed)

    def _simulate(self, worker: Worker, roots: np.ndarray, wanted: int) -> Iterator[None]:
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
        """The start, or the position after some random actions that don't end the game."""
        position = self._game.start()
        if rng.random() < self._how.opening_share:
            for _ in range(int(rng.integers(1, self._how.opening_plies + 1))):
                following = position.play_action(int(rng.choice(position.legal_actions())))
                if following.is_over:
                    break
                position = following
        return position


def _root_search(how: SelfPlay, tree: Tree, players: int) -> RootSearch:
    """The root search for the settings."""
    if how.halving:
        return HalvingSearch(tree, players, how.halving)
    return VisitSearch(tree, players, how.quick, how.thorough, how.thorough_share, how.noise)


@dataclass(frozen=True)
class _Advised:
    """One game's place in a shared evaluator; `play_games` runs the evaluation."""

    evaluator: NetworkEvaluator
    place: int

    @property
    def advice(self) -> Any:
        """The advice for the game's search."""
        return self.evaluator.advices[self.place]

    def evaluate(self) -> None:
        """Do nothing: `play_games` evaluates for all games."""
