"""Positions whose actions all have known values, and how well an agent chooses there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

import msgspec
from msgspec import Struct

from kakomi.core import Game, Position
from kakomi.research.suite.meetings import interval
from kakomi.research.suite.result import Answers, Interval
from kakomi.research.suite.track import Task, Track
from kakomi.study.tournament import estimated, stratified
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
