"""Django's entry for conditional plans."""

from django.apps import AppConfig


class Plans(AppConfig):
    """What players answer to what, while the game goes on."""

    name = "kakomi.server.plans"
    label = "plans"

    def ready(self) -> None:
        """Answer what is done at tables, stand beside their boards, and tell of plans' ends."""
        from kakomi.server.plans.presenters import plan_panel
        from kakomi.server.plans.receivers import plan_ended, respond, tell_owner
        from kakomi.server.tables.extensions import PANELS, RESPONDERS

        RESPONDERS.append(respond)
        PANELS.append(plan_panel)
        plan_ended.connect(tell_owner)
