"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

from kakomi.server.accounts.views import me, preferences, renew, take_along
from kakomi.server.api.site import api
from kakomi.server.pages.images import board_style, game_picture, table_picture
from kakomi.server.pages.views import about, bring_back, delete, home
from kakomi.server.rulebook.views import example, rules
from kakomi.server.tables.event_stream import events
from kakomi.server.tables.views.actions import act
from kakomi.server.tables.views.create import begin, join
from kakomi.server.tables.views.detail import look, table

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("about", about, name="about"),
    path("board.css", board_style, name="board_style"),
    path("picture/<slug:game>.svg", game_picture, name="game_picture"),
    path("me", me, name="me"),
    path("me/preferences", preferences, name="preferences"),
    path("me/renew", renew, name="renew"),
    path("me/<str:token>", take_along, name="take_along"),
    path("play/<slug:game>", begin, name="begin"),
    path("rules/<slug:game>", rules, name="rules"),
    path("rules/<slug:game>/examples/<slug:name>", example, name="rules_example"),
    path("table/<slug:code>", table, name="table"),
    path("table/<slug:code>/act", act, name="act"),
    path("table/<slug:code>/look", look, name="look"),
    path("table/<slug:code>/events", events, name="events"),
    path("table/<slug:code>/picture.svg", table_picture, name="table_picture"),
    path("table/<slug:code>/delete", delete, name="delete"),
    path("table/<slug:code>/bring-back", bring_back, name="bring_back"),
    path("join/<str:invitation>", join, name="join"),
    path("analysis/", include("kakomi.server.analysis.urls")),
    path("api/v1/tables/<slug:code>/events", events, name="api_events"),
    path("api/v1/", api.urls),
]

handler400 = "kakomi.server.pages.errors.bad_request"
handler403 = "kakomi.server.pages.errors.forbidden"
handler404 = "kakomi.server.pages.errors.not_found"
handler500 = "kakomi.server.pages.errors.broken"
