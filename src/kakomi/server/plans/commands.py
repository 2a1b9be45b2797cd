"""What the forms of a planning page ask for, and where in a plan that is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server.plans.services import Seen
from kakomi.session import Refused
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
