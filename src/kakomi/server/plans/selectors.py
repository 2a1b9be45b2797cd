"""Queries for plans: what a seat has planned, and what is left of it at the table as it stands."""

from dataclasses import dataclass

from kakomi.server.django_private import PreparedQuery
from kakomi.server.plans import models
from kakomi.server.tables.models import Seat
from kakomi.session import Plan, PlanEnd, Table, follow

_OF_SEAT = PreparedQuery(lambda seat: models.Plan.objects.filter(seat=seat))


@dataclass(frozen=True)
class Standing:
    """A seat's plan at the table as it stands."""

    tree: Plan
    version: int = 0
    is_armed: bool = False
    end: PlanEnd | None = None
    """Why the last plan has ended."""
    played: tuple[tuple[str, str], ...] = ()
    """What it has played since it was armed: turns, each behind the one that it answered."""

    @staticmethod
    def of(plan: models.Plan | None, table: Table, seat: int) -> "Standing":
        """What is left of a plan. One that isn't armed is followed only when somebody looks."""
        if plan is None:
            return Standing(Plan.begun(table, seat))
        tree, end = plan.tree, plan.ended
        if tree.branches and tree.entries != table.entries:
            progress = follow(tree, table)
            tree, end = progress.plan, progress.end
            if end:
                tree = tree.without(())
        if not tree.branches:
            tree = Plan.begun(table, seat)
        played = tuple((" ".join(each["to"]), " ".join(each["turn"])) for each in plan.played)
        return Standing(tree, plan.version, plan.is_armed, end, played)


def plan_of(seat: Seat) -> models.Plan | None:
    """The plan of a seat."""
    plan = _OF_SEAT.first(seat.pk)
    if plan is not None:
        plan.seat = seat
    return plan


def standing_of(seat: Seat, table: Table) -> Standing:
    """What a seat has planned."""
    return Standing.of(plan_of(seat), table, seat.number)
