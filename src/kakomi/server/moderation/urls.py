"""The URLs of reports, a person's own standing, and the staff pages."""

from django.urls import path

from kakomi.server.moderation import views

urlpatterns = [
    path("report/person/<str:handle>", views.report_person, name="report_person"),
    path("report/table/<slug:code>/<int:number>", views.report_seat, name="report_seat"),
    path("me/standing", views.standing, name="standing"),
    path("moderation/", views.queue, name="moderation"),
    path("moderation/log", views.log, name="moderation_log"),
    path("moderation/case/<int:number>", views.case, name="moderation_case"),
    path("moderation/case/<int:number>/erasure", views.erasure, name="moderation_erasure"),
]
