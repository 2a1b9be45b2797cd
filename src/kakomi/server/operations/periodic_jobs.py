"""Jobs that every process of the site does again and again: what is due is found, and done once.

An app names its jobs in its `AppConfig`: `periodic_jobs = {"kakomi.server.lobby.jobs.expire_seeks": 5.0}`, a
function without arguments and the seconds between two runs. All processes run all jobs, so a job finds in the
database what is due and claims it there; one that fails is tried again, and no other waits for it. Whether
there is anything to do is asked for all of them at once (`job_questions.py`).
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping, Sequence

from asgiref.sync import sync_to_async
from django.apps import apps
from django.utils.module_loading import import_string

from kakomi.server.database import FailureLog, outside_requests
from kakomi.server.job_questions import with_work
from kakomi.server.pacing import TRAFFIC

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


def run_jobs(names: Iterable[str] | None = None) -> None:
    """Do jobs, all if they aren't named, one after the other; for simulations and tests.

    What one of them does may give work to the next.
    """
    for name in named_jobs() if names is None else names:
        if with_work([name]):
            run_job(name)


class PeriodicJobs:
    """The jobs of one process."""

    def __init__(self, jobs: Mapping[str, float] | None = None) -> None:
        """`jobs` are those of all apps unless others are given."""
        self._jobs = jobs
        self._seconds: Mapping[str, float] = {}
        self._next: dict[str, float] = {}
        """Job -> when it is its turn, by the loop's clock; one that is being done is not here."""
        self._woken: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event = asyncio.Event()
        self._rounds: asyncio.Task[None] | None = None
        self._runs: set[asyncio.Task[None]] = set()
        self._failures = FailureLog(_LOG)

    async def start(self) -> None:
        """Begin to do the jobs."""
        self._seconds = named_jobs() if self._jobs is None else self._jobs
        self._loop, self._event = asyncio.get_running_loop(), asyncio.Event()
        self._next = {name: self._loop.time() + seconds for name, seconds in self._seconds.items()}
        self._rounds = asyncio.create_task(self._go_round(self._loop))

    async def stop(self) -> None:
        """End; a job that is being done in a thread comes to its end."""
        tasks = [*filter(None, [self._rounds]), *self._runs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._loop = None

    def wake(self, name: str) -> None:
        """Have a job done now, as there is something to do; from any thread.

        Without a running site nothing happens.
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
            found = await sync_to_async(with_work, thread_sensitive=False)(names)
        return found

    async def _do(self, name: str, loop: asyncio.AbstractEventLoop) -> None:
        with self._failures.attempt(f"the job {name}"):
            await sync_to_async(run_job, thread_sensitive=False)(name)
        self._next[name] = loop.time() + TRAFFIC.interval(self._seconds[name])
        self._event.set()  # it may have been woken meanwhile


JOBS = PeriodicJobs()
"""This process's."""
