"""Finds positions, of small boards or late in a game, and the exact value of each of their actions."""

from collections import deque
from collections.abc import Callable
from itertools import islice

from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import below, random_state
from kakomi.kernel.random import RandomState
from kakomi.research.suite.exact import ValuedBoard, ValuedPosition
from kakomi.research.suite.hashes import rules_hash
from kakomi.research.suite.track import Task, Track
from kakomi.solve import Solver, margin
from kakomi.study.tournament.opening import random_walk

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
