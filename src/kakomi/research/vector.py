"""Many games stepped at once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from kakomi.core import Game, IllegalAction, Position
from kakomi.research import steps
from kakomi.research.autoreset import Autoreset
from kakomi.research.buffers import Buffers, aligned
from kakomi.research.seeds import random_states
from kakomi.research.view import view_of


class VectorEnv:
    """n games of one kind, each step one compiled call into arrays that stay where they are.

    Every player of a game is played through the same environment: an action is that of the player to
    act, who sees the observation. Nothing is allocated in a step on one thread.

    >>> import kakomi
    >>> env = VectorEnv(kakomi.game("rin", size=8), 1024, seed=1)
    >>> shown = env.reset()
    >>> shown = env.step(env.sample())

    Args: `game`; `n`, how many of them; `seed` for `sample`; `autoreset`, one of `Autoreset` or its name;
    `threads` that share a step; `buffers` of one's own to write into. Raises ValueError for any of them
    that can't be.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seed: int = 0,
        autoreset: Autoreset | str = Autoreset.NEXT_STEP,
        threads: int = 1,
        buffers: Buffers | None = None,
    ) -> None:
        if n < 1:
            raise ValueError(f"n is {n}; an environment needs at least one game")
        if threads < 1:
            raise ValueError(f"threads is {threads}; a step needs at least one")
        self.game, self.n, self.threads = game, n, min(threads, n)
        self.view = view_of(game)
        """What observations hold, and how it is laid out."""
        self.autoreset = Autoreset.named(autoreset)
        self.shown = buffers or Buffers.empty(game, self.view, n)
        """What `reset` and `step` answer, always the same object."""
        self.shown.check(game, self.view, n)
        self.shown.observations.fill(0)  # and 0 they stay beside the board
        endings = n if self.autoreset is Autoreset.SAME_STEP else 0
        self.final_observations = aligned((endings, *self.view.shape), np.float32)
        """With the autoreset "same_step": of the games that the last step ended, what there was at their
        end; of others something older."""
        rules = game.description.rules
        self._states = np.zeros(n, rules.STATE)
        self._scratches = np.zeros(self.threads, rules.SCRATCH)
        self._gains = np.zeros((self.threads, game.players))
        self._actions = np.zeros(n, np.int64)
        self._sampled = np.zeros(n, np.int64)
        self._everyone = np.ones(n, np.bool_)
        self._flat = _flat(self.shown.observations), _flat(self.final_observations)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._begin(self._everyone, seed)

    def reset(self, *, seed: int | None = None, games: np.ndarray | None = None) -> Buffers:
        """Begin all games anew, or those where `games` (bool, n) says so; with a seed `sample` too."""
        chosen = self._everyone if games is None else np.ascontiguousarray(games)
        if chosen.shape != (self.n,) or chosen.dtype != np.bool_:
            raise ValueError(f"games is {chosen.dtype.name} {chosen.shape}; it must be bool ({self.n},)")
        self._begin(chosen, seed)
        return self.shown

    def step(self, actions: Any) -> Buffers:
        """Play one action in every game; those of games that are over are left aside.

        Raises IllegalAction for the first that is not allowed, and then nothing has changed; ValueError
        for anything but n integers.
        """
        self._take(actions)
        wrong = steps.first_illegal(self.game.board, self._states, self._scratches[:1], self._actions)
        if wrong >= 0:
            why = self.position(wrong).why_illegal(int(self._actions[wrong]))
            raise IllegalAction(f"game {wrong}: {why}")
        bounds = [self.n * thread // self.threads for thread in range(self.threads + 1)]
        others = [
            self._pool.submit(self._step, thread, bounds[thread], bounds[thread + 1])
            for thread in range(1, self.threads)
            if self._pool
        ]
        self._step(0, 0, bounds[1])
        for other in others:
            other.result()
        return self.shown

    def sample(self) -> np.ndarray:
        """A legal action for each game (int64, n; written over by the next call), 0 where it is over."""
        steps.sample_games(self.game.board, self._states, self._scratches[:1], self._rngs, self._sampled)
        return self._sampled

    def position(self, i: int) -> Position:
        """What game `i` has come to."""
        return self.game.restored(self._states[i : i + 1].copy())

    def place(self, i: int, position: Position) -> None:
        """Let game `i` go on from a position. Raises ValueError if it is one of another game."""
        if position.game != self.game:
            raise ValueError(f"this environment is for {self.game!r}, not {position.game!r}")
        self._states[i : i + 1] = position.states()
        shown = self.shown
        shown.rewards[i], shown.done[i], shown.to_move[i] = 0, position.is_over, position.to_move
        self._show(i)

    def close(self) -> None:
        """Let go of the threads."""
        if self._pool:
            self._pool.shutdown()

    def __enter__(self) -> "VectorEnv":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"VectorEnv({self.game!r}, {self.n}, autoreset={self.autoreset.name.lower()!r})"

    def _take(self, actions: Any) -> None:
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are {given.dtype.name} {given.shape}; they must be integers ({self.n},)"
            )
        self._actions[:] = given

    def _begin(self, chosen: np.ndarray, seed: int | None) -> None:
        if seed is not None:
            self._rngs = random_states(seed, self.n)
        shown, (observations, _) = self.shown, self._flat
        steps.begin_games(
            self.game.board,
            self._states,
            self._scratches[:1],
            self.view.spots,
            chosen,
            observations,
            shown.masks,
            shown.rewards,
            shown.done,
            shown.to_move,
        )

    def _step(self, thread: int, first: int, last: int) -> None:
        shown, (observations, endings) = self.shown, self._flat
        steps.step_games(
            self.game.board,
            self._states,
            self._scratches[thread : thread + 1],
            self.view.spots,
            int(self.autoreset),
            self._actions,
            self._gains[thread],
            observations,
            shown.masks,
            shown.rewards,
            shown.done,
            shown.to_move,
            endings,
            first,
            last,
        )

    def _show(self, i: int) -> None:
        one = slice(i, i + 1)
        steps.show_position(
            self.game.board,
            self._states[one],
            self._scratches[:1],
            int(self.shown.to_move[i]),
            self.view.spots,
            self._flat[0][one],
            self.shown.masks[one],
        )


def _flat(observations: np.ndarray) -> np.ndarray:
    """The same numbers with every plane as one row."""
    n, planes, height, width = observations.shape
    return observations.reshape(n, planes, height * width)
