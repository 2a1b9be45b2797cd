"""The addresses of notices."""

from django.urls import path

from kakomi.server.notices import views, wish_views

urlpatterns = [
    path("", views.notices, name="notices"),
    path("count", views.count, name="notices_count"),
    path("seen", views.seen, name="notices_seen"),
    path("wishes", wish_views.wishes, name="notice_wishes"),
    path("mail/test", wish_views.test_mail, name="notices_test_mail"),
    path("browsers", wish_views.add_browser, name="add_browser"),
    path("browsers/changed", wish_views.change_browser, name="change_browser"),
    path("endpoints/<int:number>", wish_views.change_endpoint, name="change_endpoint"),
    path("off/<str:token>", wish_views.off, name="notices_off"),
    path("<int:number>", views.opened, name="notice"),
]
