"""Plays the answers of plans in the transaction of what they answer, and notifies owners of their end."""

from django.dispatch import Signal

from kakomi.server.django_private import PreparedQuery
from kakomi.server.notices.services import notify
from kakomi.server.plans import models
from kakomi.server.tables import models as table_models
from kakomi.server.tables.extensions import Response
from kakomi.session import PlanEnd, Progress, Table, follow

plan_ended = Signal()
"""An armed plan has ended. Sent by the class `models.Plan` with `row` (the plan's, with its seat and table),
`end` (a `session.PlanEnd`), and `by`, the seat of the entry that ended it (None: the site's)."""


_ARMED = PreparedQuery(lambda table: models.Plan.objects.filter(table=table, is_armed=True))


def respond(row: table_models.Table, table: Table) -> Response | None:
    """The answer of the first plan at a table that has one; plans that don't hold any more end.

    Every answer leaves less of its plan, so two plans that answer each other come to an end.
    """
    if sum(not seat.is_bot for seat in table.match.seats) < 2:
        return None
    for plan in _ARMED.rows(row.pk):
        if plan.entries == table.entries:
            continue
        progress = _followed(plan, table)
        if progress.answer:
            entries = [("play", action) for action in progress.answer]
            # a colon, which no sender's key may have: nobody takes this key before
            return Response(plan.seat.number, entries, f"plan:{plan.pk}:{table.entries}")
    return None


def _followed(plan: models.Plan, table: Table) -> Progress:
    """Follow a plan to where its table stands, and keep that."""
    tree = plan.tree
    progress = follow(tree, table)
    if plan.seat.guest_id is None:  # whoever it was has left the site
        progress = Progress(tree, end=PlanEnd("left"))
    plan.keep(progress.plan)
    if progress.answer:
        plan.note_played(progress.to, progress.answer)
    if progress.end:
        plan.is_armed, plan.branches, plan.end = False, [], progress.end.to_json()
    plan.save()
    if progress.end:
        plan_ended.send(models.Plan, row=plan, end=progress.end, by=table.history[-1].seat)
    return progress


def tell_owner(row: models.Plan, end: PlanEnd, by: int | None, **_: object) -> None:
    """Make a notice of an end that its owner doesn't know of: neither brought about, nor the game's own."""
    is_own = end.reason == "own" or (by == row.seat.number and end.reason != "played")
    if row.seat.guest_id is not None and not is_own and end.reason != "over":
        notify(row.seat.guest_id, "plan_ended", f"{row.pk}.{row.version}", table=row.table)
