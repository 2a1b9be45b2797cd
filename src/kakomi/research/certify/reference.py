"""Comparing a game with a slow second implementation of its rules."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from kakomi.core import Position
from kakomi.research.certify.inspection import Inspection


class Reference(Protocol):
    """One game of another implementation, which `play` changes; points and actions are named by texts."""

    to_move: int

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def legal(self) -> Collection[str]:
        """The legal actions; none when the game is over."""

    def play(self, text: str, /) -> None:
        """Carry out a legal action."""

    def stones(self) -> Mapping[str, int]:
        """Point -> player, for every point with a stone."""

    def scores(self) -> Sequence[float]:
        """Each player's score as it stands."""


def compared_with(begin: Callable[[], Reference]) -> Callable[[Inspection], None]:
    """The check of a game against a reference, of which `begin` begins a game."""

    def reference(inspection: Inspection) -> None:
        """Another implementation of the rules says the same at every position."""
        texts = inspection.game.action_texts
        for walk in inspection.walks():
            other = begin()
            for position in walk:
                if inspection.place:
                    other.play(texts[inspection.place[-1]])
                inspection.same_facts("by the reference", _facts(other), _facts_of(position))

    return reference


def _facts(reference: Reference) -> dict[str, object]:
    return {
        "legal actions": sorted(reference.legal()),
        "game over": reference.is_over,
        "player to act": None if reference.is_over else reference.to_move,
        "stones": dict(reference.stones()),
        "scores": list(reference.scores()),
    }


def _facts_of(position: Position) -> dict[str, object]:
    return {
        "legal actions": sorted(position.legal()),
        "game over": position.is_over,
        "player to act": None if position.is_over else position.to_move,
        "stones": position.stones(),
        "scores": position.scores(),
    }
