"""What a process of the site does in a season beside what people ask: it starts, works, and dies."""

import os
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import get_resolver

from kakomi import catalog
from kakomi.server import clock
from kakomi.server.job_questions import with_work
from kakomi.server.operations.periodic_jobs import named_jobs, run_job
from kakomi.server.post import outgoing
from kakomi.server.tables import jobs
from kakomi.server.tournaments import terms
from kakomi.server.uptime.heartbeat import OUTAGES, beat
from season.worker import KILLED

SHOWN_OR_AWAY = (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE)
SHORT_ROUNDS = (1, 2)
"""Days that a round of a season's tournaments may last besides those that are offered."""
_DONE: dict[str, float] = {}
"""Job -> when this process did it last."""


def warm_up() -> None:
    """Load all code that playing needs, and draw no pictures for mails: each takes a process of its own."""
    get_resolver().url_patterns  # noqa: B018 (imports every view)
    for name in catalog.names():
        position = catalog.game(name, **catalog.describe(name).quick).start()
        position.play_action(position.legal_actions()[0]).scores()
    outgoing.can_draw = lambda: False  # type: ignore[attr-defined, assignment]
    terms.ROUND_DAYS = (*SHORT_ROUNDS, *terms.ROUND_DAYS)  # type: ignore[assignment]


def die() -> None:
    """End the process without a word."""
    os._exit(KILLED)


def work(gap: float) -> list[str]:
    """What a process of the site does between requests, once. A gap in the heartbeat is in seconds.

    What fails as the database is away keeps nothing else from being done; that is the answer. Whether there
    is anything to do is asked for all jobs together, and again behind each that was done. A job that is done
    every six hours waits for them here as well.
    """
    jobs.SHARES = dict.fromkeys(jobs.SHARES, 1.0)  # nobody waits, and the pauses are real ones
    away: list[str] = []
    _attempt(partial(beat, gap=gap), away)
    _attempt(OUTAGES.refresh, away)
    now = clock.now()
    names = [name for name, seconds in named_jobs().items() if now - _DONE.get(name, 0.0) >= seconds]
    while names:
        asked: list[str] = []
        if not _attempt(lambda: asked.extend(with_work(names)), away):  # noqa: B023 (called at once)
            asked = names  # who can't ask tries
        if not asked:
            break
        if _attempt(partial(run_job, asked[0]), away):
            _DONE[asked[0]] = now
        names = names[names.index(asked[0]) + 1 :]
    return away


def _attempt(part: Callable[[], object], away: list[str]) -> bool:
    """Whether something was done; else the database is away, which is noted."""
    try:
        part()
    except (OperationalError, InterfaceError) as error:
        away.append(f"{part}: {error!r}")
        return False
    return True


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


COMMANDS: dict[str, Callable[..., Any]] = {"die": die, "work": work, "page": page}
