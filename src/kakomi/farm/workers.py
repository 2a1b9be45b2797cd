"""What a farm asks of those who work for it."""

from typing import Protocol

from kakomi.farm.piece import Outcome


class Workers(Protocol):
    """Those who do pieces, which are known by numbers and come as `Piece.packed` makes them."""

    def count(self) -> int:
        """How many pieces they do at a time."""

    def room(self) -> int:
        """How many more pieces they would take."""

    def begin(self, number: int, packed: bytes) -> None:
        """Have a piece done."""

    def ended(self) -> list[tuple[int, Outcome]]:
        """Wait for pieces to end: the numbers of those that have, and how. After a while there may be none.
        A worker that died is replaced."""

    def abandon(self) -> None:
        """Stop whatever is under way, at once."""

    def close(self) -> None:
        """Let all of them go, at once."""
