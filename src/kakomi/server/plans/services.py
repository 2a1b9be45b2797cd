"""What people change about their plans. A change disarms; whoever makes it has to have seen the last one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction

from kakomi.core.i18n import lazy_message
from kakomi.server.database import writing
from kakomi.server.plans import models
from kakomi.server.plans.permissions import expect_may_plan
from kakomi.server.plans.selectors import Standing, plan_of
from kakomi.server.realtime.ephemeral import MESSAGES
from kakomi.server.tables import models as table_models
from kakomi.server.tables import selectors as table_selectors
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.event_stream import ASIDE
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Branch, Plan, Refused, Table

Change = Callable[[Plan, Table], Plan]
"""Makes another tree of a plan's at a table."""


@dataclass(frozen=True)
class Seen:
    """What the sender of a change has seen."""

    version: int
    """Of the plan; 0: there was none."""
    entries: int
    """Of the table's log."""


def edit(row: table_models.Table, viewer: Viewer, seen: Seen, change: Change) -> models.Plan:
    """Change a plan, which is not armed then. Raises Stale, Refused or IllegalAction."""
    return _changed(row, viewer, seen, change, is_armed=False)


def arm(row: table_models.Table, viewer: Viewer, seen: Seen) -> models.Plan:
    """Let a plan play from now on. Raises Stale, or Refused for one that has nothing to play."""
    return _changed(row, viewer, seen, lambda tree, _: tree, is_armed=True)


def put(
    row: table_models.Table, viewer: Viewer, seen: Seen, branches: Sequence[Branch], *, is_armed: bool = True
) -> models.Plan:
    """Take a whole tree for a plan, and arm it. Raises Stale, or Refused for one that isn't allowed."""
    return _changed(
        row,
        viewer,
        seen,
        lambda tree, table: Plan.begun(table, tree.seat).with_branches(table, branches),
        is_armed=is_armed,
    )


def disarm(row: table_models.Table, viewer: Viewer) -> None:
    """Let a plan play nothing any more, whatever it has become meanwhile. It stays as a draft."""
    with writing():
        _lock(row)
        for number in viewer.own:
            plan = plan_of(viewer.seats[number])
            if plan is not None and plan.is_armed:
                plan.is_armed, plan.version = False, plan.version + 1
                _save(plan, viewer)


def dismiss(row: table_models.Table, viewer: Viewer) -> None:
    """Note that the owner knows what their last plan has played, and how it ended."""
    with writing():
        _lock(row)
        models.Plan.objects.filter(seat__in=[viewer.seats[number] for number in viewer.own]).update(
            end=None, played=[]
        )


def delete(row: table_models.Table, viewer: Viewer) -> None:
    """Delete a plan, armed or not."""
    with writing():
        _lock(row)
        for number in viewer.own:
            plan = plan_of(viewer.seats[number])
            if plan is not None:
                plan.is_armed, plan.branches, plan.end, plan.played = False, [], None, []
                plan.version += 1
                _save(plan, viewer)


def _changed(
    row: table_models.Table, viewer: Viewer, seen: Seen, change: Change, *, is_armed: bool
) -> models.Plan:
    with writing():
        locked = _lock(row)
        table, seat = table_selectors.table_of(locked), viewer.seats[viewer.own[0]] if viewer.own else None
        expect_may_plan(table, viewer)
        assert seat is not None
        plan = plan_of(seat) or models.Plan(seat=seat, table=locked)
        if seen != Seen(plan.version, locked.entries):
            raise Stale
        tree = change(Standing.of(plan, table, seat.number).tree, table)
        if is_armed:
            _expect_armable(tree, table)
        plan.keep(tree)
        plan.is_armed, plan.end = is_armed, None
        if is_armed:
            plan.played = []
        _save(plan, viewer)
    return plan


def _lock(row: table_models.Table) -> table_models.Table:
    """The latest state of a table's row, which nobody else changes meanwhile."""
    return table_models.Table.objects.select_for_update().get(pk=row.pk)


def _expect_armable(tree: Plan, table: Table) -> None:
    if table.offer:
        raise Refused(lazy_message("an offer is open: a plan can be armed once it is answered"))
    if not tree.has_answers:
        raise Refused(
            lazy_message("this plan answers nothing yet: plan a turn of another player, then your own")
        )


def _save(plan: models.Plan, viewer: Viewer) -> None:
    """Save a plan, and tell its owner's other pages, and nobody else, once that is certain."""
    plan.save()
    code, version, guest = plan.table.code, plan.version, viewer.guest
    if guest is not None:
        transaction.on_commit(lambda: MESSAGES.tell(code, ASIDE, version, to=guest.pk))
