"""People's attempts at puzzles."""

from django.db import models

from kakomi.server.accounts.models import Guest

NAME_LENGTH = 20
ANSWER_LENGTH = 400


class Attempt(models.Model):
    """A person's one answer to a puzzle."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="puzzle_attempts")
    puzzle = models.CharField(max_length=NAME_LENGTH)
    """The puzzle's name, which remains if the puzzle is removed from the collection."""
    answer = models.CharField(max_length=ANSWER_LENGTH)
    """The actions of the turn, separated by spaces."""
    is_right = models.BooleanField()
    at = models.FloatField()
    """In seconds since the epoch."""

    class Meta:
        ordering = ("at", "pk")
        constraints = (models.UniqueConstraint(fields=("guest", "puzzle"), name="puzzle_attempt_once"),)

    def __str__(self) -> str:
        return f"{self.puzzle}: {'right' if self.is_right else 'wrong'}"
