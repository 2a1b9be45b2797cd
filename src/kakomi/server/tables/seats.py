"""The seats of a table as a page shows them, with the progress of the bots that think there."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from kakomi.server.engines import shared_pool
from kakomi.server.realtime.ephemeral import MESSAGES, EphemeralMessages, message_kind
from kakomi.server.tables import models
from kakomi.server.tables.deadlines import as_of
from kakomi.server.tables.extensions import notes_of
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Table

SECONDS_BETWEEN = 0.5
"""Seconds between two reports on the same bot."""


@dataclass(frozen=True)
class BotProgress:
    """A bot's progress with its decision."""

    seat: int
    progress: float
    """From 0 to 1."""

    def to_json(self) -> dict[str, object]:
        """As data that JSON can hold."""
        return {"seat": self.seat, "progress": round(self.progress, 2)}


THINKING = message_kind("thinking", BotProgress)
"""The kind of messages about a bot's progress."""


class BotProgressCache:
    """The latest progress of a bot at every table of this process."""

    def __init__(self, messages: EphemeralMessages = MESSAGES) -> None:
        self._messages = messages
        self._lock = threading.Lock()
        self._latest: dict[str, BotProgress] = {}
        self._told_at: dict[str, float] = {}

    def note(self, code: str, thinking: BotProgress) -> None:
        """Keep a bot's progress, and tell the listeners if it is time."""
        now = time.monotonic()
        with self._lock:
            self._latest[code] = thinking
            is_early = now - self._told_at.get(code, 0.0) < SECONDS_BETWEEN
            if not is_early:
                self._told_at[code] = now
        if not is_early:
            self._messages.tell(code, THINKING, thinking)

    def forget(self, code: str) -> None:
        """The bot has decided."""
        with self._lock:
            self._latest.pop(code, None)
            self._told_at.pop(code, None)

    def at(self, code: str) -> BotProgress | None:
        """The progress of the bot at a table, if one thinks."""
        with self._lock:
            return self._latest.get(code)


BOT_PROGRESS = BotProgressCache()
"""This process's."""


HOUR = 3600.0


@dataclass(frozen=True)
class SeatView:
    """A seat with its occupant, score and clock."""

    seat: models.Seat
    name: str
    title: str
    """The name in sentences about the match. It is the colour where all players share one screen, or
    the viewer doesn't play, or several players have the same name."""
    is_own: bool
    is_acting: bool
    out_by: str = ""
    """Why they are out: "resignation", "time", "forfeit" or "absence"; empty as long as they play."""
    colour: str = ""
    """The player's name; empty as long as colours are not settled."""
    player: int | None = None
    """The player of the game; None as long as colours are not settled."""
    score: int | float | None = None
    note: str = ""
    """What is said beside the name: a rating."""
    seconds: float | None = None
    """Seconds on the clock."""
    is_running: bool = False
    """Whether the clock runs."""
    periods: int = 0
    """Byo-yomi's periods that are left; `seconds` is the time until the next one is used up."""
    until: float | None = None
    """The moment until which the seat has to act, in seconds since the epoch."""
    left: float | None = None
    """The seconds until then, if it loses the game soon."""
    loses_then: bool = False
    """Whether it loses the game by not having begun by then."""
    rest: str = ""
    """Why the clock would stand still: "vacation", "weekend", "sleep", "pause"; empty if it wouldn't."""
    rest_until: float | None = None
    """The moment at which it would go on."""
    progress: float = 0.0
    """A bot's progress with its decision, from 0 to 1."""
    bot: str = ""
    """The bot that plays here, from the beginning or since its person has left."""
    is_preparing: bool = False
    """Whether the game is being compiled, before a bot can think about it."""

    @property
    def number(self) -> int:
        return self.seat.number

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def is_replaced(self) -> bool:
        """Whether a bot plays on for a person who has left."""
        return self.is_bot and not self.seat.bot

    @property
    def is_thinking(self) -> bool:
        return self.is_bot and self.is_acting

    @property
    def is_elsewhere(self) -> bool:
        """Whether they may be away: bots never are, nor is who looks."""
        return not (self.is_bot or self.is_own or self.seat.is_free)


def seat_views(row: models.Table, table: Table, viewer: Viewer, now: float) -> tuple[SeatView, ...]:
    """Every seat, by number."""
    return tuple(_seat_views(row, table, viewer, now))


def _seat_views(row: models.Table, table: Table, viewer: Viewer, now: float) -> Iterator[SeatView]:
    leg, table = table.match.current_game, as_of(table, now)
    scores, names = leg.position.scores(), leg.game.player_names
    thinking = BOT_PROGRESS.at(row.code)
    notes = notes_of(row, viewer.seats)
    called = [name_of(seat, viewer) for seat in viewer.seats]
    loses = table.is_binding and not _runs(table) and len(table.match.games) == 1
    for seat, name in zip(viewer.seats, called, strict=True):
        number = seat.number
        player = leg.players[number] if leg.players else None
        colour = "" if player is None else _(names[player])
        is_clear = table.match.config.games > 1 or (len(viewer.own) == 1 and called.count(name) == 1)
        yield SeatView(
            seat,
            name,
            name if is_clear else colour or name,
            is_own=number in viewer.own,
            is_acting=table.to_act == number and not viewer.free,
            out_by=leg.out_by(number),
            colour=colour,
            player=player,
            score=None if player is None else scores[player],
            note=notes.get(number, ""),
            seconds=_seconds_shown(table, number, now),
            is_running=bool(table.clock and table.clock.running == number),
            until=(until := _until(table) if table.to_act == number and not viewer.free else None),
            left=until - now if loses and until is not None and until - now < HOUR else None,
            loses_then=loses,
            periods=_periods(table, number, now),
            rest=(resting := _rest(table, number, now))[0],
            rest_until=resting[1],
            bot=table.match.seats[number].bot,
            is_preparing=table.match.seats[number].is_bot and shared_pool().is_preparing(row.game),
            progress=thinking.progress if thinking and thinking.seat == number else 0.0,
        )


def _runs(table: Table) -> bool:
    """Whether a clock runs."""
    return table.clock is not None and table.clock.running is not None


def _until(table: Table) -> float | None:
    """The moment until which somebody has to act, where it isn't a matter of minutes on a clock."""
    is_live = _runs(table) and table.clock is not None and table.clock.time.pace == "live"
    return None if is_live else table.next_due()


def _periods(table: Table, number: int, now: float) -> int:
    """Byo-yomi's periods that a seat has beside the time it is shown."""
    return table.clock.periods_left(number, now) if table.clock else 0


def _seconds_shown(table: Table, number: int, now: float) -> float | None:
    """Seconds until a seat's time is up, or until its next period of byo-yomi begins."""
    if table.clock is None:
        return None
    return table.clock.remaining(now)[number] - _periods(table, number, now) * table.clock.time.increment


def _rest(table: Table, number: int, now: float) -> tuple[str, float | None]:
    """Why a seat's clock stands still, and until when; empty if it doesn't."""
    clock = table.clock
    if clock is None or table.is_over:
        return "", None
    if clock.is_paused(now):
        return "pause", clock.running_for(number).stands_until(now)
    reason = clock.calendars[number].reason(now) if clock.calendars else None
    if reason is None:
        return "", None
    return reason, next(clock.calendars[number].spans(now))[1]


def name_of(seat: models.Seat, viewer: Viewer) -> str:
    """The name of a seat's owner for this viewer."""
    if seat.number in viewer.own:
        return _("Player {number}").format(number=seat.number + 1) if viewer.shares_screen else _("You")
    if seat.bot:
        return _("Level {level}").format(level=seat.bot) if seat.bot.isdecimal() else seat.name
    if seat.is_free:
        return _("Nobody yet")
    return _named(seat) or _guest(seat, viewer)


def _named(seat: models.Seat) -> str:
    """The name that somebody has given themselves."""
    if seat.guest is None and not seat.is_free:
        return _("deleted player")
    return seat.guest.called if seat.guest else seat.name


def _guest(seat: models.Seat, viewer: Viewer) -> str:
    """Somebody without a name; with a number where the viewer meets several of them."""
    nameless = [
        each.number
        for each in viewer.seats
        if each.number not in viewer.own and not (each.bot or each.is_free or _named(each))
    ]
    if len(nameless) == 1:
        return _("Guest")
    return _("Guest {number}").format(number=nameless.index(seat.number) + 1)
