"""The URLs of the lobby."""

from django.urls import path

from kakomi.server.lobby import views
from kakomi.server.lobby.event_stream import events, sign_of_life

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("play", views.play, name="lobby_play"),
    path("mine", views.mine, name="lobby_mine"),
    path("events", events, name="lobby_events"),
    path("here", sign_of_life, name="lobby_here"),
    path("settings", views.settings, name="lobby_settings"),
    path("challenge/<str:handle>", views.challenge, name="lobby_challenge"),
    path("new/<slug:game>", views.new, name="lobby_new"),
    path("seeks/<slug:code>/<slug:action>", views.change, name="lobby_change"),
]
