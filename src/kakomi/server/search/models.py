"""How finished games began."""

from django.db import models

from kakomi.server.tables.models import Table

KEY_LENGTH = 32


class Opening(models.Model):
    """A position that a finished game came through, alike for all that differ by a symmetry of the board."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="openings")
    key = models.CharField(max_length=KEY_LENGTH)
    """As `openings.opening_key` makes it."""

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
