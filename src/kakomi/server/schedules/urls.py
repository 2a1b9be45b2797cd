"""The addresses of schedules."""

from django.urls import path

from kakomi.server.schedules import views

urlpatterns = [
    path("tournaments/schedules", views.schedules, name="schedules"),
    path("tournaments/schedules/<int:number>/switch", views.switch, name="switch_schedule"),
    path("tournaments/<slug:code>/schedule", views.new, name="new_schedule"),
]
