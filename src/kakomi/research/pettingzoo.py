"""PettingZoo environments: every player is an agent, and they act in turn."""

from typing import Any, Literal

import numpy as np

from kakomi import catalog
from kakomi.core import Game, IllegalAction
from kakomi.extras import needs_extra
from kakomi.research.modes import Illegal, forfeit_returns, whole
from kakomi.research.observation import observe, picture
from kakomi.research.spaces import observation_space

with needs_extra("research"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

Render = Literal["human", "ansi", "rgb_array"]


def pettingzoo_env(
    name: str,
    *,
    render_mode: Render | None = None,
    pixels: bool = False,
    illegal: Illegal | str = Illegal.RAISE,
    **options: Any,
) -> "AgentsInTurn":
    """A game by name, as an agent-environment cycle. Raises ValueError for invalid arguments."""
    return AgentsInTurn(catalog.game(name, **options), render_mode, pixels=pixels, illegal=illegal)


class AgentsInTurn(AECEnv):
    """A game whose players are the agents `player_0`, `player_1` and so on.

    An observation is a dictionary of `observation`, the position from the agent's view, float32 (planes,
    height, width), and `action_mask`, int8, all 0 unless the agent is to act. With `pixels` it is a picture
    of the board, and the mask is in `infos`. Rewards are 0 until the game ends, and then its returns. For an
    illegal action, `step` raises IllegalAction and changes nothing, or with `illegal="loss"` ends the game
    with a loss for its player. Copies and pickles keep the state of the game.
    """

    def __init__(
        self,
        game: Game,
        render_mode: Render | None = None,
        *,
        pixels: bool = False,
        illegal: Illegal | str = Illegal.RAISE,
    ) -> None:
        super().__init__()
        modes = ["human", "ansi", "rgb_array"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode is {render_mode!r}; it may be one of: {', '.join(modes)}")
        self.metadata = {
            "name": f"kakomi_{game.name}_v0",
            "render_modes": modes,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.game, self.render_mode = game, render_mode
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        self.position = game.start()
        """The current position."""
        self.illegal = Illegal.parse(illegal)
        self._forfeited = False
        self._pixels = pixels
        self._spaces = {
            agent: (self._seen_space(), spaces.Discrete(len(game.actions))) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space:
        """The agent's observation space, always the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The agent's action space, always the same object."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. Nothing is random, so the seed has no effect."""
        self.position, self._forfeited = self.game.start(), False
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, np.ndarray] | np.ndarray:
        """An agent's observation, in new arrays."""
        if self._pixels:
            return picture(self.position)
        observation, mask = self._look(agent)
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; it must be None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        returns = self._play(-1 if action is None else whole("action", action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if returns:
            self.rewards = dict(zip(self.agents, returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        """Return the board as text or pixels, or print it."""
        if self.render_mode == "human":
            print(self.position.text())
        if self.render_mode == "rgb_array":
            return picture(self.position)
        return self.position.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _play(self, action: int) -> list[float]:
        """Play an action, and return the returns if it ends the game, otherwise an empty list."""
        try:
            self.position = self.position.play_action(action)
        except IllegalAction:
            if self.illegal is Illegal.RAISE:
                raise
            self._forfeited = True
            return forfeit_returns(self.game.players, self.position.to_move)
        return self.position.returns() if self.position.is_over else []

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.position.to_move]
        if self._pixels:
            self.infos = {agent: {"action_mask": self._look(agent)[1]} for agent in self.agents}

    def _look(self, agent: str) -> tuple[np.ndarray, np.ndarray]:
        observation, mask = observe(self.position, self.possible_agents.index(agent))
        return observation, np.zeros_like(mask) if self._forfeited else mask

    def _seen_space(self) -> spaces.Space:
        if self._pixels:
            return spaces.Box(0, 255, picture(self.position).shape, np.uint8)
        return observation_space(self.game)
