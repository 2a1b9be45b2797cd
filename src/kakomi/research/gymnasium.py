"""Gymnasium: one agent against bots or itself, and many games at once.

`import kakomi.research` registers `kakomi/Rin-v0` and the others.
"""

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from kakomi import catalog
from kakomi.bots import Bot, make_bot
from kakomi.research.autoreset import Autoreset
from kakomi.research.look import look, picture
from kakomi.research.spaces import Actions, planes_space
from kakomi.research.vector import VectorEnv

Render = Literal["ansi", "rgb_array"]


class OneAgent(gymnasium.Env):
    """A game in which the agent takes one seat and bots the others, or the agent all of them.

    An observation is what the player to act sees, float32 (planes, height, width); `info` has
    `action_mask` (int8) and `to_move`. The reward is 0 until the game ends and then the return of the
    agent, or if it takes all seats of the player who acted last. `step` raises IllegalAction for what
    isn't allowed and leaves everything as it was; `action_space.sample()` draws what is.

    Args: `name` of the game; `opponent`, a bot's name such as "3" or "random", None for the agent itself;
    `seat` of the agent against bots; the game's options. Raises ValueError for what there isn't.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        *,
        opponent: str | None = None,
        seat: int = 0,
        render_mode: Render | None = None,
        **options: Any,
    ) -> None:
        self.game = catalog.game(name, **options)
        if not 0 <= seat < self.game.players:
            raise ValueError(f"seat is {seat}; there are 0 to {self.game.players - 1}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}; it may be ansi or rgb_array")
        self.opponent, self.seat, self.render_mode = opponent, seat, render_mode
        self.position = self.game.start()
        """What the game has come to."""
        self._bots: dict[int, Bot] = self._seated(0)
        self.observation_space = planes_space(self.game)
        self.action_space = Actions(self.game, self.action_masks)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin anew; the seed is the bots'."""
        super().reset(seed=seed)
        self._bots = self._seated(int(self.np_random.integers(2**31)))
        self.position = self.game.start()
        self._let_bots_play()
        return self._seen()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action, and those of the bots up to the agent's next."""
        actor = self.position.to_move
        self.position = self.position.play_action(int(action))
        self._let_bots_play()
        observation, info = self._seen()
        reward = self.position.returns()[actor] if self.position.is_over else 0.0
        return observation, reward, self.position.is_over, False, info

    def action_masks(self) -> np.ndarray:
        """Which actions are legal now (int8); what libraries with masked policies ask for."""
        return look(self.position)[1]

    def render(self) -> Any:
        """The board as text or as pixels."""
        if self.render_mode == "ansi":
            return self.position.text()
        return picture(self.position) if self.render_mode == "rgb_array" else None

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
        observation, mask = look(self.position)
        return observation, {"action_mask": mask, "to_move": self.position.to_move}


class ManyGames(gymnasium.vector.VectorEnv):
    """Many games of an agent that takes all seats, stepped by `kakomi.research.VectorEnv`.

    Observations, rewards and `infos` are as with `OneAgent`, in new arrays; `infos["returns"]` has every
    player's. Raises ValueError with an opponent: `vectorization_mode="sync"` can have one.
    """

    def __init__(
        self,
        name: str,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        opponent: str | None = None,
        **options: Any,
    ) -> None:
        if opponent is not None:
            raise ValueError("opponents play in make_vec(..., vectorization_mode='sync') alone")
        game = catalog.game(name, **options)
        self.games = VectorEnv(game, num_envs, autoreset=Autoreset[autoreset_mode.name], threads=threads)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": autoreset_mode}
        self.single_observation_space = planes_space(game)
        self.single_action_space = spaces.Discrete(len(game.actions))
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin anew, or with `options={"reset_mask": ...}` those games alone. Nothing is random."""
        self.games.reset(games=(options or {}).get("reset_mask"))
        return self.games.shown.observations.copy(), self._info()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game."""
        actors = self.games.shown.to_move.astype(np.intp)
        shown = self.games.step(actions)
        rewards = shown.rewards[np.arange(self.num_envs), actors].astype(np.float64)
        info = self._info()
        if self.games.autoreset is Autoreset.SAME_STEP:
            info |= {"final_obs": self.games.final_observations.copy(), "_final_obs": shown.done.copy()}
        truncated = np.zeros(self.num_envs, np.bool_)
        return shown.observations.copy(), rewards, shown.done.copy(), truncated, info

    def close_extras(self, **_: Any) -> None:
        """Let go of the threads."""
        self.games.close()

    def _info(self) -> dict[str, Any]:
        shown = self.games.shown
        return {
            "action_mask": shown.masks.view(np.int8).copy(),
            "to_move": shown.to_move.copy(),
            "returns": shown.rewards.copy(),
        }


def register() -> None:
    """Let Gymnasium make every game: `kakomi/Rin-v0` and so on."""
    for name in catalog.names():
        gymnasium.register(
            id=f"kakomi/{name.capitalize()}-v0",
            entry_point="kakomi.research.gymnasium:OneAgent",
            vector_entry_point="kakomi.research.gymnasium:ManyGames",
            kwargs={"name": name},
        )
