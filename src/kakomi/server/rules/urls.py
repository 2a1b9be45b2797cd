"""The URLs of the rules and the courses, all under `/rules/`."""

from django.urls import path

from kakomi.server.rules import views

urlpatterns = [
    path("", views.learn, name="learn"),
    path("<slug:game>", views.rules, name="rules"),
    path("<slug:game>/text", views.text, name="rules_text"),
    path("<slug:game>/examples/<slug:name>", views.example, name="rules_example"),
    path("<slug:game>/course", views.course, name="course"),
    path("<slug:game>/course/<slug:name>", views.lesson, name="lesson"),
]
