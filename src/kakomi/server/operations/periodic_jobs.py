"""Jobs that every process of the site does again and again: what is due is found, and done once.

An app names its jobs in its `AppConfig`: `periodic_jobs = {"kakomi.server.lobby.jobs.expire_seeks": 5.0}`, a
function without arguments and the seconds between two runs. All processes run all jobs, so a job finds in the
database what is due and claims it there; one that fails is tried again, and no other waits for it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping

from asgiref.sync import sync_to_async
from django.apps import apps
from django.utils.module_loading import import_string

from kakomi.server.database import outside_requests

_LOG = logging.getLogger(__name__)


def named_jobs() -> dict[str, float]:
    """The jobs of all apps, by their dotted names, with the seconds between two runs."""
    jobs: dict[str, float] = {}
    for config in apps.get_app_configs():
        jobs |= getattr(config, "periodic_jobs", {})
    return jobs


def run_job(name: str) -> None:
    """Do a job once."""
    outside_requests(import_string(name))()


def run_jobs() -> None:
    """Do every job once, one after the other; for simulations and tests."""
    for name in named_jobs():
        run_job(name)


class PeriodicJobs:
    """The jobs of one process."""

    def __init__(self, jobs: Mapping[str, float] | None = None) -> None:
        """`jobs` are those of all apps unless others are given."""
        self._jobs = jobs
        self._events: dict[str, asyncio.Event] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to do the jobs."""
        jobs = named_jobs() if self._jobs is None else self._jobs
        self._loop = asyncio.get_running_loop()
        self._events = {name: asyncio.Event() for name in jobs}
        self._tasks = [asyncio.create_task(self._repeat(*job)) for job in jobs.items()]

    async def stop(self) -> None:
        """End; a job that is being done in a thread comes to its end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._loop = None

    def wake(self, name: str) -> None:
        """Have a job done now, as there is something to do; from any thread.

        Without a running site nothing happens.
        """
        loop, event = self._loop, self._events.get(name)
        if loop and event:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(event.set)

    async def _repeat(self, name: str, seconds: float) -> None:
        event = self._events[name]
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), seconds)
            event.clear()
            try:
                await sync_to_async(run_job, thread_sensitive=False)(name)
            except Exception:  # a database that is away comes back
                _LOG.exception("the job %s failed; it is tried again", name)


JOBS = PeriodicJobs()
"""This process's."""
