"""A table in the database: its terms, its seats, and a log that only grows."""

import secrets
from typing import Any

from django.db import models

from kakomi.server.accounts.models import NAME_LENGTH, Guest, new_token
from kakomi.server.listings import listed_indexes
from kakomi.server.prefixes import FoldedField

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike."""


CODE_LENGTH = 10
NUMBERS_BEFORE = 100
"""So many numbers are left out: the first board is 101, as in pbmserv."""


def new_code() -> str:
    """A table's name in links: 49 bits, since who knows it may watch."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """A match, as terms and a log of entries. All other fields follow from these and serve queries."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    begun = models.JSONField()
    """Terms, seats and time control, as `session.Table.to_json` gives them for a table without entries."""
    entries = models.PositiveIntegerField(default=0)
    """The length of the log. Only a sender who has seen all entries may add one."""
    head = models.CharField(max_length=80, blank=True, default="")
    """The key of the last of them."""
    news = models.PositiveIntegerField(default=0)
    """Grows when viewers should look again: with every entry, and when somebody sits down."""
    game = models.CharField(max_length=40)
    to_act = models.PositiveSmallIntegerField(null=True)
    """The seat to act."""
    waits_for_bot = models.BooleanField(default=False)
    thinker = models.CharField(max_length=40, blank=True, default="")
    """The process that thinks for the bot, as long as its claim holds."""
    claimed_until = models.FloatField(default=0.0)
    """Seconds since the epoch; afterwards another process may take the thinking over."""
    is_over = models.BooleanField(default=False)
    ended_at = models.FloatField(null=True)
    """The moment of the entry that ended the match, in seconds since the epoch."""
    is_rated = models.BooleanField(default=False)
    """Whether the result counts for ratings. Fixed when the table is opened."""
    pace = models.CharField(max_length=4, blank=True, default="")
    """The time control's pace; empty without a clock."""
    due_at = models.FloatField(null=True)
    """The moment when a clock runs out and the site has to act, in seconds since the epoch."""
    warn_at = models.FloatField(null=True)
    """The moment from which the one to act is reminded next; None: they aren't in this turn."""
    warned = models.PositiveIntegerField(null=True)
    """The turn of which they have been last, as `deadlines.turn_number` numbers it."""
    successor = models.OneToOneField("self", models.SET_NULL, null=True, related_name="predecessor")
    """The rematch."""
    plies = models.PositiveIntegerField(default=0)
    """Actions of all games of the match; kept since games can be listed."""
    listed_at = models.DateTimeField(null=True)
    """When it came into the public list; None: it is not there."""
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
        """Its name in mails, short enough to be said, and no secret. The database counts rows in the order in
        which they are made and uses no number twice."""
        return self.pk + NUMBERS_BEFORE


class Seat(models.Model):
    """A seat at a table: of a guest, of a bot, or free."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, models.SET_NULL, null=True, related_name="seats")
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    name_folded = FoldedField(of="name")
    """By which games are looked for."""
    bot = models.CharField(max_length=100, blank=True)
    invitation = models.CharField(max_length=32, unique=True, default=new_token)
    """The end of the link by which a guest takes the seat while it is free."""
    is_hidden = models.BooleanField(default=False)
    """Whether the guest has deleted the game from their list."""
    draft: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    """The actions of a turn that is not confirmed yet."""
    draft_base = models.PositiveIntegerField(default=0)
    """The length of the log when the draft was begun. A longer log makes the draft void."""

    rests_version = models.PositiveIntegerField(default=0)
    """The version of the guest's rests that the table's log knows."""
    share: "models.FloatField[float | None, float | None]" = models.FloatField(null=True)
    """The share of the win, 0 to 1, once the match is over; None also where it ended before this was kept."""
    wants_rematch = models.BooleanField(default=False)
    """Whether the guest has asked for a rematch, or agreed to one."""
    wants_listing = models.BooleanField(default=False)
    """Whether the guest agrees that everybody finds the game in the public list."""

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
        """Whether somebody may still sit down: nobody has the seat, and nothing was done at the table yet."""
        return self.guest_id is None and not self.bot and not self.table.entries


class Entry(models.Model):
    """One line of a table's log."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    """From 1, without gaps."""
    key = models.CharField(max_length=80)
    """The sender's key, after whose it is: the same key is the same command, however often it is sent."""
    digest = models.CharField(max_length=18, blank=True, default="")
    """What was sent under the key, so that another command under it is not taken for this one."""
    content: "models.JSONField[Any, Any]" = models.JSONField()
    """As `session.Entry.to_json` gives it."""

    class Meta:
        verbose_name_plural = "entries"
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint("table", "number", name="entry_once_a_number"),
            models.UniqueConstraint("table", "key", name="entry_once_a_key"),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of {self.table}"
