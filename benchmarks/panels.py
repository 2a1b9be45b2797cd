"""What the panels beside a board cost: queries and time of its page and of an action, with and without them.

    python -m benchmarks.panels [--actions 60]

Two people who write nothing play Ren in this process, on SQLite; no panel is opened.
"""

import argparse
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

HEADER = (
    "| panels beside the board | page: queries | page: ms | action: queries | action: ms |\n"
    "| --- | ---: | ---: | ---: | ---: |\n"
)
_FIELDS = re.compile(r'name="(base|key|seen)" value="([^"]*)"')


def measured(name: str, panels: Sequence[Callable[..., Any]], actions: int) -> str:
    """A line of the table, with these panels alone."""
    from kakomi import catalog
    from kakomi.server.tables import services
    from kakomi.server.tables.extensions import PANELS
    from kakomi.server.tables.services import Sitter
    from kakomi.session import MatchConfig

    PANELS[:] = panels
    people = [_person(f"Person {number}") for number in range(2)]
    game = catalog.game("ren", size=10)
    seats = [Sitter(guest, name=guest.name) for guest, _ in people]
    code = services.begin(MatchConfig(game), seats).code
    clients, position = [client for _, client in people], game.start()
    pages, acts = [], []
    for number in range(actions):
        client, address = clients[position.to_move], f"/table/{code}"
        page = _asked(partial(client.get, address))
        fields = dict(_FIELDS.findall(page[2][: page[2].index("</form>", page[2].index('id="command"'))]))
        text = position.legal()[number % 5]
        form = {**fields, "kind": f"touch {text}"}
        act = _asked(partial(client.post, f"{address}/act", form, headers={"HX-Request": "true"}))
        position = position.play(text)
        pages.append(page[:2])
        acts.append(act[:2])
    figures = [
        f"{statistics.median(column):.3g}" for each in (pages, acts) for column in zip(*each, strict=True)
    ]
    return f"| {name} | {' | '.join(figures)} |\n"


def _person(name: str) -> "tuple[Any, Client]":
    """A guest with a browser."""
    from django.conf import settings
    from django.test import Client

    from kakomi.server.accounts.models import Guest

    guest, client = Guest.objects.create(name=name), Client()
    session = client.session
    session["guest"] = guest.pk
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return guest, client


def _asked(ask: Callable[[], Any]) -> tuple[int, float, str]:
    """The number of queries, the milliseconds, and the page."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        answer = ask()
        took = 1000 * (time.perf_counter() - began)
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: {answer.content[:500]!r}")
    return len(queries), took, answer.content.decode()


def main() -> None:
    """See the module's description."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.panels", description=__doc__.splitlines()[0])
    parser.add_argument("--actions", type=int, default=60, help="for each line (default 60)")
    actions = parser.parse_args().actions
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(KAKOMI_DATA_DIR=folder, DJANGO_SETTINGS_MODULE="kakomi.server.settings")
        from django.db import connections
        from django.test.utils import setup_test_environment

        from kakomi.server.running import prepare_database

        prepare_database()
        setup_test_environment()
        from kakomi.server.tables.extensions import PANELS

        every = list(PANELS)
        print(HEADER, end="")
        print(measured("none", [], actions), end="", flush=True)
        for panel in every:
            print(measured(panel.__name__.replace("_", " "), [panel], actions), end="", flush=True)
        print(measured("all", every, actions), end="")
        connections.close_all()


if __name__ == "__main__":
    main()
