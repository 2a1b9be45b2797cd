"""The URLs of the search for games."""

from django.urls import path, re_path

from kakomi.server.explorer import views

urlpatterns = [
    path("games/search", views.search, name="search_games"),
    re_path(r"^games/kakomi-games\.(?P<kind>zip|jsonl)$", views.download, name="download_games"),
    path("games/<slug:game>", views.known_results, name="known_results"),
]
