"""What the forms of a planning page ask for, where in a plan that is, and the doing of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server.plans import services
from kakomi.server.plans.permissions import expect_may_plan
from kakomi.server.plans.selectors import standing_of
from kakomi.server.plans.services import Seen
from kakomi.server.tables import models, selectors
from kakomi.server.tables.commands import Stale, build_turn, extend_turn
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Plan, Refused, Table
from kakomi.session.plans import LONGEST_TURN, MOST_DEEP, Path

_LONGEST = 200
"""Characters of an action."""
KINDS = ("touch", "untouch", "remove", "arm", "disarm")


@dataclass(frozen=True)
class Place:
    """Where in a plan somebody is: behind a turn, with some actions of the next one."""

    path: Path = ()
    begun: tuple[str, ...] = ()

    @staticmethod
    def of(form: Mapping[str, str]) -> "Place":
        """The place that a form or an address names; the root, if that is none."""
        at, begun = form.get("at", ""), tuple(form.get("begun", "").split())
        if not re.fullmatch(r"(\d{1,3}(\.\d{1,3})*)?", at, re.ASCII) or at.count(".") >= MOST_DEEP:
            return Place()
        path = tuple(int(number) for number in at.split(".")) if at else ()
        return Place(path, begun[:LONGEST_TURN])

    @property
    def at(self) -> str:
        """The path as addresses and forms have it."""
        return written(self.path)

    @property
    def query(self) -> dict[str, str]:
        """The place in an address."""
        values = {"at": self.at, "begun": " ".join(self.begun)}
        return {name: value for name, value in values.items() if value}


def written(path: Path) -> str:
    """A path as addresses and forms have it: `0.2.0`."""
    return ".".join(map(str, path))


@dataclass(frozen=True)
class PlanCommand:
    """A button of the page, or a click on its board."""

    kind: str
    """One of KINDS."""
    value: str
    """The action that was touched."""
    place: Place
    seen: Seen


def command_of_form(form: Mapping[str, str]) -> PlanCommand:
    """The command of a form. Raises Refused for anything else."""
    kind, _, value = form.get("kind", "").partition(" ")
    if kind == "touch":
        value = value or form.get("written", "").strip()
    if kind not in KINDS or (kind == "touch") != bool(value):
        raise Refused(lazy_message("{kind} can't be done with a plan", kind=repr(kind[:20])))
    numbers = [form.get(name, "") for name in ("version", "entries")]
    if not all(re.fullmatch(r"\d{1,9}", number, re.ASCII) for number in numbers):
        raise Refused(lazy_message("the form should say which version of the plan and of the game was seen"))
    version, entries = map(int, numbers)
    return PlanCommand(kind, value[:_LONGEST], Place.of(form), Seen(version, entries))


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
