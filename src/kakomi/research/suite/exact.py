"""Positions whose actions all have known values, of small boards or late in a game: how they are found, and
how well an agent chooses there.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean, stdev

import msgspec
from msgspec import Struct

from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import below, random_state
from kakomi.kernel.random import RandomState
from kakomi.research.suite.agent import rules_hash
from kakomi.research.suite.meetings import interval
from kakomi.research.suite.result import Answers, Interval
from kakomi.research.suite.track import Task, Track
from kakomi.solve import Solver, margin
from kakomi.study.tournament import estimated, stratified
from kakomi.study.tournament.games import random_walk
from kakomi.study.tournament.statistics import Z95


class ValuedPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position and the margin that each of its actions leads to under best play, as who acts sees it."""

    moves: tuple[str, ...]
    """The actions that lead to it from the start."""
    values: dict[str, int]

    @property
    def best(self) -> int:
        """The margin of the best action."""
        return max(self.values.values())

    @property
    def chance(self) -> float:
        """The share of best actions among the legal ones."""
        return fmean(value == self.best for value in self.values.values())

    def position(self, game: Game) -> Position:
        """The position itself. Raises IllegalAction if the actions aren't the game's."""
        position = game.start()
        for move in self.moves:
            position = position.play(move)
        return position


class ValuedBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of one task."""

    task: str
    rules: str
    """The hash of the rules that the values were found by."""
    positions: tuple[ValuedPosition, ...]


@dataclass(frozen=True)
class Question:
    """One position for an agent, for one seed."""

    task: Task
    seed: int
    number: int
    position: ValuedPosition


def positions_of(track: Track, folder: Path) -> dict[str, ValuedBoard]:
    """The positions of an exact track, by the names of its tasks. Raises OSError, and ValueError for a file
    that lacks a task."""
    path = folder / track.positions
    try:
        boards = msgspec.json.decode(path.read_bytes(), type=list[ValuedBoard])
    except msgspec.DecodeError as error:
        raise ValueError(f"{path} holds no positions: {error}") from None
    found = {board.task: board for board in boards}
    for task in track.tasks:
        if task.name not in found:
            raise ValueError(f"{path} has no positions of {task.name}")
    return found


def questions(tasks: Sequence[Task], boards: dict[str, ValuedBoard], seeds: int) -> list[Question]:
    """All positions of some tasks, once for each seed."""
    return [
        Question(task, seed, number, position)
        for seed in range(1, seeds + 1)
        for task in tasks
        for number, position in enumerate(boards[task.name].positions)
    ]


def judged(task: str, board: ValuedBoard, actions: Sequence[Sequence[str]]) -> Answers:
    """An agent's choices in one task, for each seed one in each position. Raises ValueError for an action
    that isn't legal, and for another number of actions than there are positions."""
    for chosen in actions:
        if len(chosen) != len(board.positions):
            raise ValueError(f"{task}: {len(chosen)} actions for {len(board.positions)} positions")
        for action, one in zip(chosen, board.positions, strict=True):
            if action not in one.values:
                raise ValueError(f"{task}: {action} isn't legal after {' '.join(one.moves)}")
    seen = list(zip(board.positions, zip(*actions, strict=True), strict=True))
    optimal = [fmean(one.values[action] == one.best for action in chosen) for one, chosen in seen]
    kept = [fmean(_sign(one.values[action]) == _sign(one.best) for action in chosen) for one, chosen in seen]
    lost = [fmean(one.best - one.values[action] for action in chosen) for one, chosen in seen]
    return Answers(
        task=task,
        actions=tuple(map(tuple, actions)),
        optimal=interval(estimated(optimal, 1)),
        kept=interval(estimated(kept, 1)),
        regret=_mean(lost),
        chance=fmean(one.chance for one in board.positions),
    )


def exact_score(
    boards: dict[str, ValuedBoard], answers: Sequence[Answers]
) -> tuple[Interval, tuple[float, ...]]:
    """The share of optimal actions, a mean over tasks, and the same for each seed."""
    by_seed = [_hits(boards[one.task], one) for one in answers]
    strata = [[fmean(hits) for hits in zip(*seeds, strict=True)] for seeds in by_seed]
    score = interval(stratified(strata, [1] * len(strata)))
    return score, tuple(fmean(map(fmean, seed)) for seed in zip(*by_seed, strict=True))


def _hits(board: ValuedBoard, answers: Answers) -> list[list[bool]]:
    return [
        [one.values[action] == one.best for one, action in zip(board.positions, chosen, strict=True)]
        for chosen in answers.actions
    ]


def _mean(values: Sequence[float]) -> Interval:
    """A mean of points with the interval of the normal distribution."""
    mean = fmean(values)
    half = Z95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Interval(mean, max(0.0, mean - half), mean + half, len(values))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


MOST_NODES = 1_000_000
"""Positions that the solver looks at for one action; a position that needs more is left out."""
MOST_DRAWS = 100
"""Positions drawn for each that is wanted."""
MEMORY_MB = 32.0


def valued_board(
    track: Track, task: Task, tell: Callable[[float, str], None] = lambda part, what: None
) -> ValuedBoard:
    """The positions of a task: drawn by random actions, none twice, each with actions of different values.

    They depend on the track, the task and the rules alone. Raises ValueError for a task that doesn't say
    which positions, and if too few of them can be solved.
    """
    if task.sample is None:
        raise ValueError(f"{task.name} doesn't say which positions are drawn")
    game, wanted = task.found_game, task.sample.count
    rng = random_state(derived_seed(1, track.id, task.name))
    found: dict[bytes, ValuedPosition] = {}
    first, last = task.sample.plies
    for _ in range(MOST_DRAWS * wanted):
        if len(found) == wanted:
            break
        tell(len(found) / wanted, task.name)
        position = _drawn(game, first + below(rng, last - first + 1), rng)
        if position and position.key() not in found and (valued := valued_position(position)):
            found[position.key()] = valued
    if len(found) < wanted:
        raise ValueError(f"{task.name}: only {len(found)} of {wanted} positions were found")
    return ValuedBoard(task.name, rules_hash(game), tuple(found.values()))


def valued_position(position: Position) -> ValuedPosition | None:
    """A position with the value of every action; None if all are worth the same, or one is too hard."""
    texts = position.game.action_texts
    values: dict[str, int] = {}
    for action in map(int, position.legal_actions()):
        value = _value(position.play_action(action), position.to_move)
        if value is None:
            return None
        values[texts[action]] = value
    if len(set(values.values())) < 2:
        return None
    return ValuedPosition(tuple(texts[action] for action in position.played()), values)


def _drawn(game: Game, plies: int, rng: RandomState) -> Position | None:
    """A position of a random game; nothing if its game was too short or leaves no choice there."""
    if plies < 0:
        walked = deque(random_walk(game.start(), rng), maxlen=1 - plies)
        if len(walked) <= -plies:
            return None
        position = walked[0]
    else:
        *_, position = islice(random_walk(game.start(), rng), plies + 1)
    return None if position.is_over or len(position.legal_actions()) < 2 else position


def _value(position: Position, seat: int) -> int | None:
    """The margin of a seat under best play; None if it isn't found in time."""
    cut_off = position.game.cut_off
    if position.is_over or (cut_off is not None and position.ply >= cut_off):
        return margin(position, seat)
    solver = Solver(position, seat, MEMORY_MB)
    return solver.value if solver.run(lambda progress: progress.nodes < MOST_NODES) else None
