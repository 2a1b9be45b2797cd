"""Viewers of a table, and their permissions."""

from dataclasses import dataclass

from django.utils.functional import cached_property

from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors
from kakomi.session import Table


@dataclass(frozen=True)
class Viewer:
    """A viewer of a table. A guest may own several seats, when people share a screen."""

    guest: Guest | None
    seats: tuple[models.Seat, ...]
    """All of the table, by number."""

    @staticmethod
    def of(row: models.Table, guest: Guest | None) -> "Viewer":
        """The guest as a viewer of a table."""
        return Viewer(guest, tuple(selectors.seats_of(row)))

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
    def is_alone(self) -> bool:
        """Whether the guest plays for one seat, against bots alone."""
        return len(self.own) == 1 and all(seat.bot or seat.number in self.own for seat in self.seats)

    @property
    def faces_people(self) -> bool:
        """Whether the guest plays against another person, present or still invited."""
        guest = self.guest.pk if self.guest else None
        return self.is_player and any(not seat.bot and seat.guest_id != guest for seat in self.seats)

    @cached_property
    def free(self) -> tuple[models.Seat, ...]:
        """The free seats."""
        return tuple(seat for seat in self.seats if seat.is_free)

    def playing(self, table: Table) -> tuple[int, ...]:
        """The guest's seats, without those where a bot has taken over."""
        return tuple(number for number in self.own if not table.match.seats[number].is_bot)

    def acting(self, table: Table) -> int | None:
        """The guest's seat that is to act; None if it is not their turn."""
        wanted = table.to_act
        return wanted if wanted in self.playing(table) and not self.free else None

    def speaking(self, table: Table) -> int | None:
        """The seat for which the guest resigns or offers: to act, else the first still in the game.

        None for a spectator, and where bots have taken over.
        """
        acting, playing = self.acting(table), self.playing(table)
        if acting is not None or not playing:
            return acting
        gone = table.match.current_game.resigned_seats
        return next((number for number in playing if number not in gone), playing[0])

    def undoing(self, table: Table) -> int | None:
        """The seat for which the guest takes back: the one that acted last, if it is theirs."""
        last = table.match.last
        return last.seat if last and last.seat in self.playing(table) else self.speaking(table)

    def answering(self, table: Table) -> int | None:
        """The guest's seat that an open offer waits for."""
        waiting = table.offer.waiting if table.offer else ()
        return next((number for number in self.own if number in waiting), None)


def is_left_alone(row: models.Table, viewer: Viewer) -> bool:
    """Whether nobody may help a viewer there, as they play against other people or for their rating."""
    return viewer.faces_people or (viewer.is_player and row.is_rated)


@dataclass(frozen=True)
class Permissions:
    """A viewer's permissions beside playing; none while a seat is free."""

    table: Table
    viewer: Viewer

    @property
    def swap(self) -> bool:
        """Whether colours can be swapped instead of playing."""
        return self.viewer.acting(self.table) is not None and self.table.match.current_game.may_swap

    @property
    def undoes_freely(self) -> bool:
        """Whether a takeback needs nobody's consent."""
        people = {seat.number for seat in self.viewer.seats if not seat.bot}
        return people == set(self.viewer.own)

    @property
    def undo(self) -> str:
        """The command of the takeback button; empty if there is nothing to take back."""
        seat = self.viewer.undoing(self.table)
        kinds = [kind for kind in ("takeback", "offer takeback") if self._may(seat, *kind.split())]
        return kinds[0] if kinds else ""

    @property
    def offer_draw(self) -> bool:
        """Whether they can offer a draw."""
        return self._speaks("offer", "draw")

    @property
    def resign(self) -> bool:
        """Whether there is a game to give up."""
        return self._speaks("resign")

    @property
    def abort(self) -> bool:
        """Whether they can still end the game without a result; while a seat is free, too."""
        seat = self.viewer.speaking(self.table)
        return seat is not None and not self.table.is_over and self.table.may(seat, "abort")

    @property
    def pause(self) -> bool:
        """Whether they can ask to stop the clocks."""
        return self._speaks("offer", "pause")

    @property
    def resume(self) -> bool:
        """Whether they can ask to let the clocks run again."""
        return self._speaks("offer", "resume")

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
        """Whether they can ask for another match, or agree to one."""
        guest, seats = self.viewer.guest, self.viewer.seats
        has_asked = any(seat.wants_rematch for seat in seats if seat.number in self.viewer.own)
        if guest is None or not self.viewer.is_player or not self.table.is_over or has_asked:
            return False
        return self.viewer.is_alone or not selectors.has_parted(seats[0].table, guest)

    def _speaks(self, kind: str, value: str | None = None) -> bool:
        return self._may(self.viewer.speaking(self.table), kind, value)

    def _may(self, seat: int | None, kind: str, value: str | None = None) -> bool:
        return seat is not None and not self.viewer.free and self.table.may(seat, kind, value)
