"""The random games that checks run on, queries of their states, and the inspection up to the first fault."""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kakomi.core import Game, Position
from kakomi.kernel import random_state
from kakomi.research import steps
from kakomi.research.certify.report import Fault
from kakomi.research.observation import observe


def sampled(game: Game, states: np.ndarray, seed: int) -> int:
    """A random action drawn by the rules; 0 if the game is over."""
    return int(drawn(game, states, seed, 1)[0])


def drawn(game: Game, states: np.ndarray, seed: int, count: int) -> np.ndarray:
    """Random actions (int64, count) drawn by the rules for the same states from one generator."""
    actions, played, rngs = np.zeros(count, np.int64), np.zeros(1, np.int8), random_state(seed)[None]
    for i in range(count):
        steps.sample_games(game.board, states, game.scratch, played, rngs, actions[i : i + 1])
    return actions


def is_legal(game: Game, states: np.ndarray, action: int) -> bool:
    """Whether an action is legal by the rules' own test; always true if the game is over."""
    played = np.zeros(1, np.int8)
    return int(steps.find_illegal(game.board, states, game.scratch, np.array([action]), played)) < 0


def snapshot(position: Position) -> dict[str, Any]:
    """All facts about a position, by name."""
    return {
        "player to act": position.to_move,
        "game over": position.is_over,
        "stones": position.stones(),
        "kinds": position.kinds(),
        "legal actions": position.legal(),
        "scores": position.scores(),
        "key": position.key().hex(),
    }


def appearance(position: Position) -> tuple[Any, ...]:
    """The player to act, the scores, the observation and the mask: all that matters to further play."""
    observation, mask = observe(position)
    return position.to_move, tuple(position.scores()), observation.tobytes(), mask.tobytes()


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """Up to `count` evenly spread items, including the first and the last."""
    if len(items) <= count:
        return list(items)
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]


MOST_PLIES_A_POINT = 200
"""A random game with more plies per point of the board counts as endless."""


@dataclass(frozen=True)
class RandomGame:
    """One random game, up to its end or to the last position before its rules failed."""

    actions: tuple[int, ...]
    error: str = "none"
    """The text of an error that the rules raised."""
    failing: tuple[int, ...] = ()
    """The actions that led to the error."""


def random_game(game: Game, seed: str) -> RandomGame:
    """Play a random game, calling all queries of the rules at every position."""
    chance = random.Random(seed)
    actions: list[int] = []
    try:
        position = fresh_start(game)
        _ask_everything(position)
        while not position.is_over and position.ply < most_plies(game):
            actions.append(chance.choice(position.legal_actions()))
            position = position.play_action(actions[-1])
            _ask_everything(position)
    except Exception as error:  # faulty rules may raise anything
        return RandomGame(tuple(actions[:-1]), error_text(error), tuple(actions))
    return RandomGame(tuple(actions))


def fresh_start(game: Game) -> Position:
    """A new start position: `game.start()` always returns the same object."""
    return Game(game.description, game.options).start()


def most_plies(game: Game) -> int:
    """The number of actions after which a random game is cut off."""
    cut_off = game.cut_off
    return MOST_PLIES_A_POINT * game.geometry.points if cut_off is None else cut_off


def error_text(error: Exception) -> str:
    """An error's type and message."""
    return f"{type(error).__name__}: {error}"


def _ask_everything(position: Position) -> None:
    position.legal_actions()
    position.scores()
    for player in range(position.game.players):
        observe(position, player)
    sampled(position.game, position.states(), position.ply)


LONGEST_VALUE = 300
"""The most characters of a value to show in a fault."""


class DisagreementError(Exception):
    """A comparison failed; the check ends."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(expected, seen)
        self.expected, self.seen = expected, seen


class Inspection:
    """The subject of a check: the positions of random games. It records the actions to the current position,
    so that a fault can name them."""

    def __init__(self, name: str, game: Game, games: Sequence[RandomGame]) -> None:
        self.name, self.game, self.random_games = name, game, games
        self.count = 0
        """The number of comparisons so far."""
        self.place: tuple[int, ...] = ()
        """The actions that led to the current position."""

    def walks(self) -> Iterator[Iterator[Position]]:
        """For every game, an iterator over its positions, from the start."""
        for one in self.random_games:
            yield self.walk(one)

    def positions(self) -> Iterator[Position]:
        """The positions of all games."""
        for walk in self.walks():
            yield from walk

    def steps(self) -> Iterator[tuple[Position, int, Position]]:
        """Every position, the action that follows, and the position after it."""
        for walk in self.walks():
            for before, after in pairwise(walk):
                yield before, self.place[-1], after

    def walk(self, one: RandomGame) -> Iterator[Position]:
        """The positions of one game, replayed so that no earlier check can have corrupted them."""
        position = fresh_start(self.game)
        self.place = ()
        yield position
        for number, action in enumerate(one.actions, 1):
            position = position.play_action(action)
            self.place = one.actions[:number]
            yield position

    def same(self, what: str, expected: Any, seen: Any, *then: int) -> None:
        """Check that two values are equal; `then` are actions played from the current position."""
        self.holds(what, expected == seen, expected, seen, *then)

    def holds(self, what: str, truth: bool, expected: Any, seen: Any, *then: int) -> None:
        """Raise DisagreementError, with what was expected and seen, unless a condition holds."""
        self.count += 1
        if not truth:
            self.place += then
            raise DisagreementError(f"{what} {clipped(expected)}", clipped(seen))

    def same_actions(self, what: str, expected: Collection[int], seen: Collection[int]) -> None:
        """Check that two sets of actions are equal; a fault names the differences."""
        self.count += 1
        missing, added = set(expected) - set(seen), set(seen) - set(expected)
        if missing or added:
            raise DisagreementError(
                f"{what} the same", f"without {self._spelled(missing)}, with {self._spelled(added)} besides"
            )

    def same_facts(self, what: str, expected: Mapping[str, Any], seen: Mapping[str, Any], *then: int) -> None:
        """Check that all expected facts are equal in another position."""
        for name, value in expected.items():
            self.same(f"{what}: {name}", value, seen[name], *then)

    def fault(self, error: Exception) -> Fault:
        """The fault for an exception."""
        texts = self.game.action_texts
        actions = tuple(texts[action] if 0 <= action < len(texts) else str(action) for action in self.place)
        if isinstance(error, DisagreementError):
            return Fault(self.name, actions, error.expected, error.seen)
        return Fault(self.name, actions, "no error", error_text(error))

    def _spelled(self, actions: Collection[int]) -> str:
        return clipped(", ".join(self.game.action_texts[action] for action in sorted(actions)) or "nothing")


def clipped(value: Any) -> str:
    """A value as text of at most `LONGEST_VALUE` characters."""
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= LONGEST_VALUE else shown[: LONGEST_VALUE - 1] + "…"
