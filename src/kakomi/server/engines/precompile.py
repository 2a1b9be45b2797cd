"""Compiling games ahead, in processes of their own."""

import asyncio
import sys

from kakomi.core.i18n import lazy_message
from kakomi.protocol.lines import clipped
from kakomi.server.engines import subprocesses
from kakomi.server.engines.exceptions import EnginePoolError

NICENESS = 10
"""Everything else comes first."""


class Precompiler:
    """Has games compiled. It lives on one event loop.

    Each game is compiled once, by `kakomi warm`. Every other process then loads the result from disk
    within a tenth of a second, and until then runs the rules interpreted (`Mode.ADAPTIVE`).
    """

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "kakomi", "warm")) -> None:
        self._command = command
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._place = asyncio.Semaphore(1)  # one after the other: there are other things to do

    def is_compiling(self, game: str) -> bool:
        """Whether a game is being compiled; from any thread."""
        return game in self._under_way

    async def compile(self, game: str) -> None:
        """Return when a game is compiled. Raises EnginePoolError."""
        if game not in self._under_way:
            task = self._under_way[game] = asyncio.create_task(self._compile(game))
            task.add_done_callback(lambda _: self._under_way.pop(game))
        await asyncio.shield(self._under_way[game])

    async def close(self) -> None:
        """Cancel the compilation in progress."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _compile(self, game: str) -> None:
        async with self._place:
            ended = await subprocesses.run((*self._command, game), NICENESS)
        if ended.code:
            why = clipped(ended.complaint) or lazy_message("exit code {number}", number=ended.code)
            raise EnginePoolError(lazy_message("{game} can't be compiled: {why}", game=game, why=why))
