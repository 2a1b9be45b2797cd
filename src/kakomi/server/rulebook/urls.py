"""The addresses of the rules, all under `/rules/`."""

from django.urls import path

from kakomi.server.rulebook import views

urlpatterns = [
    path("<slug:game>", views.rules, name="rules"),
    path("<slug:game>/text", views.text, name="rules_text"),
    path("<slug:game>/examples/<slug:name>", views.example, name="rules_example"),
]
