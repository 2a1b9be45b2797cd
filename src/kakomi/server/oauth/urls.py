"""The addresses of the protocol (RFC 6749, 7009)."""

from django.urls import path

from kakomi.server.oauth import protocol_views as views

urlpatterns = [
    path("authorize", views.authorize, name="authorize"),
    path("token", views.token, name="token"),
    path("revoke", views.revoke, name="revoke"),
]
