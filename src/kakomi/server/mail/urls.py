"""The routes of play by mail."""

from django.urls import path

from kakomi.server.mail import views

urlpatterns = [path("confirm/<str:token>", views.confirm, name="confirm_mail")]
