"""Tables in a few lines: in the list of a guest's games, and on an invitation."""

from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext, ngettext

from kakomi.core import Game
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.games import board_label, option_labels, player_label
from kakomi.server.tables import models, selectors
from kakomi.server.tables.clock_texts import clock_label, time_left_label
from kakomi.server.tables.wording import public_names, result_label, seat_label
from kakomi.session import Match, MatchConfig, Table

UNFINISHED, FINISHED, ALL = 12, 6, 200
"""The number of listed games of each group, and of each when all are listed."""


@dataclass(frozen=True)
class GameSummary:
    """One game, as its guest left it."""

    row: models.Table
    seats: tuple[models.Seat, ...]
    own: frozenset[int]
    now: float | None = None
    """The moment at which it is looked at, in seconds since the epoch."""

    @staticmethod
    def of(row: models.Table, guest: Guest, now: float | None = None) -> "GameSummary":
        """A table that the guest sits at. Asks nothing of the database if seats and guests were fetched."""
        seats = tuple(row.seats.all())
        own = frozenset(seat.number for seat in seats if seat.guest_id == guest.pk)
        return GameSummary(row, seats, own, now)

    @cached_property
    def game(self) -> Game:
        """The game as it is set up."""
        return MatchConfig.from_json(self.row.begun["terms"]).game

    @property
    def title(self) -> str:
        """The game's name."""
        return self.game.description.title

    @property
    def board(self) -> str:
        """The board in a few words."""
        return board_label(self.game)

    @property
    def time_left(self) -> str:
        """How long whoever is to act may think, in words; empty without a clock that runs."""
        if self.now is None or self.row.due_at is None or self.row.is_over:
            return ""
        return time_left_label(self.row.due_at - self.now)

    @property
    def opponents(self) -> str:
        """The opponents."""
        others = [seat_label(seat) for seat in self.seats if seat.number not in self.own]
        if not others:
            return gettext("with somebody beside you")
        return gettext("against {names}").format(names=", ".join(others))

    @property
    def is_mine(self) -> bool:
        """Whether the guest is to act now."""
        return self.row.to_act in self.own and not self.waits

    @property
    def waits(self) -> bool:
        """Whether a seat is free."""
        return any(seat.is_free for seat in self.seats)

    @property
    def state(self) -> str:
        """The next decision, or the result."""
        if self.row.is_over:
            return self._ended()
        if self.waits:
            count = sum(seat.is_free for seat in self.seats)
            return ngettext("waiting for a friend", "waiting for {count} friends", count).format(count=count)
        if self.is_mine:
            return gettext("your turn: begin, or you lose the game") if self._loses else gettext("your turn")
        assert self.row.to_act is not None
        return gettext("{name} is to act").format(name=seat_label(self.seats[self.row.to_act]))

    @property
    def _loses(self) -> bool:
        """Whether not to act in time loses the game that hasn't begun."""
        if not self.row.begun.get("binding") or self.row.due_at is None:
            return False
        table = selectors.table_of(self.row)
        return table.start.is_awaited(table.match)

    def _ended(self) -> str:
        winners = self._winners()
        if not winners:
            return gettext("ended without a result")
        if len(winners) == len(self.seats):
            return gettext("a draw")
        if len(self.own) > 1:
            return gettext("finished")
        if winners & self.own:
            return gettext("you won") if len(winners) == 1 else gettext("you share the win")
        return gettext("you lost")

    def _winners(self) -> frozenset[int]:
        """Who has won; of tables that ended before that was kept, their whole log says it."""
        if all(seat.share is None for seat in self.seats):
            ending = selectors.table_of(self.row).ending
            return frozenset(ending.winners if ending else ())
        return frozenset(seat.number for seat in self.seats if seat.share)


@dataclass(frozen=True)
class GameList:
    """A guest's games: those that wait for them, then the others, and those that are over."""

    waiting: tuple[GameSummary, ...] = ()
    """The one whose time runs out first is the first."""
    others: tuple[GameSummary, ...] = ()
    """The ones touched last first."""
    finished: tuple[GameSummary, ...] = ()
    has_more: bool = False
    deleted: models.Table | None = None
    """The one that was just deleted, so that it can be brought back."""

    @property
    def unfinished(self) -> tuple[GameSummary, ...]:
        """All that go on."""
        return (*self.waiting, *self.others)


def game_list(guest: Guest | None, *, with_all: bool = False, deleted: str = "") -> GameList:
    """A guest's games that aren't deleted. It takes the same number of queries, however many they are."""
    if guest is None:
        return GameList()
    now = clock.now()
    wanting = selectors.waiting_tables(guest)
    going = selectors.tables_of(guest, is_over=False).exclude(pk__in=wanting.order_by().values("pk"))
    ended = selectors.tables_of(guest, is_over=True)
    first, second = (ALL, ALL) if with_all else (UNFINISHED, FINISHED)
    rows = (list(wanting.prefetch_related("seats__guest")[: first + 1]), list(going[: first + 1]))
    mine, others = ([GameSummary.of(row, guest, now) for row in part[:first]] for part in rows)
    finished = list(ended[: second + 1])
    return GameList(
        waiting=tuple(mine),
        others=tuple(others),
        finished=tuple(GameSummary.of(row, guest) for row in finished[:second]),
        has_more=any(len(part) > first for part in rows) or len(finished) > second,
        deleted=selectors.deleted_table(deleted, guest) if deleted else None,
    )


@dataclass(frozen=True)
class ListedGame:
    """A game that everybody may find, in what its row and its seats say: nothing of it is replayed."""

    row: models.Table
    seats: tuple[models.Seat, ...]

    @staticmethod
    def of(row: models.Table) -> "ListedGame":
        """A table with its seats and who sits there fetched."""
        return ListedGame(row, tuple(row.seats.all()))

    @cached_property
    def game(self) -> Game:
        """The game as it is set up."""
        return MatchConfig.from_json(self.row.begun["terms"]).game

    @property
    def title(self) -> str:
        """The game's name."""
        return self.game.description.title

    @property
    def board(self) -> str:
        """The board in a few words."""
        return board_label(self.game)

    @cached_property
    def names(self) -> str:
        """The players."""
        return " – ".join(public_names(self.seats))

    @property
    def result(self) -> str:
        """Who has won, or that it goes on."""
        if not self.row.is_over:
            return gettext("being played")
        return result_label(self.seats) or gettext("finished")

    @property
    def length(self) -> str:
        """How much was played."""
        plies = self.row.plies
        return ngettext("{count} action", "{count} actions", plies).format(count=plies)


@dataclass(frozen=True)
class Invitation:
    """An invitation to a seat, with its table."""

    seat: models.Seat
    others: tuple[models.Seat, ...]
    guest: Guest | None

    @staticmethod
    def of(seat: models.Seat, guest: Guest | None) -> "Invitation":
        """The invitation as a guest, or a new visitor, sees it."""
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
        """The game to play."""
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
    def is_declined(self) -> bool:
        """Whether somebody has declined it, and the table has ended by that."""
        abort = self.table.abort
        return abort is not None and abort.seat == self.seat.number

    @property
    def has_ended(self) -> bool:
        """Whether the table has ended before anybody sat down here."""
        return self.seat.guest_id is None and self.table.is_over

    @property
    def may_sit_down(self) -> bool:
        """Whether the guest may take the seat: it is free, and they don't play already."""
        return self.seat.is_free and not self.is_own and not self.is_kept_out

    @cached_property
    def is_kept_out(self) -> bool:
        """Whether the guest and somebody who sits there have to do nothing with each other."""
        return self.guest is not None and selectors.is_kept_out(self.seat.table, self.guest)

    @property
    def hosts(self) -> str:
        """The players who are there."""
        there = [seat_label(seat) for seat in self.others if not seat.is_free]
        return ", ".join(there)

    @property
    def colour(self) -> str:
        """Which player the seat is; empty while that is still to be settled."""
        if self.match.current_game.players is None:
            return ""
        return player_label(self.game.description, self.match.current_game.players[self.seat.number])

    def terms(self) -> list[tuple[str, str]]:
        """The terms, line by line."""
        terms, control = self.match.config, self.table.time
        said = option_labels(self.game)
        if terms.negotiate:
            said = [
                (gettext("komi"), gettext("is negotiated: the first names it, the second chooses a colour"))
            ]
        if terms.swap:
            said.append((gettext("swap"), gettext("the second may take over the first turn’s stones")))
        if terms.games > 1:
            said.append((gettext("match"), gettext("{games} games, points added").format(games=terms.games)))
        if terms.game.players > 2:
            bot = gettext("a bot of level {level} plays on").format(level=terms.leavers)
            passes = gettext("the seat passes until the end")
            said.append((gettext("who leaves"), bot if terms.leavers else passes))
        if control:
            said.append((gettext("clock"), clock_label(control)))
        return said
