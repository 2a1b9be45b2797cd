"""A vector environment: many games stepped at once."""

import copy
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, Self

import numpy as np

from kakomi.core import Game, IllegalAction, Position
from kakomi.core.seeds import derived_seed
from kakomi.core.system import one_at_a_time
from kakomi.networks.layout import BoardLayout, board_layout, rectangle
from kakomi.networks.observation import Inputs, empty_inputs, write_states
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
from kakomi.search.playout import ownership_of_state
from kakomi.search.report import Ownership


class VectorEnv:
    """n games of one kind; each step is one compiled call that writes to the same arrays.

    All players of a game act through the same environment: actions and observations are those of the player
    to act. A step on one thread allocates nothing. Copies and pickles keep the state of the games, in their
    own arrays. A call during another call raises RuntimeError.

    >>> import kakomi
    >>> env = VectorEnv(kakomi.game("rin", size=8), 1024, seed=1)
    >>> seen = env.reset()
    >>> seen = env.step(env.sample())

    Args: `game`, or the name of a game with its default options; `n`, the number of games; `seed` for
    `sample`; `autoreset`, a value of `Autoreset` or its name; `illegal`, a value of `Illegal` or its name;
    `threads`, the number of threads that share a step; `buffers`, arrays to write to, allocated by default.
    Raises ValueError for invalid arguments.
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
        """The result of `reset` and `step`, always the same object."""
        self.buffers.check(self.game, spec, n)
        self.buffers.observations.fill(0)  # spots off the board are never written again
        endings = n if self.autoreset is Autoreset.SAME_STEP else 0
        self.final_observations = aligned((endings, *spec.shape), np.float32)
        """With the autoreset "same_step", the final observations of the games that the last step ended,
        float32 (n, planes, height, width); those of other games are stale."""
        self._states = np.zeros(n, self.game.description.rules.STATE)
        self._status = np.zeros(n, np.int8)
        self._rngs = random_states(seed, n)
        self._lay_out()
        self.reset()

    @property
    def shown(self) -> Buffers:
        """The former name of `buffers`."""
        return self.buffers

    @property
    def view(self) -> ObservationSpec:
        """The former name of `observation_spec`."""
        return self.observation_spec

    @property
    def num_envs(self) -> int:
        """The number of games, under Gymnasium's name."""
        return self.n

    @property
    def single_observation_space(self) -> Any:
        """One game's observations as a Gymnasium space. Raises ImportError without the extra `research`."""
        from kakomi.research.spaces import planes_space

        return planes_space(self.game)

    @property
    def single_action_space(self) -> Any:
        """One game's actions as a Gymnasium space. Raises ImportError without the extra `research`."""
        from kakomi.research.spaces import actions_space

        return actions_space(self.game)

    @one_at_a_time
    def reset(self, *, seed: int | None = None, games: np.ndarray | None = None) -> Buffers:
        """Reset all games, or those where `games` (bool, n) is true; with a seed, also reseed `sample`."""
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
        """Play one action in every game; actions for games that are over are ignored.

        An illegal action raises IllegalAction without changing anything or, with `illegal="loss"`, loses its
        game. Raises ValueError for anything but n integers.
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
        """Draw a legal action for each game (int64, n; overwritten by the next call), 0 if it is over."""
        steps.sample_games(*self._games, self._status, self._rngs, self._sampled)
        return self._sampled

    @one_at_a_time
    def network_inputs(self) -> Inputs:
        """The inputs of a `kakomi.learn` network for the player to act in all games.

        Planes and scalars are always in the same arrays, which the next call overwrites. They contain the
        observations and the game's features of each point. Computed on one thread.
        """
        layout, inputs = self._network_view
        write_states(self.game, layout, self._states, inputs)
        return inputs

    @one_at_a_time
    def ownership(self, playouts: int = 100, *, seed: int = 0) -> Ownership:
        """Estimate the owner of each point in every game, by playouts (`kakomi.analysis.ownership`).

        Its arrays are new: `owner`, float64 (n, points, players), `lead` and `spread`, float64 (n, players).
        Points are in the order of `game.geometry.names`; `observation_spec.spots` is where they are in a
        plane. Computed on one thread. Raises ValueError if `playouts` is below 1.
        """
        found = [
            ownership_of_state(self.game, self._states[i : i + 1], playouts, derived_seed(seed, i))
            for i in range(self.n)
        ]
        owners, leads, spreads, _ = zip(*found, strict=True)
        return Ownership(np.stack(owners), np.stack(leads), np.stack(spreads), playouts)

    @cached_property
    def _network_view(self) -> tuple[BoardLayout, Inputs]:
        """The layout of network inputs, and the arrays for them."""
        return board_layout(self.game), empty_inputs(self.game, self.n, rectangle(self.game))

    def position(self, i: int) -> Position:
        """The position of game `i`; for a game that an illegal action ended, the position before it."""
        return self.game.restored(self._states[i : i + 1].copy())

    @one_at_a_time
    def place(self, i: int, position: Position) -> None:
        """Set game `i` to a position. Raises ValueError if the position is of another game."""
        if position.game != self.game:
            raise ValueError(f"this environment is for {self.game!r}, not {position.game!r}")
        self._states[i : i + 1] = position.states()
        self._status[i] = steps.PLAYED
        self._show(self._everyone[i : i + 1], slice(i, i + 1))

    @property
    def state_size(self) -> int:
        """The number of bytes of one game's state in `get_states`."""
        return row_size(self.game)

    def get_states(self, games: Any = None) -> np.ndarray:
        """The states of all games, or of k games given by numbers (integers, k) or a mask (bool, n).

        Returns a new array, uint8 (k, `state_size`), for `set_states` of any environment of an equal game.
        Rows may be selected, joined and stored; their format is internal and may change with Kakomi's
        version. The random generators of `sample` aren't included. Raises ValueError for games that don't
        exist.
        """
        numbers = self._numbers(games)
        return pack(self.game, self._bytes[numbers], self._status[numbers] == steps.FORFEITED)

    @one_at_a_time
    def set_states(self, states: Any, games: Any = None) -> Buffers:
        """Set all games, or k games given by numbers or a mask, to states, in that order.

        `states` is uint8 (k, `state_size`), rows from `get_states`. The buffers then show these games, with
        rewards of 0, and `done` if they are over. Raises ValueError, without changing anything, for states of
        another shape, type or game, and for games that are given twice or don't exist.
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
        """Shut down the threads."""
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
        """Make the workspace of steps: views of the arrays, and temporary space.

        The arguments of each compiled call are assembled here once, because a step of one game only takes
        5 µs.
        """
        game, n, buffers = self.game, self.n, self.buffers
        self.observation_spec: ObservationSpec = observation_spec(game)
        """The content and layout of observations."""
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
        """Write the rows of the chosen games within a slice of all games."""
        board, states, scratches = self._games
        rows = steps.Rows(*(array[among] for array in self._rows))
        spots, status = self.observation_spec.spots, self._status[among]
        steps.show_games(board, states[among], scratches, spots, status, chosen, rows)

    def _numbers(self, games: Any) -> np.ndarray:
        """The numbers of games given by None (all), a mask or numbers."""
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
"""Attributes made by `_lay_out` or on first use, which are neither copied nor pickled."""


def action_numbers(actions: Any, n: int) -> np.ndarray:
    """The action numbers of n games as an array. Raises ValueError for anything but n integers."""
    given = np.asarray(actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise ValueError(f"actions are {given.dtype.name} {given.shape}; they must be integers ({n},)")
    return given


def game_of(game: Any) -> Game:
    """A game, given as such or by its name with default options. Raises ValueError for anything else."""
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        from kakomi import catalog

        return catalog.game(game)
    raise ValueError(f"game is {game!r}; it must be a game, such as kakomi.game('rin', size=8), or a name")


def flat(observations: np.ndarray) -> np.ndarray:
    """A view of observations with flattened planes: (n, planes, spots)."""
    n, planes, height, width = observations.shape
    return observations.reshape(n, planes, height * width)
