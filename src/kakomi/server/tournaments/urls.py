"""The addresses of tournaments."""

from django.urls import path, re_path

from kakomi.server.tournaments import views

urlpatterns = [
    path("", views.tournaments, name="tournaments"),
    path("new", views.new, name="tournament_new_any"),
    path("new/<slug:game>", views.new_of, name="tournament_new"),
    path("<slug:code>", views.tournament, name="tournament"),
    re_path(r"^(?P<code>[a-z0-9]+)/games\.(?P<kind>zip|jsonl)$", views.download, name="tournament_games"),
    path("<slug:code>/<slug:deed>", views.change, name="tournament_change"),
]
