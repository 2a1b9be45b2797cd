"""The addresses of team matches."""

from django.urls import path, re_path

from kakomi.server.team_matches import views

urlpatterns = [
    path("new/<slug:code>", views.new, name="team_match_new_any"),
    path("new/<slug:code>/<slug:game>", views.new_of, name="team_match_new"),
    path("<slug:code>", views.match, name="team_match"),
    re_path(r"^(?P<code>[a-z0-9]+)/games\.(?P<kind>zip|jsonl)$", views.download, name="team_match_games"),
    path("<slug:code>/<slug:deed>", views.change, name="team_match_change"),
]
