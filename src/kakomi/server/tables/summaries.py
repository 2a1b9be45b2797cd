"""Summaries of tables: in a guest's list of games, in the public list, and on an invitation."""

from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext, ngettext

from kakomi.core import Game
from kakomi.server.accounts.models import Guest
from kakomi.server.site import clock
from kakomi.server.site.games import board_label, option_labels, player_label, setup_label
from kakomi.server.tables import models, selectors
from kakomi.server.tables.clock_texts import clock_label, time_left_label
from kakomi.server.tables.wording import public_names, result_label, seat_label
from kakomi.session import Match, MatchConfig, Table

UNFINISHED, FINISHED, ALL = 12, 6, 200
"""The most games in the unfinished and finished groups, and in each group when all are listed."""


@dataclass(frozen=True)
class _TableSummary:
    """A table's row and seats, and its game, which needs no replay of the log."""

    row: models.Table
    seats: tuple[models.Seat, ...]
    own: frozenset[int] = frozenset()
    """The seats of the guest whose list it is."""

    @property
    def outcome(self) -> str:
        """How it ended for the guest, as style sheets name it: `win`, `loss` or `unclear`; else empty."""
        if not self.row.is_over or not self.own:
            return ""
        shares = {self.seats[number].share for number in self.own}
        return "win" if shares == {1.0} else "loss" if shares == {0.0} else "unclear"

    @cached_property
    def game(self) -> Game:
        """The game with its options."""
        return MatchConfig.from_json(self.row.begun["terms"]).game

    @property
    def title(self) -> str:
        """The game's name."""
        return self.game.description.title

    @property
    def board(self) -> str:
        """The board in a few words."""
        return setup_label(self.game)


def _seats_of(row: models.Table, guest: Guest | None) -> tuple[tuple[models.Seat, ...], frozenset[int]]:
    """All seats of a table, and the numbers of a guest's."""
    seats = tuple(row.seats.all())
    return seats, frozenset(seat.number for seat in seats if guest and seat.guest_id == guest.pk)


@dataclass(frozen=True)
class GameSummary(_TableSummary):
    """A game in a guest's list."""

    now: float | None = None
    """The current time, in seconds since the epoch; None to leave out the time left."""

    @staticmethod
    def of(row: models.Table, guest: Guest, now: float | None = None) -> "GameSummary":
        """The summary of a guest's table. Makes no query if seats and guests were prefetched."""
        return GameSummary(row, *_seats_of(row, guest), now)

    @property
    def time_left(self) -> str:
        """The time until the deadline, in words; empty without one."""
        if self.now is None or self.row.due_at is None or self.row.is_over:
            return ""
        return time_left_label(self.row.due_at - self.now)

    @property
    def opponents(self) -> str:
        """The opponents, as in "against …"."""
        others = [seat_label(seat) for seat in self._others]
        if not others:
            return gettext("with someone next to you")
        return gettext("against {names}").format(names=", ".join(others))

    @property
    def is_mine(self) -> bool:
        """Whether the guest is to act now."""
        return self.row.to_act in self.own and not self.waits

    @property
    def may_be_hidden(self) -> bool:
        """Whether the guest may hide it: not while it is their turn in a game against people."""
        return self.row.is_over or not self.is_mine or all(seat.guest_id is None for seat in self._others)

    @property
    def _others(self) -> list[models.Seat]:
        return [seat for seat in self.seats if seat.number not in self.own]

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
            return (
                gettext("your turn: make your first move or you lose")
                if self._loses
                else gettext("your turn")
            )
        assert self.row.to_act is not None
        return gettext("{name} to move").format(name=seat_label(self.seats[self.row.to_act]))

    @property
    def _loses(self) -> bool:
        """Whether the guest loses the game, which hasn't begun, by missing the deadline."""
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
        """The seats that have won; replays the log of tables that ended before shares were recorded."""
        if all(seat.share is None for seat in self.seats):
            ending = selectors.table_of(self.row).ending
            return frozenset(ending.winners if ending else ())
        return frozenset(seat.number for seat in self.seats if seat.share)


@dataclass(frozen=True)
class GameList:
    """A guest's games: those that wait for them, the other running ones, and the finished ones."""

    waiting: tuple[GameSummary, ...] = ()
    """By deadline, the earliest first."""
    others: tuple[GameSummary, ...] = ()
    """The most recently changed first."""
    finished: tuple[GameSummary, ...] = ()
    has_more: bool = False
    deleted: models.Table | None = None
    """The one that was just deleted, to offer to restore it."""

    @property
    def unfinished(self) -> tuple[GameSummary, ...]:
        """All running games."""
        return (*self.waiting, *self.others)


def game_list(guest: Guest | None, *, with_all: bool = False, deleted: str = "") -> GameList:
    """A guest's games that aren't deleted. The number of queries doesn't depend on the number of games."""
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
class ListedGame(_TableSummary):
    """A publicly listed game, built from its row and seats without replaying the log."""

    @staticmethod
    def of(row: models.Table, guest: Guest | None = None) -> "ListedGame":
        """The summary of a table, perhaps in a guest's list, whose seats and guests were prefetched."""
        return ListedGame(row, *_seats_of(row, guest))

    @cached_property
    def names(self) -> str:
        """The players' names."""
        return " – ".join(public_names(self.seats))

    @property
    def result(self) -> str:
        """The result, or that the game is being played."""
        if not self.row.is_over:
            return gettext("in progress")
        return result_label(self.seats) or gettext("finished")

    @property
    def length(self) -> str:
        """The number of actions, in words."""
        plies = self.row.plies
        return ngettext("{count} move", "{count} moves", plies).format(count=plies)


@dataclass(frozen=True)
class Invitation:
    """An invitation to a seat, with its table."""

    seat: models.Seat
    others: tuple[models.Seat, ...]
    guest: Guest | None

    @staticmethod
    def of(seat: models.Seat, guest: Guest | None) -> "Invitation":
        """The invitation as a guest or a new visitor (None) sees it."""
        others = tuple(seat.table.seats.select_related("guest").exclude(pk=seat.pk))
        return Invitation(seat, others, guest)

    @cached_property
    def table(self) -> Table:
        """The table of the seat."""
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
        """Whether the guest is at the table already."""
        return self.guest is not None and any(seat.guest_id == self.guest.pk for seat in self.others)

    @property
    def is_declined(self) -> bool:
        """Whether somebody has declined the invitation, which ended the match."""
        abort = self.table.abort
        return abort is not None and abort.seat == self.seat.number

    @property
    def has_ended(self) -> bool:
        """Whether the match has ended before anybody took the seat."""
        return self.seat.guest_id is None and self.table.is_over

    @property
    def may_sit_down(self) -> bool:
        """Whether the guest may take the seat: it is free, and they are neither at the table nor kept out."""
        return self.seat.is_free and not self.is_own and not self.is_kept_out

    @cached_property
    def is_kept_out(self) -> bool:
        """Whether somebody at the table has blocked the guest or was blocked by them."""
        return self.guest is not None and selectors.is_kept_out(self.seat.table, self.guest)

    @property
    def hosts(self) -> str:
        """The names of the players who have sat down."""
        there = [seat_label(seat) for seat in self.others if not seat.is_free]
        return ", ".join(there)

    @property
    def colour(self) -> str:
        """The colour of the seat; empty until colours are settled."""
        if self.match.current_game.players is None:
            return ""
        return player_label(self.game.description, self.match.current_game.players[self.seat.number])

    def terms(self) -> list[tuple[str, str]]:
        """The terms, as pairs of a label and its text."""
        terms, control = self.match.config, self.table.time
        said = option_labels(self.game)
        if terms.negotiate:
            said = [
                (
                    gettext("komi"),
                    gettext("negotiated: the first player names it, the second chooses a colour"),
                )
            ]
        if terms.swap:
            said.append(
                (gettext("swap"), gettext("the second player may take over the first player’s stones"))
            )
        if terms.games > 1:
            said.append((gettext("match"), gettext("{games} games, total points").format(games=terms.games)))
        if terms.game.players > 2:
            bot = gettext("a level {level} bot takes over").format(level=terms.leavers)
            passes = gettext("their seat passes until the end")
            said.append((gettext("if a player leaves"), bot if terms.leavers else passes))
        if control:
            said.append((gettext("time control"), clock_label(control)))
        return said
