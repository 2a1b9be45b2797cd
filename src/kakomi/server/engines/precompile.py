"""Compiling games ahead, in processes of their own."""

import asyncio
import sys
from collections.abc import Callable, Iterable

from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.protocol.lines import clipped
from kakomi.server.engines import subprocesses
from kakomi.server.engines.exceptions import EnginePoolError

NICENESS = 10
"""Everything else comes first."""


class Precompiler:
    """The games that are compiled. It lives on one event loop.

    Each game is compiled once, by `kakomi warm`. Every other process then loads the result from disk
    within a tenth of a second.
    """

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "kakomi", "warm")) -> None:
        self._command = command
        self._done: set[str] = set()
        self._under_way: dict[str, asyncio.Task[None]] = {}

    @property
    def done(self) -> frozenset[str]:
        """The games that are ready."""
        return frozenset(self._done)

    async def ready(self, game: str) -> None:
        """Return when a game is compiled, having seen to it if need be. Raises EnginePoolError."""
        if game in self._done:
            return
        if game not in self._under_way:
            task = self._under_way[game] = asyncio.create_task(self._compile(game))
            task.add_done_callback(lambda _: self._under_way.pop(game))
        await asyncio.shield(self._under_way[game])

    async def one_by_one(self, games: Iterable[str], *on_ready: Callable[[str], None]) -> None:
        """Compile games one after the other, telling of each. Raises EnginePoolError if some can't be."""
        failures = []
        for game in games:
            try:
                await self.ready(game)
            except EnginePoolError as failure:
                failures.append(failure.reason)
                continue
            for tell in on_ready:
                tell(game)
        if failures:
            raise EnginePoolError(lazy_join("; ", failures))

    async def close(self) -> None:
        """Cancel the compilation in progress."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _compile(self, game: str) -> None:
        ended = await subprocesses.run((*self._command, game), NICENESS)
        if ended.code:
            why = clipped(ended.complaint) or lazy_message("exit code {number}", number=ended.code)
            raise EnginePoolError(lazy_message("{game} can't be compiled: {why}", game=game, why=why))
        self._done.add(game)
