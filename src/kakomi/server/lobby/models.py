"""Seeks and challenges, the people who have joined them, and the games that they became.

Times are in seconds since the epoch, from `kakomi.server.site.clock`.
"""

from typing import Any

from django.db import models
from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table, new_code

GAME_LENGTH = 40
KEY_LENGTH = 60
REMARK_LENGTH = 300
"""The limit of a table message, which the remark becomes when the game begins."""


class Seek(models.Model):
    """A wish to play. Changing it requires the locks of the people in it (`accounts/services.py`)."""

    class Kind(models.TextChoices):
        """Who may join it."""

        OPEN = "open"
        """Everybody, under the owner's terms."""
        QUICK = "quick"
        """Everybody, under the site's usual terms, with automatic pairing."""
        CHALLENGE = "challenge"
        """Only the invited."""

    class Ending(models.TextChoices):
        """How it ended."""

        STARTED = "started"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"
        GONE = "gone"
        """Its owner closed all their pages."""
        DECLINED = "declined"
        PLAYING = "playing"
        """Its owner began another live game."""
        MERGED = "merged"
        """Automatic pairing moved its people into another seek."""

    code = models.CharField(max_length=10, unique=True, default=new_code)
    owner = models.ForeignKey(Guest, models.CASCADE, related_name="seeks")
    key = models.CharField(max_length=KEY_LENGTH)
    """The sender's idempotency key: repeating a request with it returns the same seek."""
    digest = models.CharField(max_length=18, blank=True, default="")
    """A digest of the wish sent with the key; a different wish under the same key is refused."""
    kind = models.CharField(max_length=9, choices=Kind)
    game = models.CharField(max_length=GAME_LENGTH)
    terms: "models.JSONField[Any, Any]" = models.JSONField()
    """The output of `terms.SeekTerms.to_json`."""
    pace = models.CharField(max_length=5)
    """`live` or `days`."""
    is_rated = models.BooleanField(default=False)
    rating_low = models.IntegerField(null=True)
    """The lowest rating that may join. If both limits are None, everyone may, rated or not."""
    rating_high = models.IntegerField(null=True)
    least = models.PositiveSmallIntegerField(default=2)
    """The minimum number of players."""
    most = models.PositiveSmallIntegerField(default=2)
    times = models.PositiveSmallIntegerField(default=1)
    """The number of games that it may become, each with different people."""
    round = models.PositiveSmallIntegerField(default=1)
    """The number of the game that it is gathering players for, from 1."""
    created_at = models.FloatField()
    seen_at = models.FloatField()
    """When its owner's page was last known to be open."""
    due_at = models.FloatField()
    """When it expires."""
    starts_at = models.FloatField(null=True)
    """When its game begins even if more players could join; None while there are too few."""
    ended_at = models.FloatField(null=True)
    ending = models.CharField(max_length=9, choices=Ending, blank=True, default="")
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, related_name="merged")
    """The seek that its people have joined instead."""
    is_dismissed = models.BooleanField(default=False)
    """Whether its owner has read how it ended."""
    remark = models.CharField(max_length=REMARK_LENGTH, blank=True, default="")
    """The owner's remark to the others."""

    class Meta:
        constraints = (models.UniqueConstraint("owner", "key", name="seek_once_a_key"),)
        indexes = (
            models.Index("game", "pace", condition=Q(ended_at__isnull=True), name="lobby_open"),
            models.Index("due_at", condition=Q(ended_at__isnull=True), name="lobby_due"),
        )

    def __str__(self) -> str:
        return f"{self.kind} seek {self.code} of {self.game}"

    @property
    def is_open(self) -> bool:
        """Whether it is still waiting."""
        return self.ended_at is None


class Place(models.Model):
    """A guest who has joined a seek: once, in one of its rounds."""

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="places")
    guest = models.ForeignKey(Guest, models.CASCADE, related_name="places_in_seeks")
    round = models.PositiveSmallIntegerField()
    joined_at = models.FloatField()
    seen_at = models.FloatField()
    """When their page was last known to be open."""
    remark = models.CharField(max_length=REMARK_LENGTH, blank=True, default="")
    """Their remark to the others."""

    class Meta:
        ordering = ("joined_at", "pk")
        constraints = (models.UniqueConstraint("seek", "guest", name="place_once_a_seek"),)

    def __str__(self) -> str:
        return f"{self.guest} in {self.seek}"


class Invitee(models.Model):
    """A challenged guest, with their answer."""

    class Answer(models.TextChoices):
        """Their answer."""

        NONE = ""
        ACCEPTED = "accepted"
        DECLINED = "declined"

    class Reason(models.TextChoices):
        """Why they declined."""

        NONE = ""
        LATER = "later"
        CLOCK = "clock"
        BOARD = "board"
        TERMS = "terms"
        CASUAL = "casual"
        RATED = "rated"
        OPPONENT = "opponent"

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="invitees")
    guest = models.ForeignKey(Guest, models.CASCADE, related_name="challenges")
    answer = models.CharField(max_length=8, choices=Answer, blank=True, default="")
    reason = models.CharField(max_length=8, choices=Reason, blank=True, default="")

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint("seek", "guest", name="invitee_once_a_seek"),)

    def __str__(self) -> str:
        return f"{self.guest} invited to {self.seek}"


class SeekGame(models.Model):
    """The game that a round of a seek became, created in the same transaction."""

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="games")
    round = models.PositiveSmallIntegerField()
    table = models.OneToOneField(Table, models.CASCADE, related_name="seek_game")

    class Meta:
        constraints = (models.UniqueConstraint("seek", "round", name="game_once_a_round"),)

    def __str__(self) -> str:
        return f"game {self.round} of {self.seek}"


class LobbyGuest(models.Model):
    """The lobby's data about a guest."""

    class From(models.TextChoices):
        """Whose challenges they accept."""

        EVERYBODY = "all"
        NOBODY = "nobody"

    guest = models.OneToOneField(Guest, models.CASCADE, primary_key=True, related_name="in_lobby")
    news = models.PositiveBigIntegerField(default=0)
    """The number of the latest news that concerns them."""
    challenges_from = models.CharField(max_length=8, choices=From, default=From.EVERYBODY)
    takes_live = models.BooleanField(default=True)
    takes_days = models.BooleanField(default=True)
    takes_rated = models.BooleanField(default=True)
    takes_casual = models.BooleanField(default=True)
    most_games = models.PositiveSmallIntegerField(null=True, blank=True)
    """With this many games in progress they take no more challenges; None means no limit."""

    def __str__(self) -> str:
        return f"{self.guest} in the lobby"


class LobbyNews(models.Model):
    """A single row: the number of the lobby's latest news."""

    news = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "lobby news"

    def __str__(self) -> str:
        return f"news {self.news}"
