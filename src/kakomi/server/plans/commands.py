"""The commands of the planning page: parsing forms, places in a plan, and carrying commands out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server.plans import services
from kakomi.server.plans.permissions import require_may_plan
from kakomi.server.plans.selectors import current_plan_of
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
    """A place in a plan: after the turn at `path`, with some actions of the next turn begun."""

    path: Path = ()
    begun: tuple[str, ...] = ()

    @staticmethod
    def of(form: Mapping[str, str]) -> "Place":
        """The place in a form or query; the root if it is malformed."""
        at, begun = form.get("at", ""), tuple(form.get("begun", "").split())
        if not re.fullmatch(r"(\d{1,3}(\.\d{1,3})*)?", at, re.ASCII) or at.count(".") >= MOST_DEEP:
            return Place()
        path = tuple(int(number) for number in at.split(".")) if at else ()
        return Place(path, begun[:LONGEST_TURN])

    @property
    def at(self) -> str:
        """The path as text, for addresses and forms."""
        return written(self.path)

    @property
    def query(self) -> dict[str, str]:
        """The place as query parameters."""
        values = {"at": self.at, "begun": " ".join(self.begun)}
        return {name: value for name, value in values.items() if value}


def written(path: Path) -> str:
    """A path as text, for addresses and forms: `0.2.0`."""
    return ".".join(map(str, path))


@dataclass(frozen=True)
class PlanCommand:
    """A press of a button on the page, or a click on its board."""

    kind: str
    """One of `KINDS`."""
    value: str
    """For `touch`, the action; otherwise empty."""
    place: Place
    seen: Seen


def command_of_form(form: Mapping[str, str]) -> PlanCommand:
    """The command in a form. Raises `Refused` if it is invalid."""
    kind, _, value = form.get("kind", "").partition(" ")
    if kind == "touch":
        value = value or form.get("written", "").strip()
    if kind not in KINDS or (kind == "touch") != bool(value):
        raise Refused(lazy_message("{kind} isn’t a plan command", kind=repr(kind[:20])))
    numbers = [form.get(name, "") for name in ("version", "entries")]
    if not all(re.fullmatch(r"\d{1,9}", number, re.ASCII) for number in numbers):
        raise Refused(lazy_message("the form lacks the versions of the plan and the game"))
    version, entries = map(int, numbers)
    return PlanCommand(kind, value[:_LONGEST], Place.of(form), Seen(version, entries))


def handle_plan_command(row: models.Table, viewer: Viewer, command: PlanCommand) -> Place:
    """Carry out a command on a viewer's plan, and return the place to show.

    Raises `Stale`, `Refused` or `IllegalAction`; the plan is then unchanged.
    """
    place, seen = command.place, command.seen
    require_may_plan(selectors.table_of(row), viewer)
    match command.kind:
        case "touch":
            return _touch(row, viewer, command)
        case "untouch":
            return Place(place.path, place.begun[:-1]) if place.begun else Place(place.path[:-1])
        case "remove" if not place.path:
            raise Refused(lazy_message("choose the move to delete from"))
        case "remove":
            services.edit(row, viewer, seen, lambda tree, _: tree.without(place.path))
            return Place(place.path[:-1])
        case "arm":
            services.arm(row, viewer, seen)
        case "disarm":
            services.disarm(row, viewer)
    return place


def _touch(row: models.Table, viewer: Viewer, command: PlanCommand) -> Place:
    """Add an action to the begun turn. Only a complete turn enters the plan."""
    place, seen = command.place, command.seen
    table = selectors.table_of(row)
    current = current_plan_of(viewer.seats[viewer.own[0]], table)
    if seen != Seen(current.version, table.entries):
        raise Stale
    base = current.tree.game_at(table, place.path).position
    turn = extend_turn(build_turn(base, place.begun), command.value)
    if not turn.is_complete:
        return Place(place.path, turn.actions)
    known, path = current.tree.with_turn(table, place.path, turn.actions)
    if known is current.tree:  # planned already: an armed plan stays armed
        return Place(path)

    def grow(tree: Plan, table: Table) -> Plan:
        return tree.with_turn(table, place.path, turn.actions)[0]

    services.edit(row, viewer, seen, grow)
    return Place(path)
