"""The addresses of calendars. A personal one lies below `me/`, whose paths no log keeps."""

from django.urls import path

from kakomi.server.calendars import views

urlpatterns = [
    path("tournaments/<slug:code>/calendar.ics", views.tournament, name="tournament_calendar"),
    path("me/calendar", views.address, name="calendar"),
    path("me/calendar/<str:token>.ics", views.personal, name="personal_calendar"),
]
