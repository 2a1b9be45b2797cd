"""Changes to plans. An edit disarms the plan, and must be based on the current plan and table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction

from kakomi.core.i18n import lazy_message
from kakomi.server.plans import models
from kakomi.server.plans.permissions import require_may_plan
from kakomi.server.plans.selectors import CurrentPlan, plan_of
from kakomi.server.realtime.ephemeral import MESSAGES
from kakomi.server.site.database import writing
from kakomi.server.tables import models as table_models
from kakomi.server.tables import selectors as table_selectors
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.event_stream import ASIDE
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Branch, Plan, Refused, Table

Change = Callable[[Plan, Table], Plan]
"""Makes a new tree from a plan's tree and its table."""


@dataclass(frozen=True)
class Seen:
    """The versions that the sender of a change has seen."""

    version: int
    """The plan's version; 0 if there was none."""
    entries: int
    """The length of the table's log."""


def edit(row: table_models.Table, viewer: Viewer, seen: Seen, change: Change) -> models.Plan:
    """Change a plan and disarm it. Raises `Stale`, `Refused` or `IllegalAction`."""
    return _changed(row, viewer, seen, change, is_armed=False)


def arm(row: table_models.Table, viewer: Viewer, seen: Seen) -> models.Plan:
    """Arm a plan. Raises `Stale`, or `Refused` if it contains no answer or an offer is open."""
    return _changed(row, viewer, seen, lambda tree, _: tree, is_armed=True)


def put(
    row: table_models.Table, viewer: Viewer, seen: Seen, branches: Sequence[Branch], *, is_armed: bool = True
) -> models.Plan:
    """Replace a plan's whole tree, and arm it by default. Raises `Stale`, or `Refused` if it is invalid."""
    return _changed(
        row,
        viewer,
        seen,
        lambda tree, table: Plan.begun(table, tree.seat).with_branches(table, branches),
        is_armed=is_armed,
    )


def disarm(row: table_models.Table, viewer: Viewer) -> None:
    """Disarm a plan, whatever its version. It stays as a draft."""
    with writing():
        _lock(row)
        for number in viewer.own:
            plan = plan_of(viewer.seats[number])
            if plan is not None and plan.is_armed:
                plan.is_armed, plan.version = False, plan.version + 1
                _save(plan, viewer)


def dismiss(row: table_models.Table, viewer: Viewer) -> None:
    """Clear the messages about what the owner's last plan played and how it ended."""
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
        require_may_plan(table, viewer)
        assert seat is not None
        plan = plan_of(seat) or models.Plan(seat=seat, table=locked)
        if seen != Seen(plan.version, locked.entries):
            raise Stale
        tree = change(CurrentPlan.of(plan, table, seat.number).tree, table)
        if is_armed:
            _require_armable(tree, table)
        plan.keep(tree)
        plan.is_armed, plan.end = is_armed, None
        if is_armed:
            plan.played = []
        _save(plan, viewer)
    return plan


def _lock(row: table_models.Table) -> table_models.Table:
    """The table's row, locked and up to date."""
    return table_models.Table.objects.select_for_update().get(pk=row.pk)


def _require_armable(tree: Plan, table: Table) -> None:
    if table.offer:
        raise Refused(lazy_message("answer the open offer before activating your plan"))
    if not tree.has_answers:
        raise Refused(lazy_message("this plan has no replies yet: plan an opponent’s move, then your own"))


def _save(plan: models.Plan, viewer: Viewer) -> None:
    """Save a plan, and after the commit notify its owner's other open pages."""
    plan.save()
    code, version, guest = plan.table.code, plan.version, viewer.guest
    if guest is not None:
        transaction.on_commit(lambda: MESSAGES.tell(code, ASIDE, version, to=guest.pk))
