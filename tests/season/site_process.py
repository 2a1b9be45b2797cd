"""The own tasks of a site process in a season: starting, background work, and dying."""

import os
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import get_resolver

from kakomi import catalog
from kakomi.server.mail import outgoing
from kakomi.server.operations.periodic_jobs import named_jobs, run_job
from kakomi.server.site import clock
from kakomi.server.site.jobs import jobs_with_work
from kakomi.server.tables import jobs
from kakomi.server.tables.outages import OUTAGES, beat
from kakomi.server.tournaments import terms
from season.worker import KILLED

SHOWN_OR_AWAY = (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE)
SHORT_ROUNDS = (1, 2)
"""Additional lengths of tournament rounds in days."""
_DONE: dict[str, float] = {}
"""Job → when this process last did it."""


def warm_up() -> None:
    """Load all code for playing, and disable pictures in mails, since each takes a process of its own."""
    get_resolver().url_patterns  # noqa: B018 (imports every view)
    for name in catalog.names():
        position = catalog.game(name, **catalog.describe(name).quick).start()
        position.play_action(position.legal_actions()[0]).scores()
    outgoing.can_draw = lambda: False  # type: ignore[attr-defined, assignment]
    terms.ROUND_DAYS = (*SHORT_ROUNDS, *terms.ROUND_DAYS)  # type: ignore[assignment]


def die() -> None:
    """End the process abruptly."""
    os._exit(KILLED)


def work(gap: float) -> list[str]:
    """Do the work of a site process between requests, once. `gap` is that of the heartbeat in seconds.

    The answer is what failed because the database was unavailable, which stops nothing else. All jobs are
    asked together for work, and again after each round. Six-hourly jobs wait for their time here as well.
    """
    jobs.SHARES = dict.fromkeys(jobs.SHARES, 1.0)  # never pause, since pauses take real time
    away: list[str] = []
    _attempt(partial(beat, gap=gap), away)
    _attempt(OUTAGES.refresh, away)
    now = clock.now()
    names = [name for name, seconds in named_jobs().items() if now - _DONE.get(name, 0.0) >= seconds]
    while names:
        asked: list[str] = []
        if not _attempt(lambda: asked.extend(jobs_with_work(names)), away):  # noqa: B023 (called at once)
            asked = names  # try all if asking fails
        if not asked:
            break
        if _attempt(partial(run_job, asked[0]), away):
            _DONE[asked[0]] = now
        names = names[names.index(asked[0]) + 1 :]
    return away


def _attempt(part: Callable[[], object], away: list[str]) -> bool:
    """Call `part` and return whether it succeeded, noting a failure because the database was unavailable."""
    try:
        part()
    except (OperationalError, InterfaceError) as error:
        away.append(f"{part}: {error!r}")
        return False
    return True


def page(code: str) -> int:
    """Request a table as a page and by the API, and return the worse status. Errors must be explained in
    words."""
    browser, worst = Client(raise_request_exception=False, headers={"Host": "localhost"}), 0
    for path in (f"/table/{code}", f"/api/v1/tables/{code}"):
        answer = browser.get(path)
        text = answer.content.decode()
        if answer.status_code not in SHOWN_OR_AWAY or "Traceback" in text:
            raise AssertionError(f"{path} was answered by {answer.status_code}: {text[:2000]}")
        worst = max(worst, answer.status_code)
    return worst


COMMANDS: dict[str, Callable[..., Any]] = {"die": die, "work": work, "page": page}
