"""Bots: their interface, and those that play at random, by search, and as beginners do."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from kakomi.bots.komi import better_player, lead_of_random_play, named_komi
from kakomi.bots.spec import BotSpec
from kakomi.core import Game, Position
from kakomi.kernel import below, random_state
from kakomi.search import Line, Report, Search

KOMI_SIMULATIONS = 2_000
"""The least number of simulations for a komi, however weak the bot: the komi decides the whole game."""
_DRAWS = 2**30


class Bot(ABC):
    """A player, of any game. Bots are seeded: the same seed and calls give the same play."""

    progress: Callable[[float], None] | None = None
    """Called while the bot thinks with the part of its time that is used up, from 0 to 1."""
    last_report: Report | None = None
    """The report of the last action's search, or of the running one; None if there was none."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        """The name that people see."""
        self._seed = seed

    def check(self, game: Game) -> None:
        """Raises ValueError, saying why, for a game that this bot can't play; by default it can play all."""
        del game

    @abstractmethod
    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """The number of the action to play; soon after `stop` is set the best found so far.

        Raises ValueError if the game is over.
        """

    def name_komi(self, game: Game) -> int:
        """The komi to offer as first player (RULES L5): the one that makes both colours worth the same."""
        return named_komi(game, self._first_leads)

    def choose_player(self, game: Game, komi: int) -> int:
        """The player to be, 0 or 1, when the other has named a komi (RULES L5)."""
        return better_player(game, komi, self._first_leads)

    def _first_leads(self, game: Game) -> float:
        """The first player's advantage, where no fair komi is known."""
        return lead_of_random_play(game, self._seed)

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether to take over the first player's stones after the first turn."""
        del position, stop
        return False


class RandomBot(Bot):
    """Plays any legal action, each as likely as the others."""

    def __init__(self, seed: int = 0, name: str = "random") -> None:
        super().__init__(name, seed)
        self._rng = random_state(seed)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """One of the actions that come into question. Raises ValueError if the game is over."""
        del stop
        if position.is_over:
            raise ValueError("the game is over: there is nothing to choose")
        actions = self._eligible(position)
        chosen: int = actions[below(self._rng, len(actions))]
        return chosen

    def _eligible(self, position: Position) -> list[int]:
        return list(position.legal_actions())


class SearchBot(Bot):
    """Plays what a tree search finds within its limits: simulations or seconds an action, or both."""

    def __init__(self, spec: BotSpec, *, name: str = "search", seed: int = 0) -> None:
        super().__init__(name, seed)
        self._spec = spec
        self._search: Search | None = None
        self._rng = random_state(seed)

    def check(self, game: Game) -> None:
        """Raises ValueError if what advises the search is not for this game, or is missing."""
        self._spec.check(game)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """The best action found; without a search if there is only one."""
        legal = position.legal_actions()
        if len(legal) == 1:
            self.last_report = None
            only: int = legal[0]
            return only
        report = self.think(position, stop=stop)
        if self._spec.temperature == 0 or report.lines[0].wins:
            return report.action
        return self._draw([line for line in report.lines if not line.loses] or list(report.lines))

    def _draw(self, lines: list[Line]) -> int:
        """One of the searched actions by the bot's temperature."""
        weights = np.array([line.visits for line in lines], float) / max(line.visits for line in lines)
        bounds = np.cumsum(weights ** (1 / self._spec.temperature))
        at = below(self._rng, _DRAWS) / _DRAWS * bounds[-1]
        return lines[int(np.searchsorted(bounds, at, side="right"))].action

    def think(self, position: Position, *, stop: threading.Event | None = None) -> Report:
        """Search a position within this bot's limits. Raises ValueError if the game is over."""
        if self._search is None or self._search.game != position.game:
            self._search = self._spec.make_search(position.game, self._seed)
        self.last_report = self._search.run(
            position,
            simulations=self._spec.simulations,
            seconds=self._spec.seconds,
            stop=stop,
            on_slice=self._tell if self.progress else None,
        )
        return self.last_report

    def _first_leads(self, game: Game) -> float:
        simulations = self._spec.simulations
        return (
            self._spec.make_search(game, self._seed)
            .run(
                game.start(),
                simulations=None if simulations is None else max(simulations, KOMI_SIMULATIONS),
                seconds=self._spec.seconds,
            )
            .returns[0]
        )

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether the other side looks better."""
        return self.think(position, stop=stop).returns[position.to_move] < 0

    def _tell(self, report: Report) -> None:
        self.last_report = report
        if self.progress:
            self.progress(report.part_of(self._spec.simulations, self._spec.seconds))


class BeginnerBot(RandomBot):
    """Takes what captures or scores most now, else plays at random."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, "beginner")

    def _eligible(self, position: Position) -> list[int]:
        """The actions after which the player is furthest ahead."""
        legal = position.legal_actions()
        leads = [_lead(position.play_action(action), position.to_move) for action in legal]
        return [action for action, lead in zip(legal, leads, strict=True) if lead == max(leads)]


def _lead(position: Position, player: int) -> float:
    """By how many points a player is ahead of the best of the others."""
    scores = list(position.scores())
    own = scores.pop(player)
    return float(own - max(scores))
