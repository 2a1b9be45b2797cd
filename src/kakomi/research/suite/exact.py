"""Positions with known values of all actions, on small boards or late in a game: finding them, and scoring an
agent's choices there.
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

from kakomi.contest.estimate import Z95, estimated, stratified
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import below, random_state
from kakomi.kernel.random import RandomState
from kakomi.research.suite.agent import rules_hash
from kakomi.research.suite.meetings import interval
from kakomi.research.suite.result import Answers, Interval
from kakomi.research.suite.track import Task, Track
from kakomi.solve import Solver, margin
from kakomi.study.matches.games import random_walk


class ValuedPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the margin of each action under best play, from the acting player's view."""

    moves: tuple[str, ...]
    """The actions from the start to the position."""
    values: dict[str, int]

    @property
    def best(self) -> int:
        """The margin of the best action."""
        return max(self.values.values())

    @property
    def chance(self) -> float:
        """The fraction of legal actions that are best."""
        return fmean(value == self.best for value in self.values.values())

    def position(self, game: Game) -> Position:
        """The position in a game. Raises IllegalAction if the actions aren't legal there."""
        position = game.start()
        for move in self.moves:
            position = position.play(move)
        return position


class ValuedBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of one task."""

    task: str
    rules: str
    """The hash of the rules by which the values were found."""
    positions: tuple[ValuedPosition, ...]


@dataclass(frozen=True)
class Question:
    """One position for an agent to play, for one seed."""

    task: Task
    seed: int
    number: int
    position: ValuedPosition


def positions_of(track: Track, folder: Path) -> dict[str, ValuedBoard]:
    """The positions of an exact track by task name. Raises OSError, and ValueError if the file is invalid or
    lacks a task."""
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
    """All positions of the given tasks, once for each seed."""
    return [
        Question(task, seed, number, position)
        for seed in range(1, seeds + 1)
        for task in tasks
        for number, position in enumerate(boards[task.name].positions)
    ]


def judged(task: str, board: ValuedBoard, actions: Sequence[Sequence[str]]) -> Answers:
    """Score an agent's choices in one task, one for each seed and position. Raises ValueError if an action is
    illegal, or if the numbers of actions and positions differ."""
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
    """The mean share of optimal actions over tasks, overall and for each seed."""
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
    """A mean of points with its normal interval."""
    mean = fmean(values)
    half = Z95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Interval(mean, max(0.0, mean - half), mean + half, len(values))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


MOST_NODES = 1_000_000
"""The most positions that the solver may search for one action; positions that need more are skipped."""
MOST_DRAWS = 100
"""The most positions to draw per wanted position."""
MEMORY_MB = 32.0


def valued_board(
    track: Track, task: Task, tell: Callable[[float, str], None] = lambda part, what: None
) -> ValuedBoard:
    """Draw the positions of a task: distinct positions of random games whose actions differ in value.

    They depend only on the track, the task and the rules. Raises ValueError if the task has no sample, or if
    too few positions can be solved.
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
    """A position with the value of every action; None if all values are equal, or one is too hard to find."""
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
    """A position of a random game; None if the game was too short or leaves no choice there."""
    if plies < 0:
        walked = deque(random_walk(game.start(), rng), maxlen=1 - plies)
        if len(walked) <= -plies:
            return None
        position = walked[0]
    else:
        *_, position = islice(random_walk(game.start(), rng), plies + 1)
    return None if position.is_over or len(position.legal_actions()) < 2 else position


def _value(position: Position, seat: int) -> int | None:
    """A seat's margin under best play; None if it takes more than `MOST_NODES`."""
    cut_off = position.game.cut_off
    if position.is_over or (cut_off is not None and position.ply >= cut_off):
        return margin(position, seat)
    solver = Solver(position, seat, MEMORY_MB)
    return solver.value if solver.run(lambda progress: progress.nodes < MOST_NODES) else None
