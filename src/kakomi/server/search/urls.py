"""The addresses of the search for games."""

from django.urls import path, re_path

from kakomi.server.search import feeds, views

urlpatterns = [
    path("feeds/<slug:game>.atom", feeds.finished_games, name="feed"),
    path("games/search", views.search, name="search_games"),
    re_path(r"^games/kakomi-games\.(?P<kind>zip|jsonl)$", views.download, name="download_games"),
]
