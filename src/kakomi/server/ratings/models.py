"""The ledger of rated results, and the ratings, which are computed from it alone."""

from django.db import models
from django.db.models import Q

from kakomi.contest import Rating, Standing
from kakomi.server.accounts.models import Guest, User
from kakomi.server.tables.models import Table


class Pool(models.Model):
    """Games that are rated together: the same game, class of board sizes, and pace."""

    game = models.CharField(max_length=40)
    size_class = models.CharField(max_length=20)
    """A key of `size_classes` in the game's description."""
    pace = models.CharField(max_length=10)
    """`live` or `days`."""

    class Meta:
        constraints = (models.UniqueConstraint("game", "size_class", "pace", name="pool_once"),)

    def __str__(self) -> str:
        return f"{self.game}, {self.size_class}, {self.pace}"


class Result(models.Model):
    """An entry in the ledger: how a rated match ended. It is kept, but can be annulled and corrected."""

    table = models.OneToOneField(Table, models.PROTECT, related_name="result")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="results")
    ended_at = models.FloatField()
    """In seconds since the epoch. Results are ordered by this time, then by table."""
    is_annulled = models.BooleanField(default=False)
    is_due = models.BooleanField(default=True)
    """Whether it has still to be rated, because it is new or has been annulled, reinstated or corrected."""

    class Meta:
        ordering = ("ended_at", "table_id")
        indexes = (
            models.Index(fields=("pool", "ended_at", "table"), name="results_in_order"),
            models.Index(fields=("pool",), condition=Q(is_due=True), name="results_due"),
        )

    def __str__(self) -> str:
        return f"the result of {self.table}"


class Entrant(models.Model):
    """A player in a rated match: a guest, or a bot."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="entrants")
    seat = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, models.PROTECT, null=True, related_name="rated_results")
    bot = models.CharField(max_length=100, blank=True)
    place = models.PositiveSmallIntegerField()
    """The place as played, from 1; ties share a place."""
    corrected_place = models.PositiveSmallIntegerField(null=True)
    """The place that counts instead, if a tournament director corrected the result."""
    ran_out = models.BooleanField(default=False)
    """Whether they ran out of time."""

    class Meta:
        ordering = ("seat",)
        constraints = (
            models.UniqueConstraint("result", "seat", name="entrant_once_a_seat"),
            models.CheckConstraint(
                condition=Q(guest__isnull=False, bot="") | Q(guest__isnull=True) & ~Q(bot=""),
                name="entrant_is_guest_or_bot",
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} in {self.result}"

    @property
    def counted_place(self) -> int:
        """The place that counts."""
        return self.corrected_place or self.place


class Change(models.Model):
    """An entrant's change of rating by a result. It is recomputed when the ledger changes."""

    entrant = models.OneToOneField(Entrant, models.CASCADE, primary_key=True, related_name="change")
    mean_before = models.FloatField()
    sigma_before = models.FloatField()
    """Sigma after the previous result."""
    sigma_rated = models.FloatField()
    """Sigma when the game ended, widened by the time since the previous result."""
    games_before = models.PositiveIntegerField()
    at_before = models.FloatField(null=True)
    time_outs_before = models.PositiveIntegerField()
    mean_after = models.FloatField()
    sigma_after = models.FloatField()
    counted = models.BooleanField()
    """Whether the result counted for the rating."""

    def __str__(self) -> str:
        return f"{self.mean_before} to {self.mean_after}"

    @property
    def rated(self) -> Rating:
        """The rating when the game ended."""
        return Rating(self.mean_before, self.sigma_rated)

    @property
    def after(self) -> Rating:
        """The rating after the result."""
        return Rating(self.mean_after, self.sigma_after)


class CurrentRating(models.Model):
    """A guest's current rating in a pool."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="ratings")
    guest = models.ForeignKey(Guest, models.PROTECT, related_name="ratings")
    mean = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    at = models.FloatField(null=True)
    """When the last result ended, in seconds since the epoch."""
    time_outs = models.PositiveIntegerField(default=0)
    """The number of latest successive results in which they ran out of time."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("pool", "guest"), name="rating_once_a_pool"),)
        indexes = (models.Index(fields=("pool", "-mean", "guest"), name="ratings_by_mean"),)

    def __str__(self) -> str:
        return f"{self.guest} in {self.pool}: {self.mean:.0f}"

    @property
    def standing(self) -> Standing:
        """The rating as a `contest.Standing`."""
        return Standing(Rating(self.mean, self.sigma), self.games, self.at, self.time_outs)


class Correction(models.Model):
    """A correction of a result by a tournament director. All are kept; the last one counts."""

    result = models.ForeignKey(Result, models.PROTECT, related_name="corrections")
    at = models.FloatField()
    """In seconds since the epoch."""
    places: "models.JSONField[list[int], list[int]]" = models.JSONField()
    """Seat -> place."""
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"corrected: {self.reason}"


class Ruling(models.Model):
    """A decision by staff to annul or reinstate a result. All are kept."""

    result = models.ForeignKey(Result, models.PROTECT, related_name="rulings")
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="rulings")
    at = models.FloatField()
    """In seconds since the epoch."""
    annuls = models.BooleanField()
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{'annulled' if self.annuls else 'counts again'}: {self.reason}"
