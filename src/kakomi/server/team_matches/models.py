"""A match between two teams, who plays in it, and its games. Whoever changes one has locked its row."""

from typing import Any

from django.db import models
from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table, new_code
from kakomi.server.teams.models import Team

KEY_LENGTH = 60
LONGEST_REASON = 200


class TeamMatch(models.Model):
    """What was agreed of a match, and where it is. Moments are seconds since the epoch."""

    class State(models.TextChoices):
        """How far it has come."""

        PROPOSED = "proposed"
        """The other team has not answered."""
        OPEN = "open"
        """Agreed: members enter for their teams."""
        RUNNING = "running"
        OVER = "over"
        DECLINED = "declined"
        CANCELLED = "cancelled"
        """Taken back, called off, or not begun, as somebody was missing."""

    code = models.CharField(max_length=10, unique=True, default=new_code)
    key = models.CharField(max_length=KEY_LENGTH)
    """The challenger's: the same form is the same match, however often it is sent."""
    challenger = models.ForeignKey(Guest, models.PROTECT, related_name="team_challenges")
    home = models.ForeignKey(Team, models.PROTECT, related_name="home_matches")
    """The team that challenges."""
    away = models.ForeignKey(Team, models.PROTECT, related_name="away_matches")
    game = models.CharField(max_length=40)
    terms: "models.JSONField[Any, Any]" = models.JSONField()
    """As `lobby.terms.SeekTerms.to_json` gives them."""
    boards = models.PositiveSmallIntegerField()
    """The most boards."""
    games = models.PositiveSmallIntegerField()
    """Games at each board; two are with the seats swapped."""
    is_rated = models.BooleanField(default=False)
    seed = models.BigIntegerField()
    """By which lots are drawn. Shown once the match has begun."""
    state = models.CharField(max_length=9, choices=State, default=State.PROPOSED)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")
    """Why it was declined or called off."""
    home_is_ready = models.BooleanField(default=False)
    away_is_ready = models.BooleanField(default=False)
    created_at = models.FloatField()
    begins_at = models.FloatField()
    due_at = models.FloatField(null=True)
    """When the site has to begin it; None once it has begun, or never will."""
    ended_at = models.FloatField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("challenger", "key"), name="team_match_once_a_key"),
            models.CheckConstraint(condition=~Q(home=models.F("away")), name="team_match_of_two"),
        )
        indexes = (
            models.Index(fields=("due_at",), condition=Q(due_at__isnull=False), name="team_matches_due"),
        )

    def __str__(self) -> str:
        return f"team match {self.code}"

    @property
    def is_open(self) -> bool:
        """Whether it was agreed and has not begun."""
        return self.state == self.State.OPEN


class Entry(models.Model):
    """Somebody who would play for a team. Once the match has begun its games say who does."""

    match = models.ForeignKey(TeamMatch, models.CASCADE, related_name="entries")
    guest = models.ForeignKey(Guest, models.CASCADE, related_name="team_match_entries")
    is_home = models.BooleanField()
    at = models.FloatField()

    class Meta:
        verbose_name_plural = "entries"
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("match", "guest"), name="team_match_entry_once"),)

    def __str__(self) -> str:
        return f"{self.guest} in {self.match}"


class BoardGame(models.Model):
    """The one table of a game at a board."""

    match = models.ForeignKey(TeamMatch, models.CASCADE, related_name="board_games")
    board = models.PositiveSmallIntegerField()
    """From 1, the strongest first."""
    number = models.PositiveSmallIntegerField()
    """Of the game at its board, from 1."""
    table = models.OneToOneField(Table, models.PROTECT, related_name="team_match_game")
    home_seat = models.PositiveSmallIntegerField()
    """The seat of the home team's player."""
    home_points = models.FloatField(null=True)
    """1, 0.5 or 0 for the home team; None while it goes on."""

    class Meta:
        ordering = ("board", "number")
        constraints = (
            models.UniqueConstraint(fields=("match", "board", "number"), name="team_game_once_a_board"),
        )

    def __str__(self) -> str:
        return f"board {self.board} of {self.match}"
