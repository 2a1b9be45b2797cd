"""How finished games began."""

from django.db import models

from kakomi.server.tables.models import Table

KEY_LENGTH = 32


class Opening(models.Model):
    """A position that a finished game came through, alike for all that differ by a symmetry of the board."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="openings")
    key = models.CharField(max_length=KEY_LENGTH)
    """As `openings.opening_key` makes it."""
    first_share: "models.FloatField[float | None, float | None]" = models.FloatField(null=True)
    """The first player's share of the win, 0 to 1, on average over the match's games that came through it;
    None if none of them has a result."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("key", "table"), name="opening_once_a_table"),)

    def __str__(self) -> str:
        return f"{self.key} at {self.table}"


class Unindexed(models.Model):
    """A finished game whose openings are still to be kept."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="unindexed")

    class Meta:
        verbose_name_plural = "unindexed"

    def __str__(self) -> str:
        return str(self.table)
