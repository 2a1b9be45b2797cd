"""The URLs of table messages, direct messages and notes."""

from django.urls import path

from kakomi.server.chat import conversation_views, views

urlpatterns = [
    path("messages/", conversation_views.conversations, name="conversations"),
    path("messages/wanted", conversation_views.switch_messages, name="direct_messages_wanted"),
    path("messages/@<str:handle>", conversation_views.conversation, name="conversation"),
    path(
        "messages/@<str:handle>/<int:number>",
        conversation_views.report_direct_message,
        name="report_direct_message",
    ),
    path("table/<slug:code>/messages", views.messages, name="table_messages"),
    path("table/<slug:code>/room", views.room, name="table_room"),
    path("table/<slug:code>/note", views.note, name="table_note"),
    path("table/<slug:code>/messages/wanted", views.switch_messages, name="messages_wanted"),
    path("table/<slug:code>/messages/<int:number>", views.report_message, name="report_message"),
    path("table/<slug:code>/messages/<int:number>/remove", views.remove_message, name="remove_message"),
]
