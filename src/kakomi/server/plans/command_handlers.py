"""Handles what somebody does on their planning page."""

from kakomi.core.i18n import lazy_message
from kakomi.server.plans import services
from kakomi.server.plans.commands import Place, PlanCommand
from kakomi.server.plans.permissions import expect_may_plan
from kakomi.server.plans.selectors import standing_of
from kakomi.server.plans.services import Seen
from kakomi.server.tables import models, selectors
from kakomi.server.tables.commands import Stale, build_turn, extend_turn
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Plan, Refused, Table


def handle_command(row: models.Table, viewer: Viewer, command: PlanCommand) -> Place:
    """Do something with a viewer's plan, and say where in it they are then.

    Raises Stale, Refused or IllegalAction; nothing has changed then.
    """
    place, seen = command.place, command.seen
    expect_may_plan(selectors.table_of(row), viewer)
    match command.kind:
        case "touch":
            return _touch(row, viewer, command)
        case "untouch":
            return Place(place.path, place.begun[:-1]) if place.begun else Place(place.path[:-1])
        case "remove" if not place.path:
            raise Refused(lazy_message("choose the turn from which on the plan should be deleted"))
        case "remove":
            services.edit(row, viewer, seen, lambda tree, _: tree.without(place.path))
            return Place(place.path[:-1])
        case "arm":
            services.arm(row, viewer, seen)
        case "disarm":
            services.disarm(row, viewer)
    return place


def _touch(row: models.Table, viewer: Viewer, command: PlanCommand) -> Place:
    """Add an action to the turn that is being put together. Only a whole turn is part of the plan."""
    place, seen = command.place, command.seen
    table = selectors.table_of(row)
    standing = standing_of(viewer.seats[viewer.own[0]], table)
    if seen != Seen(standing.version, table.entries):
        raise Stale
    base = standing.tree.game_at(table, place.path).position
    turn = extend_turn(build_turn(base, place.begun), command.value)
    if not turn.is_complete:
        return Place(place.path, turn.actions)
    known, path = standing.tree.with_turn(table, place.path, turn.actions)
    if known is standing.tree:  # it is planned already: nothing changes, and what is armed stays so
        return Place(path)

    def grow(tree: Plan, table: Table) -> Plan:
        return tree.with_turn(table, place.path, turn.actions)[0]

    services.edit(row, viewer, seen, grow)
    return Place(path)
