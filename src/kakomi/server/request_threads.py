"""The threads in which pages are made."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext

from kakomi.server.asgi_types import Application, Receive, Scope, Send
from kakomi.server.django_private import THREAD

THREADS = 4
"""Enough that a page that takes long holds nobody up; more would only contend for the interpreter."""


class RequestThreads:
    """Gives every request to one of a few threads that stay, and with them their database connections.

    Left to itself Django makes a thread for each request, and in it a connection.
    """

    def __init__(self, application: Application, threads: int = THREADS) -> None:
        self._application = application
        self._workers = [_Worker(number) for number in range(threads)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        worker = min(self._workers, key=lambda worker: worker.answering)
        is_answered = False
        worker.answering += 1

        async def sent(message: Mapping[str, Any]) -> None:
            nonlocal is_answered
            if not is_answered:  # what streams from here on needs the thread no more
                is_answered = True
                worker.answering -= 1
            await send(message)

        try:
            async with ThreadSensitiveContext(executor=worker.thread):
                await self._application({**scope, THREAD: worker.thread}, receive, sent)
        finally:
            if not is_answered:
                worker.answering -= 1


class _Worker:
    def __init__(self, number: int) -> None:
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"kakomi-pages-{number}")
        self.answering = 0
        """The number of requests that wait for the thread or run in it."""
