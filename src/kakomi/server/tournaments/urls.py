"""The URLs of tournaments."""

from django.urls import path, re_path

from kakomi.server.tournaments import views
from kakomi.server.tournaments.event_stream import calls, events

urlpatterns = [
    path("", views.tournaments, name="tournaments"),
    path("new", views.new, name="tournament_new_any"),
    path("new/<slug:game>", views.new_of, name="tournament_new"),
    path("calls", calls, name="tournament_calls"),
    path("<slug:code>", views.tournament, name="tournament"),
    re_path(r"^(?P<code>[a-z0-9]+)/games\.(?P<kind>zip|jsonl)$", views.download, name="tournament_games"),
    re_path(
        r"^(?P<code>[a-z0-9]+)/standings\.(?P<kind>csv|trf)$",
        views.download_standings,
        name="tournament_standings",
    ),
    path("<slug:code>/live", views.live, name="tournament_live"),
    path("<slug:code>/events", events, name="tournament_events"),
    path("<slug:code>/report", views.report_tournament, name="report_tournament"),
    path("<slug:code>/rename", views.rename_tournament, name="rename_tournament"),
    path("<slug:code>/<slug:action>", views.change, name="tournament_change"),
]
