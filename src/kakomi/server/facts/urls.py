"""The address of what is known about a game."""

from django.urls import path

from kakomi.server.facts import views

urlpatterns = [path("games/<slug:game>", views.facts, name="facts")]
