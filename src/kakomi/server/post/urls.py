"""The addresses of play by mail."""

from django.urls import path

from kakomi.server.post import views

urlpatterns = [path("confirm/<str:token>", views.confirm, name="confirm_post")]
