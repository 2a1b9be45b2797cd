"""The index of openings of finished games."""

from django.db import models

from kakomi.server.tables.models import Table

KEY_LENGTH = 32


class Opening(models.Model):
    """A position near the beginning of a finished game, up to the symmetries of the board."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="openings")
    key = models.CharField(max_length=KEY_LENGTH)
    """The result of `openings.opening_key`."""
    first_share: "models.FloatField[float | None, float | None]" = models.FloatField(null=True)
    """The first player's mean share of the win, 0 to 1, in the match's games with this position; None if none
    of them has a result."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("key", "table"), name="opening_once_a_table"),)

    def __str__(self) -> str:
        return f"{self.key} at {self.table}"


class Unindexed(models.Model):
    """A finished game whose openings have yet to be indexed."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="unindexed")

    class Meta:
        verbose_name_plural = "unindexed"

    def __str__(self) -> str:
        return str(self.table)
