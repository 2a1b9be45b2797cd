"""Tables with their seats and logs, time off, and the site's heartbeat with its outages."""

import secrets
from typing import Any

from django.db import models

from kakomi.server.accounts.models import NAME_LENGTH, Guest, new_token
from kakomi.server.site.database import FoldedField
from kakomi.server.tables.listings import listed_indexes


class Heartbeat(models.Model):
    """The latest heartbeat: a single row, which every process updates while the site is up."""

    beat_at = models.FloatField()
    """Seconds since the epoch."""

    def __str__(self) -> str:
        return f"heartbeat at {self.beat_at}"


class Outage(models.Model):
    """A time without a heartbeat: no process was serving, so nobody could act."""

    start = models.FloatField(unique=True)
    """The last heartbeat before it, in seconds since the epoch."""
    end = models.FloatField(db_index=True)
    """The first heartbeat after it, in seconds since the epoch."""

    class Meta:
        ordering = ("start",)

    def __str__(self) -> str:
        return f"outage from {self.start} to {self.end}"


class TimeOff(models.Model):
    """A guest's regular time off from games over days, in their time zone.

    A guest without a row has never chosen any, nor taken a vacation.
    """

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="time_off")
    weekend: "models.JSONField[list[int], list[int]]" = models.JSONField(default=list)
    """The days of the week on which their clocks don't run; 0 is Monday."""
    sleep_from = models.PositiveSmallIntegerField(null=True)
    """The minute of the day at which their night begins; None for no hours of sleep."""
    sleep_to = models.PositiveSmallIntegerField(null=True)
    """The minute of the day at which it ends."""
    is_automatic = models.BooleanField(default=True)
    """Whether a day of vacation is taken automatically when a clock would run out."""
    version = models.PositiveIntegerField(default=1)
    """Grows with every change. A table whose seat has an older version still needs an entry."""
    entered_version = models.PositiveIntegerField(default=0)
    """The version that has been entered at all tables."""
    changed_at = models.FloatField(default=0.0)
    """When the last change took effect, in seconds since the epoch."""

    class Meta:
        indexes = (
            models.Index(
                fields=("guest",),
                condition=~models.Q(version=models.F("entered_version")),
                name="time_off_to_enter",
            ),
        )

    def __str__(self) -> str:
        return f"time off of {self.guest}"


class Vacation(models.Model):
    """A vacation of a guest."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="vacations")
    start = models.FloatField()
    """Seconds since the epoch."""
    end = models.FloatField()
    is_automatic = models.BooleanField(default=False)
    """Whether it began automatically when a clock would have run out."""
    tell_at = models.FloatField(null=True)
    """When the next notice about it is due, in seconds since the epoch; None for no more notices."""
    has_begun = models.BooleanField(default=False)
    """Whether the notice that it has begun was sent."""

    class Meta:
        ordering = ("start",)
        constraints = (models.UniqueConstraint("guest", "start", name="vacation_once"),)
        indexes = (
            models.Index("tell_at", condition=models.Q(tell_at__isnull=False), name="vacations_to_tell"),
        )

    def __str__(self) -> str:
        return f"vacation of {self.guest}"


_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike."""


CODE_LENGTH = 10
NUMBERS_BEFORE = 100
"""Added to the row's primary key: the first board is number 101, as in pbmserv."""


def new_code() -> str:
    """Return a random code that identifies a table in links: 49 bits, as anybody with the link may watch."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """A match, stored as terms and a log of entries. Most other fields are derived from these for queries."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    begun = models.JSONField()
    """Terms, seats and time control: the `session.Table.to_json` of the table before its first entry."""
    entries = models.PositiveIntegerField(default=0)
    """The length of the log. Only a sender who has seen all entries may add one."""
    head = models.CharField(max_length=80, blank=True, default="")
    """The key of the last entry."""
    news = models.PositiveIntegerField(default=0)
    """A version number for viewers: grows with every entry and every other change that they should see."""
    game = models.CharField(max_length=40)
    to_act = models.PositiveSmallIntegerField(null=True)
    """The seat to act."""
    waits_for_bot = models.BooleanField(default=False)
    thinker = models.CharField(max_length=40, blank=True, default="")
    """The process that computes the bot's action while its claim is valid."""
    claimed_until = models.FloatField(default=0.0)
    """When the claim expires, in seconds since the epoch; then another process may take over."""
    is_over = models.BooleanField(default=False)
    ended_at = models.FloatField(null=True)
    """The time of the entry that ended the match, in seconds since the epoch."""
    is_rated = models.BooleanField(default=False)
    """Whether the result counts for ratings. Fixed when the table is opened."""
    pace = models.CharField(max_length=4, blank=True, default="")
    """The time control's pace; empty without a clock."""
    due_at = models.FloatField(null=True)
    """When the site has to act next, as when a clock runs out, in seconds since the epoch."""
    warn_at = models.FloatField(null=True)
    """When the next reminder to the player to act is due; None if there is no further one in this turn."""
    warned = models.PositiveIntegerField(null=True)
    """The turn of the last reminder, as numbered by `deadlines.turn_number`."""
    successor = models.OneToOneField("self", models.SET_NULL, null=True, related_name="predecessor")
    """The rematch."""
    plies = models.PositiveIntegerField(default=0)
    """The number of actions in all games of the match; recorded since games can be listed."""
    listed_at = models.DateTimeField(null=True)
    """When it was added to the public list; None if it isn't listed."""
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = (
            *listed_indexes("tables"),
            models.Index("waits_for_bot", condition=models.Q(waits_for_bot=True), name="tables_waiting"),
            models.Index("due_at", condition=models.Q(due_at__isnull=False), name="tables_due"),
            models.Index("warn_at", condition=models.Q(warn_at__isnull=False), name="tables_to_warn"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.code}"

    @property
    def number(self) -> int:
        """The number shown in mails: short enough to say aloud, and not secret. The database numbers rows in
        order of creation and never reuses a number."""
        return self.pk + NUMBERS_BEFORE


class Seat(models.Model):
    """A seat at a table: taken by a guest or a bot, or free."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, models.SET_NULL, null=True, related_name="seats")
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    name_folded = FoldedField(of="name")
    """For searching games by player."""
    bot = models.CharField(max_length=100, blank=True)
    invitation = models.CharField(max_length=32, unique=True, default=new_token)
    """The token in the link with which a guest takes the seat while it is free."""
    is_hidden = models.BooleanField(default=False)
    """Whether the guest has deleted the game from their list."""
    draft: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    """The actions of a turn that isn't confirmed yet."""
    draft_base = models.PositiveIntegerField(default=0)
    """The length of the log when the draft was begun. Once the log is longer, the draft is void."""

    time_off_version = models.PositiveIntegerField(default=0)
    """The latest version of the guest's time off in the table's log."""
    share: "models.FloatField[float | None, float | None]" = models.FloatField(null=True)
    """The share of the win, 0 to 1, once the match is over; None if it ended before this was recorded."""
    wants_rematch = models.BooleanField(default=False)
    """Whether the guest has asked for or agreed to a rematch."""
    wants_listing = models.BooleanField(default=False)
    """Whether the guest agrees to show the game in the public list."""

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint("table", "number", name="seat_once_a_table"),)
        indexes = (
            models.Index(
                fields=("name_folded",), name="seats_by_folded_name", opclasses=["varchar_pattern_ops"]
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table}"

    @property
    def is_free(self) -> bool:
        """Whether somebody may still sit down: the seat isn't taken, and the log is empty."""
        return self.guest_id is None and not self.bot and not self.table.entries


class Entry(models.Model):
    """One line of a table's log."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    """From 1, without gaps."""
    key = models.CharField(max_length=80)
    """The sender's idempotency key, prefixed with the sender: a command sent twice is added once."""
    digest = models.CharField(max_length=18, blank=True, default="")
    """A digest of the command, to tell another command sent under the same key from this one."""
    content: "models.JSONField[Any, Any]" = models.JSONField()
    """The `session.Entry.to_json` of the entry."""

    class Meta:
        verbose_name_plural = "entries"
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint("table", "number", name="entry_once_a_number"),
            models.UniqueConstraint("table", "key", name="entry_once_a_key"),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of {self.table}"
