"""A link to a free seat, as whoever opens it sees it."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

from kakomi.core import Game
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors
from kakomi.server.tables.labels import board_label, clock_label, option_labels, player_label, seat_label
from kakomi.session import Match, Table


@dataclass(frozen=True)
class Invitation:
    """A seat that somebody is invited to, and the table that it stands at."""

    seat: models.Seat
    others: tuple[models.Seat, ...]
    guest: Guest | None

    @staticmethod
    def of(seat: models.Seat, guest: Guest | None) -> "Invitation":
        """What a guest, or somebody the site has never seen, is shown of an invitation."""
        others = tuple(seat.table.seats.select_related("guest").exclude(pk=seat.pk))
        return Invitation(seat, others, guest)

    @cached_property
    def table(self) -> Table:
        """The table that the seat stands at."""
        return selectors.table_of(self.seat.table)

    @property
    def match(self) -> Match:
        """The match at the table."""
        return self.table.match

    @property
    def game(self) -> Game:
        """What is to be played."""
        return self.match.config.game

    @property
    def board(self) -> str:
        """The board in a few words."""
        return board_label(self.game)

    @property
    def is_own(self) -> bool:
        """Whether it is the guest who invites."""
        return self.guest is not None and any(seat.guest_id == self.guest.pk for seat in self.others)

    @property
    def may_sit_down(self) -> bool:
        """Whether the guest may take the seat: it is free, and they don't play already."""
        return self.seat.is_free and not self.is_own

    @property
    def hosts(self) -> str:
        """Who plays already."""
        there = [seat_label(seat) for seat in self.others if not seat.is_free]
        return ", ".join(there)

    @property
    def colour(self) -> str:
        """Which player the seat is; empty while that is still to be settled."""
        if self.match.current_game.players is None:
            return ""
        return player_label(self.game.description, self.match.current_game.players[self.seat.number])

    def terms(self) -> list[tuple[str, str]]:
        """What has been agreed, line by line."""
        terms, control = self.match.config, self.table.time
        said = [(words, str(value)) for words, value in option_labels(self.game)]
        if terms.negotiate:
            said = [
                (gettext("komi"), gettext("is negotiated: the first names it, the second chooses a colour"))
            ]
        if terms.swap:
            said.append((gettext("swap"), gettext("the second may take over the first turn’s stones")))
        if terms.games > 1:
            said.append((gettext("match"), gettext("{games} games, points added").format(games=terms.games)))
        if control:
            said.append((gettext("clock"), clock_label(control)))
        return said
