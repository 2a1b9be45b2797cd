"""The Django app for conditional plans."""

from django.apps import AppConfig


class Plans(AppConfig):
    """Conditional plans of players."""

    name = "kakomi.server.plans"
    label = "plans"

    def ready(self) -> None:
        """Register the plans' responder, their panel beside the board, and the notices of their ends."""
        from kakomi.server.plans.presenters import plan_link, plan_panel
        from kakomi.server.plans.receivers import answer_by_plan, plan_ended, tell_owner
        from kakomi.server.tables.extensions import MENU, PANELS, RESPONDERS

        RESPONDERS.append(answer_by_plan)
        PANELS.append(plan_panel)
        MENU.append(plan_link)
        plan_ended.connect(tell_owner)
