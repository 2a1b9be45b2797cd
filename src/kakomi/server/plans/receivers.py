"""Play plans' answers in the transaction of the turn that they answer, and notify owners of ended plans."""

from django.dispatch import Signal

from kakomi.server.notices.services import notify
from kakomi.server.plans import models
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables import models as table_models
from kakomi.server.tables.extensions import Response
from kakomi.session import PlanEnd, Progress, Table, follow

plan_ended = Signal()
"""An armed plan has ended. Sent by the class `models.Plan` with `row` (the plan), `end` (a `session.PlanEnd`)
and `by`, the seat of the log entry that ended it (None for the site)."""


_ARMED = PreparedQuery(lambda table: models.Plan.objects.filter(table=table, is_armed=True))


def answer_by_plan(row: table_models.Table, table: Table) -> Response | None:
    """The first answer of an armed plan at a table, if any; end plans that no longer apply.

    Each answer uses up part of its plan, so two plans can't answer each other forever.
    """
    if sum(not seat.is_bot for seat in table.match.seats) < 2:
        return None
    for plan in _ARMED.rows(row.pk):
        if plan.entries == table.entries:
            continue
        progress = _followed(plan, table)
        if progress.answer:
            entries = [("play", action) for action in progress.answer]
            # senders' keys can't contain a colon, so this key is free
            return Response(plan.seat.number, entries, f"plan:{plan.pk}:{table.entries}")
    return None


def _followed(plan: models.Plan, table: Table) -> Progress:
    """Advance a plan to its table's current state, and save it."""
    tree = plan.tree
    progress = follow(tree, table)
    if plan.seat.guest_id is None:  # the player was erased
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
    """Notify the owner of a plan's end, unless they caused it themselves or the game is over."""
    is_own = end.reason == "own" or (by == row.seat.number and end.reason != "played")
    if row.seat.guest_id is not None and not is_own and end.reason != "over":
        notify(row.seat.guest_id, "plan_ended", f"{row.pk}.{row.version}", table=row.table)
