"""The address of a table's coach."""

from django.urls import path

from kakomi.server.coach import views

urlpatterns = [path("table/<slug:code>/coach", views.advice, name="coach")]
