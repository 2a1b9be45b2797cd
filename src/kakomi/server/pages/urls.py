"""The addresses of pages that belong to no app."""

from django.urls import path

from kakomi.server.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("about", views.about, name="about"),
    path("board.css", views.board_style, name="board_style"),
    path("picture/<slug:game>.svg", views.game_picture, name="game_picture"),
]
