"""All URLs of the site."""

from django.urls import URLPattern, URLResolver, include, path

from kakomi.server.analysis.views import listed_studies
from kakomi.server.lobby.event_stream import api_events as lobby_events
from kakomi.server.site.django_private import LazyResolver
from kakomi.server.tables.event_stream import events

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("kakomi.server.tables.urls")),  # most requests go there
    path("", include("kakomi.server.lobby.home")),
    path("", include("kakomi.server.operations.urls")),
    path("", include("kakomi.server.moderation.urls")),
    path("me/time-off", include("kakomi.server.tables.vacation_views")),
    path("", include("kakomi.server.tournaments.calendar_views")),
    path("", include("kakomi.server.people.urls")),
    path("", include("kakomi.server.accounts.urls")),
    path("account/", include("kakomi.server.accounts.sign_in_urls")),
    path("", include("kakomi.server.plans.urls")),
    path("", include("kakomi.server.chat.urls")),
    path("", include("kakomi.server.analysis.coach_views")),
    path("lobby/", include("kakomi.server.lobby.urls")),
    path("", include("kakomi.server.explorer.urls")),
    path("notices/", include("kakomi.server.notices.urls")),
    path("mail/", include("kakomi.server.mail.urls")),
    path("puzzles/", include("kakomi.server.puzzles.urls")),
    path("ratings/", include("kakomi.server.ratings.urls")),
    path("tournaments/", include("kakomi.server.tournaments.urls")),
    path("rules/", include("kakomi.server.rules.urls")),
    path("studies/", listed_studies, name="listed_studies"),
    path("analysis/", include("kakomi.server.analysis.urls")),
    path("api/v1/tables/<slug:code>/events", events, name="api_events"),
    path("api/v1/lobby/events", lobby_events, name="api_lobby_events"),
    LazyResolver("admin/", "kakomi.server.accounts.admin_urls", app_name="admin", namespace="admin"),
    LazyResolver("api/v1/", "kakomi.server.api_v1", app_name="ninja", namespace="api"),
]

handler400 = "kakomi.server.site.errors.bad_request"
handler404 = "kakomi.server.site.errors.not_found"
handler500 = "kakomi.server.site.errors.broken"
