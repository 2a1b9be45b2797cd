"""Self-play: many games in lockstep, so that one evaluation serves all that wait for one.

Half of the games begin with some turns drawn at random. Then every turn is searched
(`kakomi.learn.root_search`), by visits or by sequential halving, and what is chosen leaves ever less to
chance.

In some games one seat is a rival's, whose turns nobody learns from. A player that meets itself alone may
forget how to beat what it beat before. So some games are against an earlier checkpoint, and some against a
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
from kakomi.learn.evaluator import NetworkEvaluator, open_evaluator
from kakomi.learn.games import TrainingGame, packed
from kakomi.learn.root_search import Choice, HalvingSearch, RootSearch, VisitSearch
from kakomi.search.advised_search import AdvisedSearch, AdvisedWorker, advised
from kakomi.search.pattern_table import PatternTable
from kakomi.search.search import PatternWorker, Search, by_patterns
from kakomi.search.tree import Tree
from kakomi.search.worker import Worker

MOST_SIMULATIONS = 3_000
"""The most of a level that serves as a rival; it would hold up the games of others."""
RIVALS_MB = 8.0
_CACHE_MB = 1.0
_OWN_CHANCE = 7
"""Tells the chance that chooses rivals from that of games, which begins with the same seeds."""


@dataclass(frozen=True)
class Rival:
    """Who plays one seat of a game, by the best of so many simulations."""

    name: str
    """As it is said to have played."""
    simulations: int
    file: str = ""
    """The network that advises; without one it is the game's own search."""

    def player(self, game: Game, seed: int) -> "RivalPlayer":
        """It at a board."""
        if not self.file:
            return RivalPlayer(Search(game, seed=seed, memory_mb=RIVALS_MB), self.simulations)
        evaluator = open_evaluator(self.file, game, cache_mb=_CACHE_MB)
        search = AdvisedSearch(game, evaluator=evaluator, seed=seed, memory_mb=RIVALS_MB)
        return RivalPlayer(search, self.simulations)


@dataclass(frozen=True)
class RivalPlayer:
    """A rival in one game."""

    search: Search
    simulations: int

    def choose(self, position: Position) -> int:
        """Its action."""
        return self.search.run(position, simulations=self.simulations).action


@dataclass(frozen=True)
class RivalShares:
    """Parts of all games, 0 to 1, in which one seat is a rival's."""

    past: float = 0.1
    """An earlier checkpoint's;"""
    levels: float = 0.05
    """a level's."""

    def draw(
        self, game: Game, earlier: Sequence[Path], simulations: int, seeds: Sequence[int]
    ) -> Rival | None:
        """The rival of a batch of games, if it is to have one; chance follows from the seeds.

        `earlier` are the checkpoints before the one that plays, which get so many simulations.
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
    """The levels that play by the game's search alone, their best and not too slowly."""
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
"""For the tree of one game."""
NETWORK, PATTERNS = "network", "patterns"
"""Who may learn (`kakomi.learn.students`), and then advises."""
SEARCH = "search"
"""What plays while nobody advises."""


@dataclass(frozen=True)
class SelfPlay:
    """How games are played. Simulations are those of one turn."""

    halving: int = 48
    """So many a turn, shared by sequential halving (`kakomi.learn.root_search`), for who has a policy; 0: by
    visits (`kakomi.learn.root_search`),"""
    thorough: int = 400
    """then so many of some turns,"""
    quick: int = 80
    """and of the others;"""
    first_part: float = 0.3
    """The part of visits that the first advisor gets (progressive simulation: T.-R. Wu and others,
    "MiniZero", 2023);"""
    grown_after: int = 12
    """and after so many they get all."""
    teacher_part: float = 2.0
    """The part that a teacher gets, whose games are played but once."""
    thorough_share: float = 0.25
    """Of turns that are by visits."""
    noise: float = 0.0
    """Of these, the share of chance in what the root's actions are thought to be worth looking at."""
    opening_share: float = 0.5
    """Of games that begin with random actions."""
    opening_plies: int = 6
    """The most of them."""
    temperature: float = 0.8
    """How freely actions are chosen at first, from 0 to 1;"""
    last_temperature: float = 0.15
    """and in the end."""
    half_life: float = 0.05
    """The part of the board's points in plies after which it has gone half the way."""
    mix: float = 1.0
    """The share of who advises in the value of a simulation (`kakomi.search.advised_search`)."""
    lockstep: int = 32
    """Games at a time."""
    rivals: RivalShares = field(default_factory=RivalShares)
    """Who plays a seat of some games, once there are checkpoints."""

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
    rival: Rival | None = None
    """Who has one seat of each game, which chance chooses."""

    def __post_init__(self) -> None:
        if self.how.halving and not self.advisor:
            raise ValueError("simulations are halved by the shares of an advisor; the search has none")


def play_assignment(assignment: Assignment) -> bytes:
    """The games of an assignment, packed (`kakomi.learn.games.packed`)."""
    game = kakomi.game(assignment.game, **assignment.options)
    return packed(play_games(game, assignment))


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
        self._root_search = _root_search(assignment.how, self._tree, game.players)
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
        """By its seat, if this game has one."""
        rival = self._assignment.rival
        if rival is None:
            return {}
        return {int(rng.integers(self._game.players)): rival.player(self._game, int(rng.integers(2**62)))}

    def _temperature(self, position: Position) -> float:
        """How much is left to chance by now."""
        gone = position.ply / max(1.0, self._how.half_life * self._game.geometry.points)
        span = self._how.temperature - self._how.last_temperature
        return self._how.last_temperature + span * math.pow(0.5, gone)

    def _worker(self, seed: int) -> Worker:
        game, config, mix = self._game, self._game.description.search_config, self._how.mix
        if self._evaluator:
            advice = _Advised(self._evaluator, self._place)
            config = advised(config, mix)
            if self._how.noise:
                config = replace(config, fpu_reduction=0.0)  # which would keep noise from having a say
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
        """The start, or a position that some random actions lead to, while the game goes on."""
        position = self._game.start()
        if rng.random() < self._how.opening_share:
            for _ in range(int(rng.integers(1, self._how.opening_plies + 1))):
                following = position.play_action(int(rng.choice(position.legal_actions())))
                if following.is_over:
                    break
                position = following
        return position


def _root_search(how: SelfPlay, tree: Tree, players: int) -> RootSearch:
    """How turns are searched in the tree of a game."""
    if how.halving:
        return HalvingSearch(tree, players, how.halving)
    return VisitSearch(tree, players, how.quick, how.thorough, how.thorough_share, how.noise)


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
