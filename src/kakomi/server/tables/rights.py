"""What somebody may do at a table beside playing."""

from dataclasses import dataclass

from kakomi.server.tables.permissions import Viewer
from kakomi.session import Table


@dataclass(frozen=True)
class Rights:
    """For the seats of one viewer; nothing while somebody is still waited for."""

    table: Table
    viewer: Viewer

    @property
    def swap(self) -> bool:
        """Whether colours can be swapped instead of playing."""
        return self.viewer.acting(self.table) is not None and self.table.match.leg.may_swap

    @property
    def undoes_freely(self) -> bool:
        """Whether nobody else has to be asked for a takeback."""
        people = {seat.number for seat in self.viewer.seats if not seat.bot}
        return people == set(self.viewer.own)

    @property
    def undo(self) -> str:
        """How they take back or ask for it, as a deed; empty if they can't."""
        seat = self.viewer.undoing(self.table)
        deeds = [deed for deed in ("takeback", "offer takeback") if self._may(seat, *deed.split())]
        return deeds[0] if deeds else ""

    @property
    def offer_draw(self) -> bool:
        """Whether they can offer a draw."""
        return self._speaks("offer", "draw")

    @property
    def resign(self) -> bool:
        """Whether there is a game to give up."""
        return self._speaks("resign")

    @property
    def answer(self) -> bool:
        """Whether an open offer waits for them."""
        return self.viewer.answering(self.table) is not None

    @property
    def withdraw(self) -> bool:
        """Whether an open offer is theirs."""
        return self.table.offer is not None and self.table.offer.seat in self.viewer.own

    @property
    def rematch(self) -> bool:
        """Whether they can ask for another match."""
        return self.viewer.is_player and self.table.is_over

    def _speaks(self, kind: str, value: str | None = None) -> bool:
        return self._may(self.viewer.speaking(self.table), kind, value)

    def _may(self, seat: int | None, kind: str, value: str | None = None) -> bool:
        return seat is not None and not self.viewer.free and self.table.may(seat, kind, value)
