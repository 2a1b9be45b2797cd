"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

from kakomi.server.analysis.listing import listed_studies
from kakomi.server.django_private import LazyResolver
from kakomi.server.tables.event_stream import events

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("kakomi.server.pages.urls")),
    path("", include("kakomi.server.operations.urls")),
    path("", include("kakomi.server.accounts.urls")),
    path("", include("kakomi.server.tables.urls")),
    path("", include("kakomi.server.coach.urls")),
    path("rules/", include("kakomi.server.rulebook.urls")),
    path("studies/", listed_studies, name="listed_studies"),
    path("analysis/", include("kakomi.server.analysis.urls")),
    path("api/v1/tables/<slug:code>/events", events, name="api_events"),
    LazyResolver("admin/", "kakomi.server.administration.urls", app_name="admin", namespace="admin"),
    LazyResolver("api/v1/", "kakomi.server.api_v1", app_name="ninja", namespace="api"),
]

handler400 = "kakomi.server.pages.errors.bad_request"
handler404 = "kakomi.server.pages.errors.not_found"
handler500 = "kakomi.server.pages.errors.broken"
