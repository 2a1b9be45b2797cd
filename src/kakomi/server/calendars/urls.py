"""The addresses of calendars. A personal one lies below `me/`, whose paths no log keeps."""

from django.urls import path

from kakomi.server.calendars import feeds, views

urlpatterns = [
    path("tournaments/calendar", views.coming, name="calendar"),
    path("tournaments/calendar.ics", feeds.all_tournaments, name="tournaments_calendar"),
    path("tournaments/<slug:code>/calendar.ics", feeds.one_tournament, name="tournament_calendar"),
    path("me/calendar", views.change, name="own_calendar"),
    path("me/calendar/<str:token>.ics", feeds.personal, name="personal_calendar"),
]
