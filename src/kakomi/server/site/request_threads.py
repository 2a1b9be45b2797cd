"""The threads that handle requests."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext

from kakomi.server.site.django_private import THREAD, Application, Receive, Scope, Send

THREADS = 4
"""Enough for slow requests not to delay others; more threads would only compete for the interpreter."""


class RequestThreads:
    """Assigns every request to one of a few permanent threads, which keep their database connections.

    By default Django creates a thread for each request, with a new connection.
    """

    def __init__(self, application: Application, threads: int = THREADS) -> None:
        self._application = application
        self._workers = [_Worker(number) for number in range(threads)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request in the least busy thread."""
        worker = min(self._workers, key=lambda worker: worker.open_requests)
        has_begun = False
        worker.open_requests += 1

        async def sent(message: Mapping[str, Any]) -> None:
            nonlocal has_begun
            if not has_begun:  # streaming the rest of the response doesn't need the thread
                has_begun = True
                worker.open_requests -= 1
            await send(message)

        try:
            async with ThreadSensitiveContext(executor=worker.thread):
                await self._application({**scope, THREAD: worker.thread}, receive, sent)
        finally:
            if not has_begun:
                worker.open_requests -= 1


class _Worker:
    def __init__(self, number: int) -> None:
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"kakomi-pages-{number}")
        self.open_requests = 0
        """The number of requests that wait for the thread or run in it."""
