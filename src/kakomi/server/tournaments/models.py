"""Tournaments and their logs, and the secret URLs of personal calendars."""

import secrets
from typing import Any

from django.db import models
from django.db.models import Q

from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.tables.models import Table, new_code


class CalendarAddress(models.Model):
    """The URL of a guest's personal calendar, which grants access to it."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="calendar_address")
    token = models.CharField(max_length=32, unique=True, default=new_token)
    """The last part of the URL."""

    class Meta:
        verbose_name_plural = "calendar addresses"

    def __str__(self) -> str:
        return f"calendar of {self.guest}"


LONGEST_NAME = 60
LONGEST_DESCRIPTION = 1_000
LONGEST_REASON = 200
KEY_LENGTH = 60


def new_seed() -> int:
    """Return a random seed for the draws."""
    return secrets.randbelow(2**53)


class Tournament(models.Model):
    """A tournament's terms and state. Changing it requires a lock on this row."""

    class State(models.TextChoices):
        """The stage it has reached."""

        OPEN = "open"
        """Open for entry; no round has been paired."""
        RUNNING = "running"
        OVER = "over"
        CANCELLED = "cancelled"
        """Ended early by a director, or because too few people entered."""

    class Repeat(models.TextChoices):
        """How often a tournament is repeated."""

        WEEKLY = "weekly"
        MONTHLY = "monthly"

    code = models.CharField(max_length=10, unique=True, default=new_code)
    key = models.CharField(max_length=KEY_LENGTH)
    """The sender's idempotency key: repeating a request with it returns the same tournament."""
    name = models.CharField(max_length=LONGEST_NAME)
    description = models.CharField(max_length=LONGEST_DESCRIPTION, blank=True, default="", db_default="")
    """The organiser's description, which may have several lines."""
    organiser = models.ForeignKey(Guest, models.PROTECT, related_name="tournaments")
    game = models.CharField(max_length=40)
    terms: "models.JSONField[Any, Any]" = models.JSONField()
    """The output of `lobby.terms.SeekTerms.to_json`."""
    format: "models.JSONField[Any, Any]" = models.JSONField()
    """The output of `contest.tournament.write_format`."""
    is_rated = models.BooleanField(default=False)
    most = models.PositiveSmallIntegerField()
    """The maximum number of players."""
    takes_late = models.BooleanField(default=False)
    """Whether people may also enter between rounds."""
    takes_bots = models.BooleanField(default=False)
    """Whether bot accounts may enter."""
    filler = models.CharField(max_length=100, blank=True, default="")
    """The level of the site's bots that fill the last table when it begins; empty for none."""
    round_days = models.PositiveSmallIntegerField()
    """The maximum length of a round in days; 0 for live games, whose clocks determine it."""
    seed = models.BigIntegerField(default=new_seed)
    """The seed of the draws, shown once the tournament is over."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    version = models.PositiveIntegerField(default=0)
    """The length of the log."""
    is_closed = models.BooleanField(default=False)
    """Whether the director has closed it for entry."""
    created_at = models.FloatField()
    begins_at = models.FloatField()
    due_at = models.FloatField(null=True)
    """When the site has to begin it or pair the next round; None during a round and at the end."""
    ended_at = models.FloatField(null=True)
    repeat = models.CharField(max_length=7, choices=Repeat, blank=True, default="")
    """How often it is repeated; empty if it isn't."""
    first_at = models.FloatField()
    """When its first edition was due to begin. Later ones begin whole weeks or months after that."""
    next_at = models.FloatField(null=True)
    """When the next edition begins; None once that is open, or if there won't be one."""
    edition = models.PositiveSmallIntegerField(default=1)
    previous = models.OneToOneField("self", models.PROTECT, null=True, related_name="next")
    """The preceding edition. Each edition has at most one successor."""
    news = models.PositiveIntegerField(default=0)
    """A counter of the changes that its page shows."""

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
    """The entrants of all tournaments, past ones included."""

    def awaiting_live_rounds(self) -> "models.QuerySet[Entrant]":
        """The present entrants of open and running live tournaments, where a round may begin at any time."""
        going = (Tournament.State.OPEN, Tournament.State.RUNNING)
        staying = self.filter(is_in=True, leaving="", tournament__state__in=going)
        return staying.filter(tournament__round_days=0).select_related("tournament")


class Entrant(models.Model):
    """A guest or a bot of the site that has entered. The row stays after they leave; the log has the rest."""

    class Leaving(models.TextChoices):
        """Why an entrant leaves before the next round."""

        NOT = ""
        OWN = "own"
        REMOVED = "removed"
        ABSENT = "absent"
        """They missed a game."""
        SUSPENDED = "suspended"
        """They currently may not begin such games, because of time-outs or a decision by staff."""
        ERASED = "erased"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    """From 1; identifies the entrant in the log."""
    guest = models.ForeignKey(Guest, models.PROTECT, null=True, related_name="tournament_entries")
    bot = models.CharField(max_length=100, blank=True, default="")
    """The level of a bot of the site; empty for a guest."""
    is_in = models.BooleanField(default=True)
    """Whether they are present according to the log."""
    leaving = models.CharField(max_length=9, choices=Leaving, blank=True, default="")
    """Why they are leaving or have left; empty if they stay."""
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
        """Their name in the log."""
        return str(self.number)


class LogEntry(models.Model):
    """An entry of a tournament's log."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    """From 1, without gaps."""
    content: "models.JSONField[Any, Any]" = models.JSONField()
    """The entry as `contest.tournament.write_log` writes it."""
    at = models.FloatField()
    by = models.ForeignKey(Guest, models.SET_NULL, null=True, related_name="tournament_decisions")
    """The person who acted; None for the site."""
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")
    """The director's reason."""

    class Meta:
        verbose_name_plural = "log entries"
        ordering = ("number",)
        constraints = (models.UniqueConstraint("tournament", "number", name="log_entry_once_a_number"),)

    def __str__(self) -> str:
        return f"entry {self.number} of {self.tournament}"


class Round(models.Model):
    """A round that has been paired."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    begun_at = models.FloatField()
    ends_at = models.FloatField()
    """When the round's time is up: in each unfinished game the player to move then loses."""
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint("tournament", "number", name="round_once_a_number"),)
        indexes = (models.Index("ends_at", condition=Q(is_over=False), name="rounds_going"),)

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"


class Game(models.Model):
    """A pairing's game, which has exactly one table."""

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
