"""Comparing and counting for one check, up to the first fault."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kakomi.core import Game, Position
from kakomi.research.certify.report import Fault
from kakomi.research.certify.trails import Trail, begun, told

LONGEST_TOLD = 300
"""Characters of a value that a fault shows."""


class DisagreementError(Exception):
    """Something isn't as it must be; the check ends."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(expected, seen)
        self.expected, self.seen = expected, seen


class Inspection:
    """What a check goes over: the positions of random games, each game from its own start.

    It knows how far it has come, so that a fault can tell how to get there.
    """

    def __init__(self, name: str, game: Game, trails: Sequence[Trail]) -> None:
        self.name, self.game, self.trails = name, game, trails
        self.count = 0
        """Comparisons so far."""
        self.place: tuple[int, ...] = ()
        """The actions that led to where the check is."""

    def walks(self) -> Iterator[Iterator[Position]]:
        """For every game an iterator over its positions, from the start."""
        for trail in self.trails:
            yield self.walk(trail)

    def positions(self) -> Iterator[Position]:
        """The positions of all games."""
        for walk in self.walks():
            yield from walk

    def steps(self) -> Iterator[tuple[Position, int, Position]]:
        """Every position with the action that follows and the position after it."""
        for walk in self.walks():
            for before, after in pairwise(walk):
                yield before, self.place[-1], after

    def walk(self, trail: Trail) -> Iterator[Position]:
        """The positions of one game, played anew: no earlier fault has spoiled any of them."""
        position = begun(self.game)
        self.place = ()
        yield position
        for number, action in enumerate(trail.actions, 1):
            position = position.play_action(action)
            self.place = trail.actions[:number]
            yield position

    def same(self, what: str, expected: Any, seen: Any, *then: int) -> None:
        """Two values must be equal; `then` are actions played from the current place."""
        self.holds(what, expected == seen, expected, seen, *then)

    def holds(self, what: str, truth: bool, expected: Any, seen: Any, *then: int) -> None:
        """Something must be true, which is told by what was expected and seen."""
        self.count += 1
        if not truth:
            self.place += then
            raise DisagreementError(f"{what} {clipped(expected)}", clipped(seen))

    def same_actions(self, what: str, expected: Collection[int], seen: Collection[int]) -> None:
        """Two sets of actions must be equal; a fault tells those that only one has."""
        self.count += 1
        missing, added = set(expected) - set(seen), set(seen) - set(expected)
        if missing or added:
            raise DisagreementError(
                f"{what} the same", f"without {self._spelled(missing)}, with {self._spelled(added)} besides"
            )

    def same_facts(self, what: str, expected: Mapping[str, Any], seen: Mapping[str, Any], *then: int) -> None:
        """All that is known of two positions must be equal."""
        for name, value in expected.items():
            self.same(f"{what}: {name}", value, seen[name], *then)

    def fault(self, error: Exception) -> Fault:
        """The fault that an exception tells."""
        texts = self.game.action_texts
        actions = tuple(texts[action] if 0 <= action < len(texts) else str(action) for action in self.place)
        if isinstance(error, DisagreementError):
            return Fault(self.name, actions, error.expected, error.seen)
        return Fault(self.name, actions, "no error", told(error))

    def _spelled(self, actions: Collection[int]) -> str:
        return clipped(", ".join(self.game.action_texts[action] for action in sorted(actions)) or "nothing")


def clipped(value: Any) -> str:
    """A value in so many characters."""
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= LONGEST_TOLD else shown[: LONGEST_TOLD - 1] + "…"
