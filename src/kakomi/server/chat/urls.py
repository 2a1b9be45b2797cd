"""The addresses of messages, at tables and between two people, and of notes."""

from django.urls import path

from kakomi.server.chat import conversation_views, views

urlpatterns = [
    path("messages/", conversation_views.conversations, name="conversations"),
    path("messages/wanted", conversation_views.choose, name="direct_messages_wanted"),
    path("messages/@<str:handle>", conversation_views.conversation, name="conversation"),
    path("messages/@<str:handle>/<int:number>", conversation_views.report, name="report_direct_message"),
    path("table/<slug:code>/messages", views.messages, name="table_messages"),
    path("table/<slug:code>/room", views.room, name="table_room"),
    path("table/<slug:code>/note", views.note, name="table_note"),
    path("table/<slug:code>/messages/wanted", views.choose, name="messages_wanted"),
    path("table/<slug:code>/messages/<int:number>", views.report, name="report_message"),
    path("table/<slug:code>/messages/<int:number>/remove", views.remove, name="remove_message"),
]
