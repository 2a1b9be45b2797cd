"""Random games to the end: for statistics and benchmarks, and to estimate who will own each point."""

import threading
import time

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.position import position_from_key
from kakomi.core.system import one_at_a_time
from kakomi.kernel import Mode, driver, load_compiler, mode, random_state
from kakomi.kernel.contract import over, owner, play, playout_action, reset, sample, scores
from kakomi.kernel.records import EMPTY
from kakomi.search.report import Ownership, leads_of
from kakomi.search.search import INTERPRETED_SECONDS

PLAYOUTS = 1000
"""The default number of playouts behind an estimate of owners: they take a hundredth of a second or two."""
SLICE = 64
"""The most playouts between two looks at whether to stop."""


class Playouts:
    """Random playouts of one game from one seed, with their working space."""

    def __init__(self, game: Game, seed: int) -> None:
        rules = game.description.rules
        self._space = (game.board, np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH))
        self._rng = random_state(seed)
        self.final_scores = np.zeros(game.players)
        """Each player's score in the last game played."""

    @one_at_a_time
    def run(self, n: int) -> int:
        """Play n games to their end. Return the total number of plies."""
        return int(playouts(*self._arguments(n)))

    def is_compiled(self) -> bool:
        """Whether the code is compiled, in memory or on disk."""
        return playouts.is_cached(self._arguments(1))

    def _arguments(self, n: int) -> tuple[object, ...]:
        return *self._space, self._rng, self.final_scores, n, 0


@driver
def playouts(boards, states, scratches, rng, final_scores, n, most_plies):
    """Play n random games. Return the total number of plies.

    `final_scores` (float64 [players]) receives the scores of the last game. A game is cut off after
    `most_plies` actions (0: never).
    """
    board, state, scratch = boards[0], states[0], scratches[0]
    plies = 0
    for _ in range(n):
        reset(board, state)
        ply = 0
        while not over(board, state) and (most_plies == 0 or ply < most_plies):
            play(board, state, scratch, sample(board, state, scratch, rng))
            ply += 1
        plies += ply
        scores(board, state, final_scores)
    return plies


def ownership(
    position: Position, playouts: int = PLAYOUTS, *, seed: int = 0, stop: threading.Event | None = None
) -> Ownership:
    """Estimate who will own each point of a position, and the leads, from playouts by the game's policy.

    The same seed gives equal positions the same estimate. A finished game has its owners for certain. There
    are fewer playouts if `stop` is set, and in `Mode.ADAPTIVE` as long as they aren't compiled; at least one.
    Raises ValueError if `playouts` is below 1.

    >>> import kakomi
    >>> found = ownership(kakomi.game("rive", size=2).start(), 100)
    >>> found.owner.shape, found.lead.shape, found.playouts
    ((7, 2), (2,), 100)
    """
    # One way to it, so equal positions get equal draws.
    known = position_from_key(position.game, position.key())
    return ownership_of_state(known.game, known.states(), playouts, seed, stop)


def ownership_of_state(
    game: Game, roots: np.ndarray, playouts: int, seed: int, stop: threading.Event | None = None
) -> Ownership:
    """Estimate as `ownership` does, from a state, STATE of the game [1]."""
    if playouts < 1:
        raise ValueError(f"playouts is {playouts}; an estimate needs at least one")
    rules = game.description.rules
    owned = np.zeros((game.geometry.points, game.players), np.int64)
    found = np.zeros((playouts, game.players))
    space = np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH), random_state(seed)
    ends = None if _is_compiled(game, roots, space, owned, found) else time.monotonic() + INTERPRETED_SECONDS
    done = 0
    while done < playouts:
        if done and ((stop and stop.is_set()) or (ends and time.monotonic() > ends)):
            break
        last = min(playouts, done + min(done + 1, SLICE))
        own_playouts(game.board, roots, *space, owned, found[done:last], game.cut_off or 0)
        done = last
    leads = leads_of(found[:done]).astype(np.float64)
    spread = leads.std(axis=0) * game.description.lead_spread
    return Ownership(owned / done, leads.mean(axis=0), spread, done)


def _is_compiled(game: Game, roots: np.ndarray, space: tuple[np.ndarray, ...], *counts: np.ndarray) -> bool:
    """Whether `Mode.ADAPTIVE` won't interpret the playouts."""
    if mode() is not Mode.ADAPTIVE:
        return True
    load_compiler()
    return own_playouts.is_cached((game.board, roots, *space, *counts, 0))


@driver
def own_playouts(boards, roots, states, scratches, rng, owned, found, most_plies):
    """Play on from `roots[0]` by the game's policy, once for each row of `found`, and count the owners.

    `owned` (int64 [points, players]) counts who owns each point in the end, `found` (float64 [n, players])
    receives the scores. A playout is cut off after `most_plies` actions (0: never).
    """
    board, state, scratch = boards[0], states[0], scratches[0]
    for game in range(len(found)):
        states[0] = roots[0]
        ply = 0
        while not over(board, state) and (most_plies == 0 or ply < most_plies):
            play(board, state, scratch, playout_action(board, state, scratch, rng))
            ply += 1
        scores(board, state, found[game])
        for point in range(board.points):
            player = owner(board, state, point)
            if player != EMPTY:
                owned[point, player] += 1
