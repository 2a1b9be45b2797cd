"""Plays the answers of plans, in the transaction of what they answer."""

from kakomi.server.django_private import PreparedQuery
from kakomi.server.plans import models
from kakomi.server.plans.signals import plan_ended
from kakomi.server.tables import models as table_models
from kakomi.server.tables.extensions import Response
from kakomi.session import PlanEnd, Progress, Table, follow

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
