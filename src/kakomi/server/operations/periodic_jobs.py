"""Jobs that every process of the site runs periodically.

An app lists its jobs in its `AppConfig`: `periodic_jobs = {"kakomi.server.lobby.jobs.end_stale": 5.0}`,
each a function without arguments and the seconds between two runs. All processes run all jobs, so a job must
find due work in the database and claim it there, so that it is done once. A job that fails is tried again,
without delaying others. A single query finds out which jobs have anything to do (`site/jobs.py`).
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence

from asgiref.sync import sync_to_async
from django.apps import apps
from django.utils.module_loading import import_string

from kakomi.server.site.database import FailureLog, outside_requests
from kakomi.server.site.jobs import jobs_with_work
from kakomi.server.site.pacing import TRAFFIC

_LOG = logging.getLogger(__name__)


def named_jobs() -> dict[str, float]:
    """The jobs of all apps: dotted names -> seconds between two runs."""
    jobs: dict[str, float] = {}
    for config in apps.get_app_configs():
        jobs |= getattr(config, "periodic_jobs", {})
    return jobs


def run_job(name: str) -> None:
    """Run a job once."""
    outside_requests(import_string(name))()


class PeriodicJobs:
    """The jobs of one process."""

    def __init__(self, jobs: Mapping[str, float] | None = None) -> None:
        """`jobs` are by default those of all apps."""
        self._jobs = jobs
        self._seconds: Mapping[str, float] = {}
        self._next: dict[str, float] = {}
        """Job -> the time of its next run, by the event loop's clock; running jobs are missing."""
        self._woken: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event = asyncio.Event()
        self._rounds: asyncio.Task[None] | None = None
        self._runs: set[asyncio.Task[None]] = set()
        self._failures = FailureLog(_LOG)

    async def start(self) -> None:
        """Start running the jobs."""
        self._seconds = named_jobs() if self._jobs is None else self._jobs
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        self._next = {name: self._loop.time() + seconds for name, seconds in self._seconds.items()}
        self._rounds = asyncio.create_task(self._go_round(self._loop))

    async def stop(self) -> None:
        """Stop running jobs. Those running in threads still finish."""
        tasks = [*filter(None, [self._rounds]), *self._runs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._loop = None

    def wake(self, name: str) -> None:
        """Run a job now, as there is work for it. Can be called from any thread.

        Does nothing if the site isn't running.
        """
        if (loop := self._loop) and name in self._seconds:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(self._note_wake, name)

    def _note_wake(self, name: str) -> None:
        self._woken.add(name)
        self._event.set()

    async def _go_round(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            next_turn = min(self._next.values(), default=None)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(next_turn):
                    await self._event.wait()
            self._event.clear()
            now = loop.time()
            names = [name for name, at in self._next.items() if at <= now or name in self._woken]
            self._woken.difference_update(names)
            self._next.update({name: now + TRAFFIC.interval(self._seconds[name]) for name in names})
            for name in await self._with_work(names):
                del self._next[name]
                self._runs.add(run := asyncio.create_task(self._do(name, loop)))
                run.add_done_callback(self._runs.discard)

    async def _with_work(self, names: Sequence[str]) -> Sequence[str]:
        if not names:
            return ()
        found: Sequence[str] = ()
        with self._failures.attempt("looking for what jobs have to do"):
            found = await sync_to_async(jobs_with_work, thread_sensitive=False)(names)
        return found

    async def _do(self, name: str, loop: asyncio.AbstractEventLoop) -> None:
        with self._failures.attempt(f"the job {name}"):
            await sync_to_async(run_job, thread_sensitive=False)(name)
        self._next[name] = loop.time() + TRAFFIC.interval(self._seconds[name])
        self._event.set()  # it may have been woken while it was running


JOBS = PeriodicJobs()
"""The jobs of this process."""
