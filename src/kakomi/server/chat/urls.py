"""The addresses of messages at tables."""

from django.urls import path

from kakomi.server.chat import views

urlpatterns = [
    path("table/<slug:code>/messages", views.messages, name="table_messages"),
    path("table/<slug:code>/messages/wanted", views.choose, name="messages_wanted"),
    path("table/<slug:code>/messages/<int:number>", views.report, name="report_message"),
    path("table/<slug:code>/messages/<int:number>/remove", views.remove, name="remove_message"),
]
