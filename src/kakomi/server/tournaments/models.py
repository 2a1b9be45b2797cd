"""A tournament in the database: what was agreed, who takes part, a log that only grows, and its games.

The log is the truth. Rounds and games are rows beside it, each of which exists once: they are written with
the log's entry and the tables, in one transaction. Moments are seconds since the epoch.
"""

import secrets
from typing import Any

from django.db import models
from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table, new_code

LONGEST_NAME = 60
LONGEST_DESCRIPTION = 1_000
LONGEST_REASON = 200
KEY_LENGTH = 60


def new_seed() -> int:
    """A seed for lots."""
    return secrets.randbelow(2**53)


class Tournament(models.Model):
    """What was agreed of a tournament, and where it is. Whoever changes it has locked this row."""

    class State(models.TextChoices):
        """How far it has come."""

        OPEN = "open"
        """People enter; no round has been paired."""
        RUNNING = "running"
        OVER = "over"
        CANCELLED = "cancelled"
        """Ended before its end: by a director, or as too few came."""

    class Repeat(models.TextChoices):
        """How often a tournament comes again."""

        WEEKLY = "weekly"
        MONTHLY = "monthly"

    code = models.CharField(max_length=10, unique=True, default=new_code)
    key = models.CharField(max_length=KEY_LENGTH)
    """The sender's key: the same form is the same tournament, however often it is sent."""
    name = models.CharField(max_length=LONGEST_NAME)
    description = models.CharField(max_length=LONGEST_DESCRIPTION, blank=True, default="", db_default="")
    """What the organiser says about it, in several lines."""
    organiser = models.ForeignKey(Guest, models.PROTECT, related_name="tournaments")
    game = models.CharField(max_length=40)
    terms: "models.JSONField[Any, Any]" = models.JSONField()
    """As `lobby.terms.SeekTerms.to_json` gives them."""
    format: "models.JSONField[Any, Any]" = models.JSONField()
    """As `contest.tournament.write_format` gives it."""
    is_rated = models.BooleanField(default=False)
    most = models.PositiveSmallIntegerField()
    """The most who may take part."""
    takes_late = models.BooleanField(default=False)
    """Whether people enter between rounds as well."""
    takes_bots = models.BooleanField(default=False)
    """Whether the accounts of bots may enter."""
    filler = models.CharField(max_length=100, blank=True, default="")
    """The level of the site's bots that fill tables when it begins; empty: nobody does."""
    round_days = models.PositiveSmallIntegerField()
    """The days after which a round ends in any case; 0 for live games, whose clocks say it."""
    seed = models.BigIntegerField(default=new_seed)
    """By which lots are drawn. Shown once the tournament is over."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    version = models.PositiveIntegerField(default=0)
    """The length of the log."""
    is_closed = models.BooleanField(default=False)
    """Whether the director lets nobody in any more."""
    created_at = models.FloatField()
    begins_at = models.FloatField()
    due_at = models.FloatField(null=True)
    """When the site has to begin it, or to pair the next round; None while games go on, and at the end."""
    ended_at = models.FloatField(null=True)
    repeat = models.CharField(max_length=7, choices=Repeat, blank=True, default="")
    """How often it comes again; empty: not at all."""
    first_at = models.FloatField()
    """When its first edition was to begin: all others come whole weeks or months later."""
    next_at = models.FloatField(null=True)
    """When the next edition begins; None once that is open, and for those that come again no more."""
    edition = models.PositiveSmallIntegerField(default=1)
    previous = models.OneToOneField("self", models.PROTECT, null=True, related_name="next")
    """The edition before, which has one after it at most."""
    news = models.PositiveIntegerField(default=0)
    """The number of the latest change that its page shows."""

    class Meta:
        constraints = (models.UniqueConstraint("organiser", "key", name="tournament_once_a_key"),)
        indexes = (
            models.Index("due_at", condition=Q(due_at__isnull=False), name="tournaments_due"),
            models.Index("state", "begins_at", name="tournaments_listed"),
            models.Index("next_at", condition=Q(next_at__isnull=False), name="tournaments_repeated"),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    @property
    def is_going(self) -> bool:
        """Whether it is open or running."""
        return self.state in (self.State.OPEN, self.State.RUNNING)


class Entrants(models.Manager["Entrant"]):
    """All who have ever entered."""

    def awaiting_live_rounds(self) -> "models.QuerySet[Entrant]":
        """Those in live tournaments that go on: a round may begin at any time, and waits for nobody."""
        going = (Tournament.State.OPEN, Tournament.State.RUNNING)
        staying = self.filter(is_in=True, leaving="", tournament__state__in=going)
        return staying.filter(tournament__round_days=0).select_related("tournament")


class Entrant(models.Model):
    """Somebody who has ever entered: a guest, or a bot of the site. The row stays; the log says the rest."""

    class Leaving(models.TextChoices):
        """Why somebody is to leave before the next round."""

        NOT = ""
        OWN = "own"
        REMOVED = "removed"
        ABSENT = "absent"
        """They did not come to a game."""
        SUSPENDED = "suspended"
        """They may begin no such game for now: after time-outs, or as staff decided."""
        ERASED = "erased"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    """From 1. The log knows them by it."""
    guest = models.ForeignKey(Guest, models.PROTECT, null=True, related_name="tournament_entries")
    bot = models.CharField(max_length=100, blank=True, default="")
    """The level of a bot of the site."""
    is_in = models.BooleanField(default=True)
    """Whether the log has them as present."""
    leaving = models.CharField(max_length=9, choices=Leaving, blank=True, default="")
    """Why they leave, or have left; empty for those who stay."""
    objects = Entrants()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint("tournament", "number", name="entrant_once_a_number"),
            models.UniqueConstraint("tournament", "guest", name="entrant_once_a_tournament"),
            models.CheckConstraint(
                condition=Q(guest__isnull=False, bot="") | Q(guest__isnull=True) & ~Q(bot=""),
                name="tournament_entrant_is_guest_or_bot",
            ),
        )
        indexes = (
            models.Index("tournament", condition=Q(is_in=True) & ~Q(leaving=""), name="entrants_leaving"),
        )

    def __str__(self) -> str:
        return f"entrant {self.number} of {self.tournament}"

    @property
    def name(self) -> str:
        """What the log calls them."""
        return str(self.number)


class LogEntry(models.Model):
    """One line of a tournament's log."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    """From 1, without gaps."""
    content: "models.JSONField[Any, Any]" = models.JSONField()
    """As `contest.tournament.write_log` gives it."""
    at = models.FloatField()
    by = models.ForeignKey(Guest, models.SET_NULL, null=True, related_name="tournament_deeds")
    """Who did it; None: the site."""
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")
    """What a director gave as reason."""

    class Meta:
        verbose_name_plural = "log entries"
        ordering = ("number",)
        constraints = (models.UniqueConstraint("tournament", "number", name="log_entry_once_a_number"),)

    def __str__(self) -> str:
        return f"entry {self.number} of {self.tournament}"


class Round(models.Model):
    """A round that was paired: once."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    begun_at = models.FloatField()
    ends_at = models.FloatField()
    """When those who are still to act in its games lose them."""
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint("tournament", "number", name="round_once_a_number"),)
        indexes = (models.Index("ends_at", condition=Q(is_over=False), name="rounds_going"),)

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"


class Game(models.Model):
    """The one table of a pairing."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    """From 1, in the order of the pairings."""
    table = models.OneToOneField(Table, models.PROTECT, related_name="tournament_game")
    is_over = models.BooleanField(default=False)
    """Whether its result is in the log."""

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint("round", "number", name="pairing_once_a_round"),)

    def __str__(self) -> str:
        return f"table {self.number} of {self.round}"
