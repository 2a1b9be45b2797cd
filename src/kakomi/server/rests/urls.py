"""The address of a guest's rests."""

from django.urls import path

from kakomi.server.rests import views

urlpatterns = [path("", views.rests, name="rests")]
