"""The routes of plans."""

from django.urls import path

from kakomi.server.plans import views

urlpatterns = [
    path("table/<slug:code>/plan", views.plan, name="plan"),
    path("table/<slug:code>/plan/change", views.change, name="plan_change"),
    path("table/<slug:code>/plan/disarm", views.disarm, name="plan_disarm"),
    path("table/<slug:code>/plan/dismiss", views.dismiss, name="plan_dismiss"),
    path("table/<slug:code>/plan/effects", views.effects, name="plan_effects"),
]
