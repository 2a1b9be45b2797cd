"""The URLs of a guest's own page."""

from django.urls import path

from kakomi.server.accounts import views

urlpatterns = [
    path("me", views.me, name="me"),
    path("me/preferences", views.preferences, name="preferences"),
    path("me/renew", views.renew, name="renew"),
    path("me/browsers", views.end_sign_ins, name="end_sign_ins"),
    path("me/take-over", views.take_over, name="take_over"),
    path("me/tokens", views.own_tokens, name="tokens"),
    path("me/tokens/<int:number>/end", views.end_token, name="end_token"),
    path("me/bots", views.bots, name="bots"),
    path("me/bots/<str:handle>", views.own_tokens, name="bot_tokens"),
    path("me/<str:token>", views.take_along, name="take_along"),
]
