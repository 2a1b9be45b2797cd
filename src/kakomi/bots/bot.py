"""The bot interface, and bots that play at random, by search, or like a beginner."""

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
"""The minimum number of simulations for choosing a komi, however weak the bot: it decides the whole game."""
_DRAWS = 2**30


class Bot(ABC):
    """A player of any game. The same seed and the same calls give the same play."""

    progress: Callable[[float], None] | None = None
    """Called while the bot thinks, with the fraction of its limits used so far, from 0 to 1."""
    last_report: Report | None = None
    """The report of the running or latest search; None if the last action needed no search."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        """The display name."""
        self._seed = seed

    def check(self, game: Game) -> None:
        """Raise ValueError with the reason if this bot can't play the game. By default it plays any."""
        del game

    @abstractmethod
    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """Return the number of the action to play. Soon after `stop` is set, it is the best found so far.

        Raises ValueError if the game is over.
        """

    def name_komi(self, game: Game) -> int:
        """Return the komi to offer as first player (RULES L5), which makes both colours equally good."""
        return named_komi(game, self._first_leads)

    def choose_player(self, game: Game, komi: int) -> int:
        """Return which player to be, 0 or 1, after the opponent has named a komi (RULES L5)."""
        return better_player(game, komi, self._first_leads)

    def _first_leads(self, game: Game) -> float:
        """Estimate the first player's advantage; used when no fair komi is known."""
        return lead_of_random_play(game, self._seed)

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether to take over the first player's stones after the first turn."""
        del position, stop
        return False


class RandomBot(Bot):
    """Plays a uniformly random legal action."""

    def __init__(self, seed: int = 0, name: str = "random") -> None:
        super().__init__(name, seed)
        self._rng = random_state(seed)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """Return a random eligible action. Raises ValueError if the game is over."""
        del stop
        if position.is_over:
            raise ValueError("the game is over: there is nothing to choose")
        actions = self._eligible(position)
        chosen: int = actions[below(self._rng, len(actions))]
        return chosen

    def _eligible(self, position: Position) -> list[int]:
        return list(position.legal_actions())


class SearchBot(Bot):
    """Plays the result of a tree search, limited in simulations or seconds per action, or in both."""

    def __init__(self, spec: BotSpec, *, name: str = "search", seed: int = 0) -> None:
        super().__init__(name, seed)
        self._spec = spec
        self._search: Search | None = None
        self._rng = random_state(seed)

    def check(self, game: Game) -> None:
        """Raise ValueError if the network or the patterns of the search are missing or for another game."""
        self._spec.check(game)

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """Return the action found by the search. A sole legal action is returned without a search."""
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
        """Draw one of the searched actions, weighted by visits and the bot's temperature."""
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
    """Maximises its lead in points after each action, and breaks ties at random."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, "beginner")

    def _eligible(self, position: Position) -> list[int]:
        """The actions after which the player is furthest ahead."""
        legal = position.legal_actions()
        leads = [_lead(position.play_action(action), position.to_move) for action in legal]
        return [action for action, lead in zip(legal, leads, strict=True) if lead == max(leads)]


def _lead(position: Position, player: int) -> float:
    """Return the player's lead over the best opponent, in points."""
    scores = list(position.scores())
    own = scores.pop(player)
    return float(own - max(scores))
