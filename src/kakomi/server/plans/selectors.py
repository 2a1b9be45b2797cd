"""Queries for plans: a seat's plan, and what is left of it in the table's current state."""

from dataclasses import dataclass

from kakomi.server.plans import models
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables.models import Seat
from kakomi.session import Plan, PlanEnd, Table, follow

_OF_SEAT = PreparedQuery(lambda seat: models.Plan.objects.filter(seat=seat))


@dataclass(frozen=True)
class CurrentPlan:
    """A seat's plan in the table's current state."""

    tree: Plan
    version: int = 0
    is_armed: bool = False
    end: PlanEnd | None = None
    """Why the last plan ended; None if it hasn't."""
    played: tuple[tuple[str, str], ...] = ()
    """What it has played since it was armed: pairs of the turn answered and the turn played."""

    @staticmethod
    def of(plan: models.Plan | None, table: Table, seat: int) -> "CurrentPlan":
        """What is left of a plan. Drafts are advanced here, on viewing; armed plans with each entry."""
        if plan is None:
            return CurrentPlan(Plan.begun(table, seat))
        tree, end = plan.tree, plan.ended
        if tree.branches and tree.entries != table.entries:
            progress = follow(tree, table)
            tree, end = progress.plan, progress.end
            if end:
                tree = tree.without(())
        if not tree.branches:
            tree = Plan.begun(table, seat)
        played = tuple((" ".join(each["to"]), " ".join(each["turn"])) for each in plan.played)
        return CurrentPlan(tree, plan.version, plan.is_armed, end, played)


def plan_of(seat: Seat) -> models.Plan | None:
    """The plan of a seat; None if there is none."""
    plan = _OF_SEAT.first(seat.pk)
    if plan is not None:
        plan.seat = seat
    return plan


def current_plan_of(seat: Seat, table: Table) -> CurrentPlan:
    """The seat's plan in the table's current state."""
    return CurrentPlan.of(plan_of(seat), table, seat.number)
