"""Waking a coroutine from any thread."""

import asyncio


class ThreadEvent:
    """Rung from any thread, heard by one coroutine."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake who waits; a loop that has ended doesn't mind."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._rung.set)

    async def wait(self) -> None:
        """Wait until it has been rung since the last time."""
        await self._rung.wait()
        self._rung.clear()
