"""The seats of a table as a page shows them, with the progress of the bots that are thinking there."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from kakomi.server.realtime.ephemeral import MESSAGES, EphemeralMessages, message_kind
from kakomi.server.tables import models
from kakomi.server.tables.deadlines import as_of
from kakomi.server.tables.extensions import notes_of
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Table

SECONDS_BETWEEN = 0.5
"""The least time between two reports on the same bot."""
HOUR = 3600.0


@dataclass(frozen=True)
class BotProgress:
    """A bot's progress with its decision."""

    seat: int
    progress: float
    """From 0 to 1."""

    def to_json(self) -> dict[str, object]:
        """Return JSON-compatible data."""
        return {"seat": self.seat, "progress": round(self.progress, 2)}


THINKING = message_kind("thinking", BotProgress)
"""The message kind for a bot's progress."""


class BotProgressCache:
    """The latest progress of the bots of this process, by table."""

    def __init__(self, messages: EphemeralMessages = MESSAGES) -> None:
        self._messages = messages
        self._lock = threading.Lock()
        self._latest: dict[str, BotProgress] = {}
        self._told_at: dict[str, float] = {}

    def note(self, code: str, thinking: BotProgress) -> None:
        """Store a bot's progress, and report it unless the last report was too recent."""
        now = time.monotonic()
        with self._lock:
            self._latest[code] = thinking
            is_early = now - self._told_at.get(code, 0.0) < SECONDS_BETWEEN
            if not is_early:
                self._told_at[code] = now
        if not is_early:
            self._messages.tell(code, THINKING, thinking)

    def forget(self, code: str) -> None:
        """Remove the progress of a bot that has decided."""
        with self._lock:
            self._latest.pop(code, None)
            self._told_at.pop(code, None)

    def at(self, code: str) -> BotProgress | None:
        """The progress of the bot at a table, or None."""
        with self._lock:
            return self._latest.get(code)


BOT_PROGRESS = BotProgressCache()
"""The cache of this process."""


@dataclass(frozen=True)
class SeatView:
    """A seat with its occupant, score and clock."""

    seat: models.Seat
    name: str
    title: str
    """The name in sentences about the match: the colour if the viewer plays for no seat or for several, or if
    several players have the same name."""
    is_own: bool
    is_acting: bool
    out_by: str = ""
    """Why they are out: "resignation", "time", "forfeit" or "absence"; empty while they play."""
    colour: str = ""
    """The player's name; empty until colours are settled."""
    player: int | None = None
    """The player of the game; None until colours are settled."""
    score: int | float | None = None
    """Their score, without contested points."""
    contested: int | float = 0
    """Contested points, which all scores have in common."""
    note: str = ""
    """A note beside the name, such as a rating."""
    seconds: float | None = None
    """Seconds on the clock."""
    is_running: bool = False
    """Whether the clock runs."""
    periods: int = 0
    """Byo-yomi periods left; `seconds` is the time until the next one is used up."""
    until: float | None = None
    """The deadline for the seat's action, in seconds since the epoch."""
    left: float | None = None
    """The seconds until the deadline, if it is less than an hour away and missing it loses the game."""
    loses_then: bool = False
    """Whether the seat loses the game if it hasn't begun by the deadline."""
    rest: str = ""
    """Why the clock is or would be stopped: "vacation", "weekend", "sleep" or "pause"; empty if it isn't."""
    rest_until: float | None = None
    """When the clock would run again, in seconds since the epoch."""
    progress: float = 0.0
    """A bot's progress with its decision, from 0 to 1."""
    bot: str = ""
    """The bot that plays here, from the beginning or in place of a person who has left."""

    @property
    def number(self) -> int:
        return self.seat.number

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def is_replaced(self) -> bool:
        """Whether a bot has replaced a person who left."""
        return self.is_bot and not self.seat.bot

    @property
    def is_thinking(self) -> bool:
        return self.is_bot and self.is_acting

    @property
    def is_elsewhere(self) -> bool:
        """Whether this is another person, who may be away."""
        return not (self.is_bot or self.is_own or self.seat.is_free)


def seat_views(row: models.Table, table: Table, viewer: Viewer, now: float) -> tuple[SeatView, ...]:
    """Views of all seats, by number."""
    return tuple(_seat_views(row, table, viewer, now))


def _seat_views(row: models.Table, table: Table, viewer: Viewer, now: float) -> Iterator[SeatView]:
    leg, table = table.match.current_game, as_of(table, now)
    scores, contested, names = leg.position.scores(), leg.position.contested(), leg.game.player_names
    thinking = BOT_PROGRESS.at(row.code)
    notes = notes_of(row, viewer.seats)
    called = [name_of(seat, viewer) for seat in viewer.seats]
    runs = table.clock is not None and table.clock.running is not None
    loses = table.is_binding and not runs and len(table.match.games) == 1
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
            score=None if player is None else scores[player] - contested,
            contested=contested,
            note=notes.get(number, ""),
            seconds=_seconds_shown(table, number, now),
            is_running=bool(table.clock and table.clock.running == number),
            until=(until := _until(table, runs) if table.to_act == number and not viewer.free else None),
            left=until - now if loses and until is not None and until - now < HOUR else None,
            loses_then=loses,
            periods=_periods(table, number, now),
            rest=(resting := _rest(table, number, now))[0],
            rest_until=resting[1],
            bot=table.match.seats[number].bot,
            progress=thinking.progress if thinking and thinking.seat == number else 0.0,
        )


def _until(table: Table, runs: bool) -> float | None:
    """The deadline for the next action; None while a live clock runs, which shows it itself."""
    is_live = runs and table.clock is not None and table.clock.time.pace == "live"
    return None if is_live else table.next_due()


def _periods(table: Table, number: int, now: float) -> int:
    """A seat's byo-yomi periods beyond the time shown."""
    return table.clock.periods_left(number, now) if table.clock else 0


def _seconds_shown(table: Table, number: int, now: float) -> float | None:
    """Seconds until a seat's time is up, or until its next byo-yomi period begins."""
    if table.clock is None:
        return None
    return table.clock.remaining(now)[number] - _periods(table, number, now) * table.clock.time.increment


def _rest(table: Table, number: int, now: float) -> tuple[str, float | None]:
    """Why a seat's clock is stopped (empty if it isn't), and when it will run again."""
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
    """The name that the seat's owner has chosen; empty if they have none."""
    if seat.guest is None and not seat.is_free:
        return _("deleted player")
    return seat.guest.display_name if seat.guest else seat.name


def _guest(seat: models.Seat, viewer: Viewer) -> str:
    """A placeholder for somebody without a name, numbered if there are several besides the viewer."""
    nameless = [
        each.number
        for each in viewer.seats
        if each.number not in viewer.own and not (each.bot or each.is_free or _named(each))
    ]
    if len(nameless) == 1:
        return _("Guest")
    return _("Guest {number}").format(number=nameless.index(seat.number) + 1)
