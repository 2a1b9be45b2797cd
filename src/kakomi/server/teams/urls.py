"""The addresses of teams."""

from django.urls import path

from kakomi.server.teams import views

urlpatterns = [
    path("", views.teams, name="teams"),
    path("new", views.new, name="team_new"),
    path("<slug:code>", views.team, name="team"),
    path("<slug:code>/edit", views.edit, name="team_edit"),
    path("<slug:code>/report", views.report, name="team_report"),
    path("<slug:code>/moderate/<slug:deed>", views.moderate, name="team_moderate"),
    path("<slug:code>/<slug:deed>", views.change, name="team_change"),
]
