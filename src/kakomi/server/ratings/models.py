"""The ledger of rated results, and ratings, which follow from it and from nothing else."""

from django.db import models
from django.db.models import Q

from kakomi.contest import Rating, Standing
from kakomi.server.accounts.models import Guest, User
from kakomi.server.tables.models import Table


class Pool(models.Model):
    """What is rated together: a game, on boards of a class, at a pace."""

    game = models.CharField(max_length=40)
    size_class = models.CharField(max_length=20)
    """One that the game's description names."""
    pace = models.CharField(max_length=10)
    """`live` or `days`."""

    class Meta:
        constraints = (models.UniqueConstraint("game", "size_class", "pace", name="pool_once"),)

    def __str__(self) -> str:
        return f"{self.game}, {self.size_class}, {self.pace}"


class Result(models.Model):
    """One line of the ledger: how a rated match ended. It stays, and can be annulled and corrected."""

    table = models.OneToOneField(Table, models.PROTECT, related_name="result")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="results")
    ended_at = models.FloatField()
    """Seconds since the epoch. Lines follow each other by this moment and the table."""
    is_annulled = models.BooleanField(default=False)
    is_due = models.BooleanField(default=True)
    """Whether ratings don't hold it as it stands: it is new, or has been annulled or corrected since."""

    class Meta:
        ordering = ("ended_at", "table_id")
        indexes = (
            models.Index(fields=("pool", "ended_at", "table"), name="results_in_order"),
            models.Index(fields=("pool",), condition=Q(is_due=True), name="results_due"),
        )

    def __str__(self) -> str:
        return f"the result of {self.table}"


class Entrant(models.Model):
    """Somebody in a rated match: a guest, or a bot's level."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="entrants")
    seat = models.PositiveSmallIntegerField()
    guest = models.ForeignKey(Guest, models.PROTECT, null=True, related_name="rated_results")
    bot = models.CharField(max_length=100, blank=True)
    place = models.PositiveSmallIntegerField()
    """From 1; equals share one. As it was played."""
    corrected_place = models.PositiveSmallIntegerField(null=True)
    """The one that counts instead, since the director of a tournament put the result right."""
    ran_out = models.BooleanField(default=False)
    """Whether their time was up."""

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
    """What a result meant for an entrant. It follows from the ledger, and is made again where that does."""

    entrant = models.OneToOneField(Entrant, models.CASCADE, primary_key=True, related_name="change")
    mean_before = models.FloatField()
    sigma_before = models.FloatField()
    """As the result before had left it."""
    sigma_rated = models.FloatField()
    """When the game ended: time had passed since."""
    games_before = models.PositiveIntegerField()
    at_before = models.FloatField(null=True)
    time_outs_before = models.PositiveIntegerField()
    mean_after = models.FloatField()
    sigma_after = models.FloatField()
    counted = models.BooleanField()
    """Whether it moved the rating."""

    def __str__(self) -> str:
        return f"{self.mean_before} to {self.mean_after}"

    @property
    def rated(self) -> Rating:
        """What was known when the game ended."""
        return Rating(self.mean_before, self.sigma_rated)

    @property
    def after(self) -> Rating:
        """What is known since."""
        return Rating(self.mean_after, self.sigma_after)

    @property
    def standing_before(self) -> Standing:
        """All that the ledger had said of the entrant before."""
        rating = Rating(self.mean_before, self.sigma_before)
        return Standing(rating, self.games_before, self.at_before, self.time_outs_before)


class CurrentRating(models.Model):
    """What all results of a pool say about a guest."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="ratings")
    guest = models.ForeignKey(Guest, models.PROTECT, related_name="ratings")
    mean = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    at = models.FloatField(null=True)
    """The end of the last result, in seconds since the epoch."""
    time_outs = models.PositiveIntegerField(default=0)
    """The number of results in succession, up to the last one, in which their time was up."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("pool", "guest"), name="rating_once_a_pool"),)
        indexes = (models.Index(fields=("pool", "-mean", "guest"), name="ratings_by_mean"),)

    def __str__(self) -> str:
        return f"{self.guest} in {self.pool}: {self.mean:.0f}"

    @property
    def standing(self) -> Standing:
        """The same, for the rules of `contest`."""
        return Standing(Rating(self.mean, self.sigma), self.games, self.at, self.time_outs)


class Correction(models.Model):
    """That the director of a tournament put a result right. All are kept; the last one counts."""

    result = models.ForeignKey(Result, models.PROTECT, related_name="corrections")
    at = models.FloatField()
    """Seconds since the epoch."""
    places: "models.JSONField[list[int], list[int]]" = models.JSONField()
    """By seat."""
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"corrected: {self.reason}"


class Ruling(models.Model):
    """A decision of staff about a result: that it is annulled, or counts again. They are all kept."""

    result = models.ForeignKey(Result, models.PROTECT, related_name="rulings")
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="rulings")
    at = models.FloatField()
    """Seconds since the epoch."""
    annuls = models.BooleanField()
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{'annulled' if self.annuls else 'counts again'}: {self.reason}"
