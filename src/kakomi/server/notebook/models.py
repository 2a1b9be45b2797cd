"""Notes of one's own."""

from django.db import models
from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table

LONGEST = 2_000


class Note(models.Model):
    """What somebody noted down about a game or a person, for themselves alone."""

    owner = models.ForeignKey(Guest, models.CASCADE, related_name="notes")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="+")
    about = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="+")
    text = models.CharField(max_length=LONGEST)
    at = models.FloatField()
    """When it was written last, in seconds since the epoch."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "table"), condition=Q(about=None), name="note_once_a_game"
            ),
            models.UniqueConstraint(
                fields=("owner", "about"), condition=Q(table=None), name="note_once_a_person"
            ),
            models.CheckConstraint(
                condition=Q(table__isnull=False, about=None) | Q(table=None, about__isnull=False),
                name="note_on_game_or_person",
            ),
        )
        indexes = (models.Index(fields=("owner", "-at"), name="notes_of_guest"),)

    def __str__(self) -> str:
        return f"note of {self.owner}"
