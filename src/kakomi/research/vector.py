"""Many games stepped at once."""

import copy
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, Self

import numpy as np

from kakomi.core import Game, IllegalAction, Position
from kakomi.core.system import one_at_a_time
from kakomi.learn.layout import BoardLayout, board_layout, rectangle
from kakomi.learn.observation import Inputs, empty_inputs, write_states
from kakomi.research import steps
from kakomi.research.buffers import (
    Buffers,
    aligned,
    aligned_copy,
    pack,
    random_states,
    row_size,
    state_bytes,
    unpack,
)
from kakomi.research.modes import Autoreset, Illegal
from kakomi.research.observation import ObservationSpec, observation_spec


class VectorEnv:
    """n games of one kind, each step one compiled call into arrays that stay where they are.

    Every player of a game is played through the same environment: an action is that of the player to
    act, who sees the observation. Nothing is allocated in a step on one thread. Copies and pickles go on
    from where they were made, with arrays of their own. A call amid another one raises RuntimeError.

    >>> import kakomi
    >>> env = VectorEnv(kakomi.game("rin", size=8), 1024, seed=1)
    >>> seen = env.reset()
    >>> seen = env.step(env.sample())

    Args: `game`, or the name of one with its default options; `n`, how many of them; `seed` for `sample`;
    `autoreset`, one of `Autoreset` or its name; `illegal`, one of `Illegal` or its name; `threads` that
    share a step; `buffers` of one's own to write into. Raises ValueError for any of them that can't be.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        seed: int = 0,
        autoreset: Autoreset | str = Autoreset.NEXT_STEP,
        illegal: Illegal | str = Illegal.RAISE,
        threads: int = 1,
        buffers: Buffers | None = None,
    ) -> None:
        if n < 1:
            raise ValueError(f"n is {n}; an environment needs at least one game")
        if threads < 1:
            raise ValueError(f"threads is {threads}; a step needs at least one")
        self.game, self.n, self.threads = game_of(game), n, min(threads, n)
        self.autoreset, self.illegal = Autoreset.parse(autoreset), Illegal.parse(illegal)
        spec = observation_spec(self.game)
        self.buffers = buffers or Buffers.empty(self.game, spec, n)
        """What `reset` and `step` answer, always the same object."""
        self.buffers.check(self.game, spec, n)
        self.buffers.observations.fill(0)  # and 0 they stay beside the board
        endings = n if self.autoreset is Autoreset.SAME_STEP else 0
        self.final_observations = aligned((endings, *spec.shape), np.float32)
        """With the autoreset "same_step": of the games that the last step ended, what there was at their
        end, float32 (n, planes, height, width); of others something older."""
        self._states = np.zeros(n, self.game.description.rules.STATE)
        self._status = np.zeros(n, np.int8)
        self._rngs = random_states(seed, n)
        self._lay_out()
        self.reset()

    @property
    def shown(self) -> Buffers:
        """The buffers, by an earlier name."""
        return self.buffers

    @property
    def view(self) -> ObservationSpec:
        """The observation spec, by an earlier name."""
        return self.observation_spec

    @property
    def num_envs(self) -> int:
        """How many games there are, by Gymnasium's name."""
        return self.n

    @property
    def single_observation_space(self) -> Any:
        """What one game shows, as a space of Gymnasium's. Raises ImportError without the extra `research`."""
        from kakomi.research.spaces import planes_space

        return planes_space(self.game)

    @property
    def single_action_space(self) -> Any:
        """One game's actions, as a space of Gymnasium's. Raises ImportError without the extra `research`."""
        from kakomi.research.spaces import actions_space

        return actions_space(self.game)

    @one_at_a_time
    def reset(self, *, seed: int | None = None, games: np.ndarray | None = None) -> Buffers:
        """Begin all games anew, or those where `games` (bool, n) says so; with a seed `sample` too."""
        chosen = self._everyone if games is None else np.ascontiguousarray(games)
        if chosen.shape != (self.n,) or chosen.dtype != np.bool_:
            raise ValueError(f"games is {chosen.dtype.name} {chosen.shape}; it must be bool ({self.n},)")
        if seed is not None:
            self._rngs[:] = random_states(seed, self.n)
        steps.reset_games(self.game.board, self._states, self._status, chosen)
        self._show(chosen)
        return self.buffers

    @one_at_a_time
    def step(self, actions: Any) -> Buffers:
        """Play one action in every game; those of games that are over are left aside.

        Raises IllegalAction for the first that is not legal, and then nothing has changed, or with
        `illegal="loss"` lets its player lose; ValueError for anything but n integers.
        """
        self._take(actions)
        if self._pool is None:
            steps.step_games(*self._shares[0])
        else:
            others = [self._pool.submit(steps.step_games, *share) for share in self._shares[1:]]
            steps.step_games(*self._shares[0])
            for other in others:
                other.result()
        return self.buffers

    @one_at_a_time
    def sample(self) -> np.ndarray:
        """A legal action for each game (int64, n; written over by the next call), 0 where it is over."""
        steps.sample_games(*self._games, self._status, self._rngs, self._sampled)
        return self._sampled

    @one_at_a_time
    def network_inputs(self) -> Inputs:
        """What a network of `kakomi.learn` takes for all games as they stand, as who is to act sees them.

        Planes and scalars, always in the same arrays, which only the next call writes over. They hold what
        observations do, and what the rules know of each point beside that. One thread works them out.
        """
        layout, inputs = self._network_view
        write_states(self.game, layout, self._states, inputs)
        return inputs

    @cached_property
    def _network_view(self) -> tuple[BoardLayout, Inputs]:
        """Where what a network sees lies, and the arrays for it."""
        return board_layout(self.game), empty_inputs(self.game, self.n, rectangle(self.game))

    def position(self, i: int) -> Position:
        """What game `i` has come to; of a game that an illegal action ended, what there was before it."""
        return self.game.restored(self._states[i : i + 1].copy())

    @one_at_a_time
    def place(self, i: int, position: Position) -> None:
        """Let game `i` go on from a position. Raises ValueError if it is one of another game."""
        if position.game != self.game:
            raise ValueError(f"this environment is for {self.game!r}, not {position.game!r}")
        self._states[i : i + 1] = position.states()
        self._status[i] = steps.PLAYED
        self._show(self._everyone[i : i + 1], slice(i, i + 1))

    @property
    def state_size(self) -> int:
        """Bytes of one game's state, as `get_states` answers it."""
        return row_size(self.game)

    def get_states(self, games: Any = None) -> np.ndarray:
        """The states of all games, or of k by their numbers (integers, k) or a mask (bool, n).

        A new array, uint8 (k, `state_size`), for `set_states` of any environment of an equal game. Rows may
        be picked, joined and stored; what is in them is Kakomi's own and may change with its version. The
        generators of `sample` are no part of them. Raises ValueError for games that there aren't.
        """
        numbers = self._numbers(games)
        return pack(self.game, self._bytes[numbers], self._status[numbers] == steps.FORFEITED)

    @one_at_a_time
    def set_states(self, states: Any, games: Any = None) -> Buffers:
        """Let all games, or k by their numbers or a mask, go on from states, in that order.

        `states` is uint8 (k, `state_size`), rows of `get_states`. Buffers then show these games with
        rewards of 0, and `done` where they are over. Raises ValueError for states of another shape, type
        or game, for a game that is named twice and for one that there isn't, and then nothing has changed.
        """
        numbers = self._numbers(games)
        if len(np.unique(numbers)) < len(numbers):
            raise ValueError("games names one twice: it can't go on from two states")
        self._bytes[numbers], forfeited = unpack(self.game, states, len(numbers))
        self._status[numbers] = np.where(forfeited, steps.FORFEITED, steps.PLAYED)
        chosen = np.zeros(self.n, np.bool_)
        chosen[numbers] = True
        self._show(chosen)
        return self.buffers

    def close(self) -> None:
        """Let go of the threads."""
        if self._pool:
            self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"VectorEnv({self.game!r}, {self.n}, autoreset={self.autoreset.name.lower()!r})"

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _WORKSPACE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.final_observations = aligned_copy(self.final_observations)
        self._lay_out()

    def _lay_out(self) -> None:
        """Make what steps work on: views of the arrays, and space that holds nothing between steps.

        The arguments of each compiled call are put together here, once: a step of one game takes 5 µs.
        """
        game, n, buffers = self.game, self.n, self.buffers
        self.observation_spec: ObservationSpec = observation_spec(game)
        """What observations hold, and how it is laid out."""
        spots = self.observation_spec.spots
        self._everyone = np.ones(n, np.bool_)
        self._bytes = state_bytes(self._states)
        self._sampled = np.zeros(n, np.int64)
        self._moves = steps.Moves(np.zeros(n, np.int64), self._status)
        self._rows = steps.Rows(
            flat(buffers.observations), buffers.masks, buffers.rewards, buffers.done, buffers.to_move
        )
        scratches = np.zeros(self.threads, game.description.rules.SCRATCH)
        self._games = game.board, self._states, scratches[:1]
        self._shares = [
            (
                *(game.board, self._states, scratches[thread : thread + 1], spots),
                *self._moves,
                *self._rows,
                *steps.Endings(int(self.autoreset), np.zeros(game.players), flat(self.final_observations)),
                *(n * thread // self.threads, n * (thread + 1) // self.threads),
            )
            for thread in range(self.threads)
        ]
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def _take(self, actions: Any) -> None:
        self._moves.actions[:] = action_numbers(actions, self.n)
        wrong = steps.find_illegal(*self._games, *self._moves)
        if wrong >= 0 and self.illegal is Illegal.RAISE:
            why = self.position(wrong).why_illegal(int(self._moves.actions[wrong]))
            raise IllegalAction(f"game {wrong}: {why}")

    def _show(self, chosen: np.ndarray, among: slice = slice(None)) -> None:
        """Write the rows of chosen games among those of a slice."""
        board, states, scratches = self._games
        rows = steps.Rows(*(array[among] for array in self._rows))
        spots, status = self.observation_spec.spots, self._status[among]
        steps.show_games(board, states[among], scratches, spots, status, chosen, rows)

    def _numbers(self, games: Any) -> np.ndarray:
        """The numbers of games, of which none, a mask or the numbers are given."""
        if games is None:
            return np.arange(self.n)
        given = np.asarray(games)
        if given.shape == (self.n,) and given.dtype == np.bool_:
            return np.flatnonzero(given)
        if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
            told = f"{given.dtype.name} {given.shape}"
            raise ValueError(f"games are {told}; they must be numbers (k,) or a mask, bool ({self.n},)")
        if given.size and not 0 <= given.min() <= given.max() < self.n:
            raise ValueError(f"games are {given.min()} to {given.max()}; there are 0 to {self.n - 1}")
        return given.astype(np.intp)


_WORKSPACE = frozenset(
    {
        "observation_spec",
        "_bytes",
        "_everyone",
        "_games",
        "_moves",
        "_network_view",
        "_pool",
        "_rows",
        "_sampled",
        "_shares",
    }
)
"""Attributes that `_lay_out` makes, or whoever asks first, which are neither copied nor pickled."""


def action_numbers(actions: Any, n: int) -> np.ndarray:
    """The numbers of n actions. Raises ValueError for anything but n integers."""
    given = np.asarray(actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise ValueError(f"actions are {given.dtype.name} {given.shape}; they must be integers ({n},)")
    return given


def game_of(game: Any) -> Game:
    """The game given, or of a name with its default options. Raises ValueError for anything else."""
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        from kakomi import catalog

        return catalog.game(game)
    raise ValueError(f"game is {game!r}; it must be a game, such as kakomi.game('rin', size=8), or a name")


def flat(observations: np.ndarray) -> np.ndarray:
    """Observations with every plane as one row: (n, planes, spots), a view."""
    n, planes, height, width = observations.shape
    return observations.reshape(n, planes, height * width)
