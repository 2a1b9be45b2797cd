"""Viewers of a table, and their permissions.

Anybody who has a table's code may see the table: codes can't be guessed, so the code is the permission, and
`selectors.find_table` makes no other check. Only what a viewer may do there depends on their seats. A table's
number can be guessed; `mail.requests.table_meant` says who may use it.
"""

from dataclasses import dataclass

from django.utils.functional import cached_property

from kakomi.bots import level_number
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors
from kakomi.session import Table


@dataclass(frozen=True)
class Viewer:
    """A viewer of a table. A guest may own several seats, when people share a screen."""

    guest: Guest | None
    seats: tuple[models.Seat, ...]
    """All seats of the table, by number."""

    @staticmethod
    def of(row: models.Table, guest: Guest | None) -> "Viewer":
        """Return the guest as a viewer of a table."""
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

    def seat_to_act(self, table: Table) -> int | None:
        """The guest's seat that is to act; None if it isn't their turn."""
        wanted = table.to_act
        return wanted if wanted in self.playing(table) and not self.free else None

    def seat_to_resign(self, table: Table) -> int | None:
        """The seat for which the guest resigns or makes offers: the one to act, else the first still playing.

        None for a spectator, and if bots have taken over all their seats.
        """
        to_act, playing = self.seat_to_act(table), self.playing(table)
        if to_act is not None or not playing:
            return to_act
        gone = table.match.current_game.resigned_seats
        return next((number for number in playing if number not in gone), playing[0])

    def seat_to_take_back(self, table: Table) -> int | None:
        """The seat for which the guest takes back: the last to act if it is theirs, else `seat_to_resign`."""
        last = table.match.last
        return last.seat if last and last.seat in self.playing(table) else self.seat_to_resign(table)

    def seat_to_answer(self, table: Table) -> int | None:
        """The guest's seat that an open offer waits for."""
        waiting = table.offer.waiting if table.offer else ()
        return next((number for number in self.own if number in waiting), None)


def may_have_no_help(row: models.Table, viewer: Viewer) -> bool:
    """Whether a viewer may get no help, as they play against other people or for their rating."""
    return viewer.faces_people or (viewer.is_player and row.is_rated)


def may_run_bots(row: models.Table, table: Table, viewer: Viewer) -> bool:
    """Whether the engine in a viewer's browser may play for bots: in a casual game without a clock, in which
    nobody else plays."""
    return viewer.is_alone and not (row.is_rated or row.pace or table.is_binding or table.is_over)


def may_decide(row: models.Table, table: Table, viewer: Viewer) -> bool:
    """Whether it may do so now."""
    if not may_run_bots(row, table, viewer) or table.match.phase != "play" or table.offer:
        return False
    return table.to_act is not None and level_number(viewer.seats[table.to_act].bot) is not None


@dataclass(frozen=True)
class Permissions:
    """A viewer's permissions other than playing; while a seat is free, only to abort."""

    table: Table
    viewer: Viewer

    @property
    def swap(self) -> bool:
        """Whether colours can be swapped instead of playing."""
        return self.viewer.seat_to_act(self.table) is not None and self.table.match.current_game.may_swap

    @property
    def undoes_freely(self) -> bool:
        """Whether a takeback needs nobody's consent."""
        people = {seat.number for seat in self.viewer.seats if not seat.bot}
        return people == set(self.viewer.own)

    @property
    def undo(self) -> str:
        """The command of the takeback button; empty if there is nothing to take back."""
        seat = self.viewer.seat_to_take_back(self.table)
        kinds = [kind for kind in ("takeback", "offer takeback") if self._may(seat, *kind.split())]
        return kinds[0] if kinds else ""

    @property
    def offer_draw(self) -> bool:
        """Whether they can offer a draw."""
        return self._may_speaker("offer", "draw")

    @property
    def resign(self) -> bool:
        """Whether they can resign the game."""
        return self._may_speaker("resign")

    @property
    def abort(self) -> bool:
        """Whether they can still end the game without a result, even while a seat is free."""
        seat = self.viewer.seat_to_resign(self.table)
        return seat is not None and not self.table.is_over and self.table.may(seat, "abort")

    @property
    def pause(self) -> bool:
        """Whether they can ask to stop the clocks."""
        return self._may_speaker("offer", "pause")

    @property
    def resume(self) -> bool:
        """Whether they can ask to restart the clocks."""
        return self._may_speaker("offer", "resume")

    @property
    def answer(self) -> bool:
        """Whether an open offer waits for them."""
        return self.viewer.seat_to_answer(self.table) is not None

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

    def _may_speaker(self, kind: str, value: str | None = None) -> bool:
        return self._may(self.viewer.seat_to_resign(self.table), kind, value)

    def _may(self, seat: int | None, kind: str, value: str | None = None) -> bool:
        return seat is not None and not self.viewer.free and self.table.may(seat, kind, value)
