"""The routes of notices."""

from django.urls import path

from kakomi.server.notices import views

urlpatterns = [
    path("", views.notices, name="notices"),
    path("count", views.count, name="notices_count"),
    path("seen", views.mark_seen, name="notices_seen"),
    path("preferences", views.preferences, name="notice_preferences"),
    path("mail/test", views.test_mail, name="notices_test_mail"),
    path("browsers", views.add_browser, name="add_browser"),
    path("browsers/changed", views.change_browser, name="change_browser"),
    path("endpoints/<int:number>", views.change_endpoint, name="change_endpoint"),
    path("off/<str:token>", views.stop_mail, name="notices_off"),
    path("<int:number>", views.open_notice, name="notice"),
]
