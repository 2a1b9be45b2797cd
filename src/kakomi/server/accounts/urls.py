"""The addresses of a guest's own page."""

from django.urls import path

from kakomi.server.accounts import views

urlpatterns = [
    path("me", views.me, name="me"),
    path("me/preferences", views.preferences, name="preferences"),
    path("me/renew", views.renew, name="renew"),
    path("me/<str:token>", views.take_along, name="take_along"),
]
