"""The addresses of notices."""

from django.urls import path

from kakomi.server.notices import views

urlpatterns = [
    path("", views.notices, name="notices"),
    path("count", views.count, name="notices_count"),
    path("seen", views.seen, name="notices_seen"),
    path("wishes", views.wishes, name="notice_wishes"),
    path("mail/test", views.test_mail, name="notices_test_mail"),
    path("browsers", views.add_browser, name="add_browser"),
    path("browsers/changed", views.change_browser, name="change_browser"),
    path("endpoints/<int:number>", views.change_endpoint, name="change_endpoint"),
    path("off/<str:token>", views.off, name="notices_off"),
    path("<int:number>", views.opened, name="notice"),
]
