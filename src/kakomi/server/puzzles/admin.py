"""Puzzles, for staff: how hard they proved, and who answered what. Nothing can be changed."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.puzzles.models import Attempt, PuzzleRating


@admin.register(PuzzleRating)
class PuzzleRatings(ReadOnlyAdmin):
    """How hard puzzles are."""

    list_display = ("puzzle", "mean", "sigma", "attempts")
    search_fields = ("puzzle",)
    ordering = ("-attempts", "puzzle")


@admin.register(Attempt)
class Attempts(ReadOnlyAdmin):
    """Answers of people."""

    list_display = ("puzzle", "guest", "is_right", "mean", "sigma")
    list_filter = ("is_right",)
    list_select_related = ("guest",)
    search_fields = ("puzzle", "guest__name")
    ordering = ("-pk",)
