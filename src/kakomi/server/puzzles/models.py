"""What people answered, and what is known of how hard puzzles are."""

from django.db import models

from kakomi.contest import Rating
from kakomi.server.accounts.models import Guest

NAME_LENGTH = 20
ANSWER_LENGTH = 400


class PuzzleRating(models.Model):
    """How hard a puzzle is, as far as its attempts say; puzzles that nobody has tried have no row."""

    puzzle = models.CharField(max_length=NAME_LENGTH, primary_key=True)
    """Its name, which outlives the file that it came in."""
    mean = models.FloatField()
    sigma = models.FloatField()
    attempts = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.puzzle}: {self.mean:.0f}"

    @property
    def rating(self) -> Rating:
        return Rating(self.mean, self.sigma)


class Attempt(models.Model):
    """A person's one answer to a puzzle, and their rating since."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="puzzle_attempts")
    puzzle = models.CharField(max_length=NAME_LENGTH)
    answer = models.CharField(max_length=ANSWER_LENGTH)
    """The actions of the turn, with spaces between them."""
    is_right = models.BooleanField()
    at = models.FloatField()
    """Seconds since the epoch."""
    puzzle_mean = models.FloatField()
    puzzle_sigma = models.FloatField()
    """How hard the puzzle was held to be before."""
    mean = models.FloatField()
    sigma = models.FloatField()
    """What is known of the person since."""

    class Meta:
        ordering = ("at", "pk")
        constraints = (models.UniqueConstraint(fields=("guest", "puzzle"), name="puzzle_attempt_once"),)

    def __str__(self) -> str:
        return f"{self.puzzle}: {'right' if self.is_right else 'wrong'}"

    @property
    def rating(self) -> Rating:
        return Rating(self.mean, self.sigma)

    @property
    def puzzle_rating(self) -> Rating:
        return Rating(self.puzzle_mean, self.puzzle_sigma)
