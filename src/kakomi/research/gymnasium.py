"""Gymnasium environments: one agent against bots or itself, and many games at once.

`import kakomi.research` registers `kakomi/Rin-v0` and the others.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Literal

import numpy as np

from kakomi import catalog
from kakomi.bots import Bot, make_bot
from kakomi.core import IllegalAction, Position
from kakomi.core.system import cores
from kakomi.extras import needs_extra
from kakomi.research.modes import Autoreset, Illegal, forfeit_returns, whole
from kakomi.research.observation import observe, picture
from kakomi.research.spaces import LegalActions, LegalActionsOfMany, actions_space, planes_space
from kakomi.research.vector import VectorEnv, action_numbers

with needs_extra("research"):
    import gymnasium
    from gymnasium.vector import AutoresetMode

Render = Literal["ansi", "rgb_array"]


class OneAgent(gymnasium.Env):
    """A game in which the agent takes one seat and bots the others, or the agent takes all seats.

    An observation is for the player to act, float32 (planes, height, width); `info` has `action_mask` (int8)
    and `to_move`. The reward is 0 until the game ends, and then the agent's return: with two players, 1 for a
    win and -1 for a loss. If the agent takes all seats, it is the return of the player who has just acted.
    With two players, a winning action therefore earns 1 for either player, and no step returns the -1 that
    the opponent's actions earned. For an illegal action, `step` raises IllegalAction and changes nothing, or
    with `illegal="loss"` ends the game with a loss for its player. `action_space.sample()` draws legal
    actions.

    Args: the `name` of the game; `opponent`, a bot's name such as "3" or "random", or None for the agent
    itself; the agent's `seat` against bots; `illegal`, "raise" or "loss"; the game's options. Raises
    ValueError for invalid arguments.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        *,
        opponent: str | None = None,
        seat: int = 0,
        illegal: Illegal | str = Illegal.RAISE,
        render_mode: Render | None = None,
        **options: Any,
    ) -> None:
        self.game = catalog.game(name, **options)
        if not 0 <= whole("seat", seat) < self.game.players:
            raise ValueError(f"seat is {seat}; there are 0 to {self.game.players - 1}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}; it may be ansi or rgb_array")
        self.opponent, self.seat, self.render_mode = opponent, seat, render_mode
        self.illegal = Illegal.parse(illegal)
        self.position = self.game.start()
        """The current position."""
        self._forfeited = False
        self._bots: dict[int, Bot] = self._seated(0)
        for bot in self._bots.values():
            bot.check(self.game)
        self.observation_space = planes_space(self.game)
        self.action_space = LegalActions(self.game, self.action_masks)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a new game. The seed is for the bots."""
        super().reset(seed=seed)
        self._bots = self._seated(int(self.np_random.integers(2**31)))
        self.position, self._forfeited = self.game.start(), False
        self._let_bots_play()
        return self._seen()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action, then the bots' actions up to the agent's next."""
        actor, number = self.position.to_move, whole("action", action)
        try:
            self.position = self._after(number)
        except IllegalAction:
            if self.illegal is Illegal.RAISE or self._is_over:
                raise
            self._forfeited = True
            reward = forfeit_returns(self.game.players, actor)[actor]
        else:
            self._let_bots_play()
            reward = self.position.returns()[actor] if self.position.is_over else 0.0
        observation, info = self._seen()
        return observation, reward, self._is_over, False, info

    def action_masks(self) -> np.ndarray:
        """The mask of legal actions (int8); libraries with masked policies use this name."""
        mask = observe(self.position)[1]
        return np.zeros_like(mask) if self._forfeited else mask

    def check(self, action: int, about: str = "") -> None:
        """Raise IllegalAction, its message prefixed by `about`, if `step` would raise it for an action."""
        try:
            self._after(action)
        except IllegalAction as error:
            if self.illegal is Illegal.RAISE or self._is_over:
                raise IllegalAction(f"{about}{error}") from None

    def render(self) -> Any:
        """The board as text or as pixels."""
        if self.render_mode == "ansi":
            return self.position.text()
        return picture(self.position) if self.render_mode == "rgb_array" else None

    @property
    def _is_over(self) -> bool:
        return self.position.is_over or self._forfeited

    def _after(self, action: int) -> Position:
        if self._forfeited:
            raise IllegalAction("the game is over: an illegal action has ended it")
        return self.position.play_action(action)

    def _seated(self, seed: int) -> dict[int, Bot]:
        if self.opponent is None:
            return {}
        others = [player for player in range(self.game.players) if player != self.seat]
        return {player: make_bot(self.opponent, seed=seed + player) for player in others}

    def _let_bots_play(self) -> None:
        while not self.position.is_over and self.position.to_move in self._bots:
            bot = self._bots[self.position.to_move]
            self.position = self.position.play_action(bot.choose(self.position))

    def _seen(self) -> tuple[np.ndarray, dict[str, Any]]:
        info = {"action_mask": self.action_masks(), "to_move": self.position.to_move}
        return observe(self.position)[0], info


class ManyGames(gymnasium.vector.VectorEnv):
    """Many games of an agent that takes all seats, stepped by `kakomi.research.VectorEnv`.

    Observations, rewards and `infos` are as for `OneAgent`, in new arrays; `infos["returns"]` has all
    players' returns. With the autoreset mode "SameStep", `final_obs` and `final_info` have the ends of games;
    `_final_obs`, `_final_info` and, inside, `_action_mask` and so on say which games ended.
    `action_space.sample()` draws legal actions. Raises ValueError for invalid arguments.
    """

    def __init__(
        self,
        name: str,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: Illegal | str = Illegal.RAISE,
        threads: int = 1,
        **options: Any,
    ) -> None:
        game, mode = catalog.game(name, **options), AutoresetMode(autoreset_mode)
        autoreset = Autoreset[mode.name]
        self.games = VectorEnv(game, num_envs, autoreset=autoreset, illegal=illegal, threads=threads)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode}
        self.single_observation_space = planes_space(game)
        self.single_action_space = actions_space(game)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = LegalActionsOfMany(game, num_envs, self.action_masks)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Reset all games, or those of `options={"reset_mask": ...}`. Nothing is random."""
        self.games.reset(games=(options or {}).get("reset_mask"))
        return self.games.buffers.observations.copy(), self._info()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game."""
        actors = self.games.buffers.to_move.astype(np.intp)
        seen = self.games.step(actions)
        rewards = seen.rewards[np.arange(self.num_envs), actors].astype(np.float64)
        info = self._info()
        if self.games.autoreset is Autoreset.SAME_STEP:
            info |= self._endings(seen.done, info["returns"])
        truncated = np.zeros(self.num_envs, np.bool_)
        return seen.observations.copy(), rewards, seen.done.copy(), truncated, info

    def action_masks(self) -> np.ndarray:
        """The masks of legal actions, int8 (num_envs, actions)."""
        return self.games.buffers.masks.view(np.int8)

    def close_extras(self, **_: Any) -> None:
        """Shut down the threads."""
        self.games.close()

    def _endings(self, done: np.ndarray, returns: np.ndarray) -> dict[str, Any]:
        """The final observations and infos of games, under Gymnasium's names; no action is legal there."""
        game, seen = self.games.game, self.games.final_observations
        plane = game.players * game.kinds  # the player to act, from 0 to 1
        spot = self.games.observation_spec.spots[0]
        turns = seen.reshape(*seen.shape[:2], -1)[:, plane, spot] * (game.players - 1)
        mask, to_move = np.zeros_like(self.action_masks()), np.where(done, np.rint(turns), 0).astype(np.int8)
        ends = {"action_mask": mask, "to_move": to_move, "returns": returns.copy()}
        told = {"final_obs": seen.copy(), "final_info": ends | {f"_{name}": done.copy() for name in ends}}
        return told | {f"_{name}": done.copy() for name in told}

    def _info(self) -> dict[str, Any]:
        seen = self.games.buffers
        return {
            "action_mask": self.action_masks().copy(),
            "to_move": seen.to_move.copy(),
            "returns": seen.rewards.copy(),
        }


class AgainstBots(gymnasium.vector.SyncVectorEnv):
    """Many games of an agent against bots, which think on several threads, one game on each.

    It is Gymnasium's `SyncVectorEnv` of `OneAgent`, except that `action_space.sample()` draws legal actions,
    and that an illegal action that raises leaves all games unchanged.
    """

    envs: list[Any]

    def __init__(self, one: Callable[[], OneAgent], n: int, mode: AutoresetMode | str, threads: int) -> None:
        super().__init__([lambda: _Ahead(one())] * n, autoreset_mode=mode)
        self._ones: list[Any] = [env.unwrapped for env in self.envs]
        self.action_space = LegalActionsOfMany(self._ones[0].game, n, self.action_masks)
        self._threads, self._pool = threads, ThreadPoolExecutor(threads)

    def reset(self, **settings: Any) -> tuple[Any, dict[str, Any]]:
        """Reset all games, or those of `options={"reset_mask": ...}`."""
        for env in self.envs:
            env.results = iter(())  # drop those of an interrupted step
        return super().reset(**settings)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game, then the bots' actions up to the agent's next."""
        given, mode = action_numbers(actions, self.num_envs), self.autoreset_mode
        over = self._autoreset_envs & (mode is AutoresetMode.NEXT_STEP)
        for number in np.flatnonzero(~over):
            self._ones[number].check(int(given[number]), f"game {number}: ")

        def play(first: int) -> None:
            for number in range(first, self.num_envs, self._threads):
                self.envs[number].turn(given[number], over[number], mode is AutoresetMode.SAME_STEP)

        list(self._pool.map(play, range(self._threads)))
        return super().step(given)

    def action_masks(self) -> np.ndarray:
        """The masks of legal actions, int8 (num_envs, actions)."""
        return np.array([one.action_masks() for one in self._ones])

    def close_extras(self, **settings: Any) -> None:
        """Shut down the threads."""
        self._pool.shutdown()
        super().close_extras(**settings)


class _Ahead(gymnasium.Wrapper):
    """Computes the results of `step` and `reset` before Gymnasium calls them."""

    results: Iterator[Any] = iter(())

    def turn(self, action: int, is_over: bool, begins_again: bool) -> None:
        """Compute the results of the coming calls, in order."""
        found: list[Any] = [self.env.reset() if is_over else self.env.step(action)]
        if begins_again and found[0][2]:
            found.append(self.env.reset())
        self.results = iter(found)

    def step(self, action: Any) -> Any:
        return next(self.results)

    def reset(self, **settings: Any) -> Any:
        return next(self.results, None) or self.env.reset(**settings)


def many_games(
    name: str,
    num_envs: int = 1,
    *,
    opponent: str | None = None,
    seat: int = 0,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    threads: int | None = None,
    **settings: Any,
) -> gymnasium.vector.VectorEnv:
    """The environment for `gymnasium.make_vec`: `ManyGames`, or `AgainstBots` if there is an opponent. By
    default the first uses one thread and the second all cores. Raises ValueError for unknown options."""
    if opponent is None:
        return ManyGames(name, num_envs, autoreset_mode=autoreset_mode, threads=threads or 1, **settings)
    one = partial(OneAgent, name, opponent=opponent, seat=seat, **settings)
    return AgainstBots(one, num_envs, autoreset_mode, threads or cores())


def register() -> None:
    """Register every game with Gymnasium: `kakomi/Rin-v0` and so on."""
    for name in catalog.names():
        gymnasium.register(
            id=f"kakomi/{name.capitalize()}-v0",
            entry_point="kakomi.research.gymnasium:OneAgent",
            vector_entry_point="kakomi.research.gymnasium:many_games",
            kwargs={"name": name},
        )
