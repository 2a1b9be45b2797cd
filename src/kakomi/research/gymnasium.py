"""Gymnasium: one agent against bots or itself, and many games at once.

`import kakomi.research` registers `kakomi/Rin-v0` and the others.
"""

from functools import partial
from typing import Any, Literal

import numpy as np

from kakomi import catalog
from kakomi.bots import Bot, make_bot
from kakomi.core import IllegalAction, Position
from kakomi.extras import needs_extra
from kakomi.research.modes import Autoreset, Illegal, forfeit_returns
from kakomi.research.observation import observe, picture
from kakomi.research.spaces import LegalActions, LegalActionsOfMany, actions_space, planes_space
from kakomi.research.vector import VectorEnv

with needs_extra("research"):
    import gymnasium
    from gymnasium.vector import AutoresetMode

Render = Literal["ansi", "rgb_array"]


class OneAgent(gymnasium.Env):
    """A game in which the agent takes one seat and bots the others, or the agent all of them.

    An observation is what the player to act sees, float32 (planes, height, width); `info` has
    `action_mask` (int8) and `to_move`. The reward is 0 until the game ends and then the return of the
    agent, or if it takes all seats of the player who acted last. `step` raises IllegalAction for what
    isn't legal and leaves everything as it was, or with `illegal="loss"` ends the game, which its player
    has lost; `action_space.sample()` draws what is legal.

    Args: `name` of the game; `opponent`, a bot's name such as "3" or "random", None for the agent itself;
    `seat` of the agent against bots; `illegal`, "raise" or "loss"; the game's options. Raises ValueError for
    what there isn't.
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
        if not 0 <= seat < self.game.players:
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
        """Reset; the seed is the bots'."""
        super().reset(seed=seed)
        self._bots = self._seated(int(self.np_random.integers(2**31)))
        self.position, self._forfeited = self.game.start(), False
        self._let_bots_play()
        return self._seen()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action, and those of the bots up to the agent's next."""
        actor = self.position.to_move
        try:
            self.position = self._after(int(action))
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
        """The mask of legal actions (int8), under the name that libraries with masked policies use."""
        mask = observe(self.position)[1]
        return np.zeros_like(mask) if self._forfeited else mask

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

    Observations, rewards and `infos` are as with `OneAgent`, in new arrays; `infos["returns"]` has every
    player's. `action_space.sample()` draws what is legal. Raises ValueError for what there isn't.
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
        """Reset all games, or with `options={"reset_mask": ...}` only those. Nothing is random."""
        self.games.reset(games=(options or {}).get("reset_mask"))
        return self.games.buffers.observations.copy(), self._info()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game."""
        actors = self.games.buffers.to_move.astype(np.intp)
        seen = self.games.step(actions)
        rewards = seen.rewards[np.arange(self.num_envs), actors].astype(np.float64)
        info = self._info()
        if self.games.autoreset is Autoreset.SAME_STEP:
            info |= {"final_obs": self.games.final_observations.copy(), "_final_obs": seen.done.copy()}
        truncated = np.zeros(self.num_envs, np.bool_)
        return seen.observations.copy(), rewards, seen.done.copy(), truncated, info

    def action_masks(self) -> np.ndarray:
        """Which actions are legal now (int8; num_envs, actions)."""
        return self.games.buffers.masks.view(np.int8)

    def close_extras(self, **_: Any) -> None:
        """Let go of the threads."""
        self.games.close()

    def _info(self) -> dict[str, Any]:
        seen = self.games.buffers
        return {
            "action_mask": self.action_masks().copy(),
            "to_move": seen.to_move.copy(),
            "returns": seen.rewards.copy(),
        }


def many_games(
    name: str,
    num_envs: int = 1,
    *,
    opponent: str | None = None,
    seat: int = 0,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    **settings: Any,
) -> gymnasium.vector.VectorEnv:
    """The environment for `gymnasium.make_vec`: `ManyGames`, or with an opponent one `OneAgent` after the
    other, because bots think about one position at a time. Raises ValueError for unknown options."""
    if opponent is None:
        return ManyGames(name, num_envs, autoreset_mode=autoreset_mode, **settings)
    one = partial(OneAgent, name, opponent=opponent, seat=seat, **settings)
    return gymnasium.vector.SyncVectorEnv([one] * num_envs, autoreset_mode=autoreset_mode)


def register() -> None:
    """Let Gymnasium make every game: `kakomi/Rin-v0` and so on."""
    for name in catalog.names():
        gymnasium.register(
            id=f"kakomi/{name.capitalize()}-v0",
            entry_point="kakomi.research.gymnasium:OneAgent",
            vector_entry_point="kakomi.research.gymnasium:many_games",
            kwargs={"name": name},
        )
