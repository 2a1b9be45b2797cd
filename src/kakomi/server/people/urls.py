"""The URLs of pages about people."""

from django.urls import path

from kakomi.server.people import views

urlpatterns = [
    path("me/data", views.my_data, name="my_data"),
    path("me/data/archive", views.my_archive, name="my_archive"),
    path("@<str:handle>", views.person, name="person"),
    path("@<str:handle>/block", views.block, name="block"),
]
