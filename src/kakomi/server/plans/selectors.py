"""Queries for plans: what a seat has planned, what is left of it at the table, and who may plan."""

from dataclasses import dataclass

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.server.django_private import PreparedQuery
from kakomi.server.plans import models
from kakomi.server.tables.models import Seat
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Plan, PlanEnd, Refused, Table, follow

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


def why_not(table: Table, viewer: Viewer) -> LazyMessage | None:
    """Why a viewer can't plan here; None if they can."""
    if not viewer.is_player:
        return lazy_message("you are watching: only players plan")
    if len(viewer.own) > 1:
        return lazy_message("you play for several seats here: a plan is for one")
    if not viewer.faces_people:
        return lazy_message("plans are for games against people")
    if viewer.free:
        return lazy_message("not everybody is here yet")
    if table.is_over or table.match.phase != "play":
        return lazy_message("a plan is for a game that is being played")
    seat = viewer.own[0]
    if seat in table.match.current_game.resigned_seats or table.match.seats[seat].is_bot:
        return lazy_message("you have left the game")
    return None


def expect_may_plan(table: Table, viewer: Viewer) -> None:
    """Raise Refused for who can't plan here."""
    if reason := why_not(table, viewer):
        raise Refused(reason)
