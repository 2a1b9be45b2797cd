"""Actions at tables in a season: turns, answers, offers, plans, messages and rests."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from kakomi.server.accounts.models import Guest
from kakomi.server.chat import services as chat
from kakomi.server.plans.permissions import why_not
from kakomi.server.site import clock
from kakomi.server.tables import models, selectors, vacations
from kakomi.server.tables.command_handlers import handle_table_command
from kakomi.server.tables.commands import (
    Abort,
    Accept,
    ChooseColour,
    Confirm,
    Decline,
    NameKomi,
    Offer,
    Resign,
    Submission,
    TableCommand,
)
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table
from kakomi.session.events import ABORTS
from kakomi.session.time_control import DAY
from season.planning import arm_plan, drawn_turn

Deed = dict[str, Any]
"""An action as data: `do` names it, the rest are its arguments."""


def at_table(row: models.Table, guest: Guest, chance: random.Random) -> Iterator[Deed]:
    """Yield a person's actions at one of their tables."""
    table, viewer = selectors.table_of(row), Viewer.of(row, guest)
    deed: Deed = {"do": "act", "code": row.code, "base": row.entries, "seed": chance.getrandbits(32)}
    if viewer.seat_to_answer(table) is not None:
        yield deed | {"what": "answer"}
    elif viewer.seat_to_act(table) is not None:
        yield deed | {"what": chance.choices(("turn", "resign", "offer", "abort"), (100, 1, 4, 1))[0]}
    if chance.random() < 0.3 and why_not(table, viewer) is None:
        yield {"do": "plan", "code": row.code}
    if chance.random() < 0.1:
        yield {"do": "say", "code": row.code}


def _act(guest: Guest, deed: Deed) -> None:
    row = selectors.find_table(deed["code"])
    seen = table_at(row, deed["base"])
    command = _command(seen, Viewer.of(row, guest), deed["what"], random.Random(deed["seed"]))
    handle_table_command(row, Viewer.of(row, guest), Submission(command, deed["base"], deed["key"]))


def table_at(row: models.Table, entries: int) -> Table:
    """A table as it was with a log of `entries`. Raises Refused if the log is shorter now."""
    table = selectors.table_of(row)
    if row.entries <= entries:
        if row.entries < entries:
            raise Refused("the log is shorter than it was")
        return table
    seen = Table.from_json(row.begun)
    for entry in table.history[:entries]:
        seen = seen.apply(entry)
    return seen


def _command(table: Table, viewer: Viewer, what: str, chance: random.Random) -> TableCommand:
    match what:
        case "resign":
            return Resign()
        case "offer":
            return Offer(chance.choice(("draw", "takeback", "pause", "resume")))
        case "abort":
            return Abort(chance.choice(ABORTS))
        case "answer":
            return Accept() if chance.random() < 0.5 else Decline()
    if table.match.phase == "komi":
        leg = table.match.current_game.game
        return NameKomi(chance.choice(leg.description.komi.allowed_given(leg.options)))
    if table.match.phase == "colour":
        return ChooseColour(chance.randrange(2))
    return Confirm(drawn_turn(table.match.position, chance))


def _plan(guest: Guest, deed: Deed) -> None:
    row = selectors.find_table(deed["code"])
    arm_plan(row, Viewer.of(row, guest))


def _say(guest: Guest, deed: Deed) -> None:
    chat.write_message(selectors.find_table(deed["code"]), guest, f"I say {deed['key']}", deed["key"])


def _rest(guest: Guest, deed: Deed) -> None:
    now = clock.now()
    vacations.take_vacation(guest, now, now + deed["days"] * DAY)


DEEDS: dict[str, Callable[[Guest, Deed], None]] = {"act": _act, "plan": _plan, "say": _say, "rest": _rest}
