"""What people do in a season: they look what there is to do, and do it as pages and programs do."""

import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from typing import Any

from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import get_resolver

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.lobby import services as lobby
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.news import topic_of
from kakomi.server.lobby.terms import SeekTerms, seats_of
from kakomi.server.operations.periodic_jobs import named_jobs, run_jobs
from kakomi.server.plans.permissions import why_not
from kakomi.server.rests import services as rests
from kakomi.server.rests.models import Rests
from kakomi.server.rests.services import RegularRests
from kakomi.server.tables import jobs, models, selectors
from kakomi.server.tables.command_handlers import handle_command
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
from kakomi.server.tables.exceptions import Stale
from kakomi.server.tables.permissions import Viewer
from kakomi.server.uptime.heartbeat import OUTAGES, beat
from kakomi.session import Refused, Table, TimeControl
from kakomi.session.events import ABORTS
from kakomi.session.time_control import DAY
from season.ears import EARS
from season.planning import arm_plan, drawn_turn
from season.worker import KILLED

Deed = dict[str, Any]
"""A deed as data: `do` names one of `DEEDS`, the rest are its arguments."""
SHOWN_OR_AWAY = (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE)
MOST_GAMES = 3
"""Games that somebody plays at a time before they look for no more."""
CONTROLS = (
    TimeControl(2 * DAY, kind="days"),
    TimeControl(DAY / 2, kind="days"),
    TimeControl(2 * DAY, DAY / 4, "bank", cap=3 * DAY),
    TimeControl(6 * DAY, kind="total"),
)


def warm_up() -> None:
    """Load all code that playing needs."""
    get_resolver().url_patterns  # noqa: B018 (imports every view)
    for name in catalog.names():
        position = catalog.game(name, **catalog.describe(name).quick).start()
        position.play_action(position.legal_actions()[0]).scores()


def die() -> None:
    """End the process without a word."""
    os._exit(KILLED)


def enrol(people: int) -> list[int]:
    """Sign people up; those who are there already are not signed up again.

    One in four has days of vacation taken for them when their time runs out; another one has weekends.
    """
    for number in range(User.objects.count(), people):
        User.objects.create(guest=Guest.objects.create(name=f"Player {number}"), username=f"player{number}")
    guests = list(Guest.objects.order_by("pk")[:people])
    for number, guest in enumerate(guests):
        if number % 4 and not Rests.objects.filter(guest=guest).exists():
            weekend = (5, 6) if number % 4 == 1 else ()
            rests.choose(guest, RegularRests(weekend=weekend, is_automatic=False))
    return [guest.pk for guest in guests]


def work(gap: float) -> list[str]:
    """What a process of the site does between requests, once. A gap in the heartbeat is in seconds.

    What fails as the database is away keeps nothing else from being done; that is the answer.
    """
    jobs.SHARE = 1.0  # nobody waits, and the pauses are real ones
    away = []
    each_job = [partial(run_jobs, [name]) for name in named_jobs()]
    parts: list[Callable[[], object]] = [partial(beat, gap=gap), OUTAGES.refresh, *each_job]
    for part in parts:
        try:
            part()
        except (OperationalError, InterfaceError) as error:
            away.append(f"{part}: {error!r}")
    return away


def page(code: str) -> int:
    """Look at a table as a page and as a program: it is shown, or one is told in words why not."""
    browser, worst = Client(raise_request_exception=False, headers={"Host": "localhost"}), 0
    for path in (f"/table/{code}", f"/api/v1/tables/{code}"):
        answer = browser.get(path)
        text = answer.content.decode()
        if answer.status_code not in SHOWN_OR_AWAY or "Traceback" in text:
            raise AssertionError(f"{path} was answered by {answer.status_code}: {text[:2000]}")
        worst = max(worst, answer.status_code)
    return worst


def look(person: int, seed: int) -> list[Deed]:
    """What somebody does who looks in now; the seed decides."""
    EARS.listen(topic_of(person))
    cache.add(f"season-{person}", 0)  # never fails, whatever is away
    chance, guest = random.Random(seed), Guest.objects.get(pk=person)
    rows = list(selectors.tables_of(guest, is_over=False))
    deeds = [deed for row in rows for deed in _at_table(row, guest, chance)]
    if len(rows) < MOST_GAMES:
        deeds += _in_lobby(guest, chance)
    if chance.random() < 0.01:
        deeds.append({"do": "rest", "days": chance.uniform(0.5, 3)})
    for number, deed in enumerate(deeds):
        deed |= {"person": person, "key": f"season-{seed}-{number}"}
    return deeds


def _at_table(row: models.Table, guest: Guest, chance: random.Random) -> Iterator[Deed]:
    table, viewer = selectors.table_of(row), Viewer.of(row, guest)
    deed: Deed = {"do": "act", "code": row.code, "base": row.entries, "seed": chance.getrandbits(32)}
    if viewer.answering(table) is not None:
        yield deed | {"what": "answer"}
    elif viewer.acting(table) is not None:
        yield deed | {"what": chance.choices(("turn", "resign", "offer", "abort"), (100, 1, 4, 1))[0]}
    if chance.random() < 0.3 and why_not(table, viewer) is None:
        yield {"do": "plan", "code": row.code}


def _in_lobby(guest: Guest, chance: random.Random) -> Iterator[Deed]:
    seeks = list(Seek.objects.filter(ended_at=None).exclude(owner=guest).exclude(places__guest=guest))
    if seeks and chance.random() < 0.8:
        yield {"do": "accept", "code": chance.choice(seeks).code}
    elif guest.seeks.filter(ended_at=None).count() < 2:
        yield {"do": "seek", "seed": chance.getrandbits(32)}


def do(deed: Deed) -> str:
    """Do a deed; the answer tells whether it was done, or refused in words."""
    guest = Guest.objects.get(pk=deed["person"])
    if deed["do"] == "act":
        EARS.listen(deed["code"])
    try:
        DEEDS[deed["do"]](guest, deed)
    except (Refused, IllegalAction, Stale) as error:
        return f"refused: {error}"
    return "done"


def _act(guest: Guest, deed: Deed) -> None:
    row = selectors.find_table(deed["code"])
    table = selectors.table_of(row)
    if row.entries < deed["base"]:
        raise Refused("the log is shorter than it was")
    seen = table if row.entries == deed["base"] else _table_at(row, deed["base"])
    command = _command(seen, Viewer.of(row, guest), deed["what"], random.Random(deed["seed"]))
    handle_command(row, Viewer.of(row, guest), Submission(command, deed["base"], deed["key"]))


def _table_at(row: models.Table, entries: int) -> Table:
    """A table as its sender saw it: a deed that is sent again says the same."""
    table = Table.from_json(row.begun)
    for entry in selectors.table_of(row).history[:entries]:
        table = table.apply(entry)
    return table


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


def _seek(guest: Guest, deed: Deed) -> None:
    chance = random.Random(deed["seed"])
    name = chance.choice(catalog.names())
    description = catalog.describe(name)
    least, most = seats_of(description)
    players = chance.randint(least, most)
    options = {option: value for option, value in description.quick.items() if option != "players"}
    terms = SeekTerms(name, chance.choice(CONTROLS), options, negotiate=_negotiates(name, chance))
    is_rated = chance.random() < 0.7
    lobby.create(guest, lobby.Wish(Seek.Kind.OPEN, terms, is_rated, players, players), deed["key"])


def _negotiates(name: str, chance: random.Random) -> bool:
    return bool(catalog.describe(name).komi_option) and chance.random() < 0.5


def _accept(guest: Guest, deed: Deed) -> None:
    lobby.accept(deed["code"], guest)


def _rest(guest: Guest, deed: Deed) -> None:
    now = clock.now()
    rests.take_vacation(guest, now, now + deed["days"] * DAY)


DEEDS: dict[str, Callable[[Guest, Deed], None]] = {
    "act": _act,
    "plan": _plan,
    "seek": _seek,
    "accept": _accept,
    "rest": _rest,
}
COMMANDS: dict[str, Callable[..., Any]] = {
    "enrol": enrol,
    "die": die,
    "work": work,
    "page": page,
    "look": look,
    "do": do,
}
