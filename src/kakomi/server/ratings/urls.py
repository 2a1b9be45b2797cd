"""The routes of ratings."""

from django.urls import path

from kakomi.server.ratings import views

urlpatterns = [
    path("", views.pools, name="ratings"),
    path("how", views.how, name="ratings_how"),
    path("<slug:game>/<slug:size_class>/<slug:pace>", views.ranking, name="ranking"),
    path("<slug:game>/<slug:size_class>/<slug:pace>/@<str:handle>", views.history, name="rating_history"),
]
