"""Tells people elsewhere than beside their board that their plan has ended."""

from kakomi.server.notices.services import notify
from kakomi.server.plans import models
from kakomi.session import PlanEnd


def tell_owner(row: models.Plan, end: PlanEnd, by: int | None, **_: object) -> None:
    """Make a notice of an end that its owner doesn't know of: neither brought about, nor the game's own."""
    is_own = end.reason == "own" or (by == row.seat.number and end.reason != "played")
    if row.seat.guest_id is not None and not is_own and end.reason != "over":
        notify(row.seat.guest_id, "plan_ended", f"{row.pk}.{row.version}", table=row.table)
