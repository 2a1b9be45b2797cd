"""The URLs of tables."""

from django.urls import path

from kakomi.server.tables import views
from kakomi.server.tables.event_stream import events, sign_of_life

urlpatterns = [
    path("games/", views.listed_games, name="listed_games"),
    path("next", views.next_game, name="next_game"),
    path("play/<slug:game>", views.begin, name="begin"),
    path("table/<slug:code>", views.table, name="table"),
    path("table/<slug:code>/act", views.act, name="act"),
    path("table/<slug:code>/effects", views.effects, name="effects"),
    path("table/<slug:code>/look", views.look, name="look"),
    path("table/<slug:code>/events", events, name="events"),
    path("table/<slug:code>/here", sign_of_life, name="sign_of_life"),
    path("table/<slug:code>/picture.svg", views.picture_svg, name="table_picture"),
    path("table/<slug:code>/picture.png", views.picture_png, name="table_png"),
    path("table/<slug:code>/embed", views.embed, name="table_embed"),
    path("table/<slug:code>/delete", views.delete, name="delete"),
    path("table/<slug:code>/bring-back", views.bring_back, name="bring_back"),
    path("join/<str:invitation>", views.join, name="join"),
    path("join/<str:invitation>/decline", views.decline, name="decline"),
]
