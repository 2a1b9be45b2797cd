"""The addresses of notes."""

from django.urls import path

from kakomi.server.notebook import views

urlpatterns = [
    path("notebook/", views.notebook, name="notebook"),
    path("notebook/game/<slug:code>", views.on_game, name="note_on_game"),
    path("notebook/person/<str:handle>", views.on_person, name="note_on_person"),
]
