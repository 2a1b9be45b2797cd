"""Who looks at a table, and what they may do there."""

from dataclasses import dataclass
from functools import cached_property

from kakomi.server.accounts.models import Guest
from kakomi.server.database import Prepared
from kakomi.server.tables import models
from kakomi.session import Table

_SEATS = Prepared(lambda table: models.Seat.objects.filter(table=table))
_GUESTS = Prepared(lambda table: Guest.objects.filter(seats__table=table))


@dataclass(frozen=True)
class Viewer:
    """Somebody before a table. A guest may own several seats, when people share a screen."""

    guest: Guest | None
    seats: tuple[models.Seat, ...]
    """All of the table, by number."""

    @staticmethod
    def of(row: models.Table, guest: Guest | None) -> "Viewer":
        """Who this guest is at a table."""
        return Viewer(guest, tuple(seats_of(row, guest)))

    @cached_property
    def own(self) -> tuple[int, ...]:
        """The numbers of the guest's seats; none for a spectator."""
        if self.guest is None:
            return ()
        return tuple(seat.number for seat in self.seats if seat.guest_id == self.guest.pk)

    @property
    def is_player(self) -> bool:
        """Whether the guest sits at the table."""
        return bool(self.own)

    @property
    def shares_screen(self) -> bool:
        """Whether the guest plays for several seats."""
        return len(self.own) > 1

    @property
    def faces_people(self) -> bool:
        """Whether the guest plays against somebody else, here already or still to come."""
        guest = self.guest.pk if self.guest else None
        return self.is_player and any(not seat.bot and seat.guest_id != guest for seat in self.seats)

    @cached_property
    def free(self) -> tuple[models.Seat, ...]:
        """The seats that nobody has taken."""
        return tuple(seat for seat in self.seats if seat.is_free)

    def acting(self, table: Table) -> int | None:
        """The guest's seat that something is wanted of now; None if it is not their turn."""
        wanted = table.to_act
        return wanted if wanted in self.own and not self.free else None

    def speaking(self, table: Table) -> int | None:
        """The seat for which the guest resigns or offers: to act, else the first still in the game."""
        acting = self.acting(table)
        if acting is not None or not self.own:
            return acting
        gone = table.match.leg.resigned_seats
        return next((number for number in self.own if number not in gone), self.own[0])

    def undoing(self, table: Table) -> int | None:
        """The seat for which the guest takes back: the one that acted last, if it is theirs."""
        last = table.match.last
        return last.seat if last and last.seat in self.own else self.speaking(table)

    def answering(self, table: Table) -> int | None:
        """The guest's seat that an open offer waits for."""
        waiting = table.offer.waiting if table.offer else ()
        return next((number for number in self.own if number in waiting), None)


def seats_of(row: models.Table, guest: Guest | None) -> list[models.Seat]:
    """The seats of a table with their guests, of whom one may be known already."""
    seats = _SEATS.rows(row.pk)
    known: dict[int | None, Guest] = {guest.pk: guest} if guest else {}
    if not {seat.guest_id for seat in seats} <= {None, *known}:
        known |= {other.pk: other for other in _GUESTS.rows(row.pk)}
    for seat in seats:
        seat.table, seat.guest = row, known.get(seat.guest_id)
    return seats
