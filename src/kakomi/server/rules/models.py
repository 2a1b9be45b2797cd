"""Guests' progress in courses."""

from django.db import models

from kakomi.server.accounts.models import Guest

GAME_LENGTH = 40
LESSON_LENGTH = 60


class CompletedLesson(models.Model):
    """A lesson that a guest has completed, by its name, which stays when its text changes."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="completed_lessons")
    game = models.CharField(max_length=GAME_LENGTH)
    lesson = models.CharField(max_length=LESSON_LENGTH)
    completed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("guest", "game", "lesson"), name="rulebook_lesson_once"),
        )

    def __str__(self) -> str:
        return f"{self.game}: {self.lesson}"
