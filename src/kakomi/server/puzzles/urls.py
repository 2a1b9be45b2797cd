"""The routes of puzzles, under `/puzzles/`."""

from django.urls import path

from kakomi.server.puzzles import views

urlpatterns = [
    path("", views.puzzles, name="puzzles"),
    path("<slug:name>", views.puzzle, name="puzzle"),
]
