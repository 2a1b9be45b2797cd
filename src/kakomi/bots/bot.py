"""What a bot is, and the two kinds there are."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

from kakomi.bots.komi import fair_komi
from kakomi.core import Game, Position
from kakomi.kernel import below, random_state
from kakomi.search import Report, Search


class Bot(ABC):
    """A player, of any game. Bots are seeded: the same seed and calls give the same play."""

    progress: Callable[[float], None] | None = None
    """Called while the bot thinks with the part of its time that is used up, from 0 to 1."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        """What people are told."""
        self._seed = seed

    @abstractmethod
    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """The number of the action to play; soon after `stop` is set the best found so far.

        Raises ValueError if the game is over.
        """

    def name_komi(self, game: Game) -> int:
        """The komi to offer as first player (RULES L5): the one that makes both colours worth the same."""
        return fair_komi(game, self._seed)

    def choose_player(self, game: Game, komi: int) -> int:
        """The player to be, 0 or 1, when the other has named a komi (RULES L5)."""
        return 1 if komi > fair_komi(game, self._seed) else 0

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether to take over the first player's stones after the first turn."""
        del position, stop
        return False


class RandomBot(Bot):
    """Plays any legal action, each as likely as the others."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("random", seed)
        self._rng = random_state(seed)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """A random legal action."""
        del stop
        legal = position.legal_actions()
        if not legal:
            raise ValueError("the game is over: there is nothing to choose")
        chosen: int = legal[below(self._rng, len(legal))]
        return chosen


class SearchBot(Bot):
    """Plays what a tree search finds within its limits: simulations or seconds an action, or both."""

    def __init__(
        self,
        *,
        name: str = "search",
        simulations: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(name, seed)
        self._search: Search | None = None
        self._simulations = simulations
        self._seconds = seconds

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """The action searched most; without a search if there is only one."""
        legal = position.legal_actions()
        action: int = legal[0] if len(legal) == 1 else self.think(position, stop=stop).action
        return action

    def think(self, position: Position, *, stop: threading.Event | None = None) -> Report:
        """Search a position within this bot's limits. Raises ValueError if the game is over."""
        if self._search is None or self._search.game != position.game:
            self._search = Search(position.game, seed=self._seed)
        return self._search.run(
            position,
            simulations=self._simulations,
            seconds=self._seconds,
            stop=stop,
            on_slice=self._tell if self.progress else None,
        )

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether the other side looks better."""
        return self.think(position, stop=stop).values[position.to_move] < 0

    def _tell(self, report: Report) -> None:
        parts = (
            report.simulations / self._simulations if self._simulations else 0.0,
            report.seconds / self._seconds if self._seconds else 0.0,
        )
        if self.progress:
            self.progress(min(1.0, max(parts)))
