"""Has pictures and films made by child processes, one at a time."""

import asyncio
import logging
import sys

import msgspec

from kakomi.core.i18n import lazy_message
from kakomi.server.analysis.filming import Order
from kakomi.server.engines import subprocesses
from kakomi.server.loops import OnePerLoop

SECONDS = 120.0
"""For a film; the longest takes about twenty on an idle core."""
MOST_WAITING = 8
_NICENESS = 10
"""Everything else comes first."""
_COMMAND = (sys.executable, "-m", "kakomi.server.analysis.filming")
_LOG = logging.getLogger(__name__)


class StudioBusy(Exception):  # noqa: N818 (it says what the studio is)
    """Too many wait, or the picture took too long or could not be made; the message says which."""


class Studio:
    """Belongs to one event loop."""

    def __init__(self, command: tuple[str, ...] = _COMMAND) -> None:
        self._command = command
        self._place = asyncio.Semaphore(1)
        self._waiting = 0

    async def made(self, order: Order) -> bytes:
        """The picture. Raises StudioBusy. Cancelling it ends the process."""
        if self._waiting >= MOST_WAITING:
            raise StudioBusy(lazy_message("too many pictures are being made: try again in a minute"))
        self._waiting += 1
        try:
            async with self._place:
                return await self._run(msgspec.json.encode(order))
        finally:
            self._waiting -= 1

    async def _run(self, said: bytes) -> bytes:
        try:
            ended = await subprocesses.run(self._command, _NICENESS, said, SECONDS)
        except TimeoutError:
            raise StudioBusy(
                lazy_message("the picture took too long: try again when less is going on here")
            ) from None
        if ended.code:
            _LOG.error("a picture could not be made: %s", ended.complaint or "nothing was said")
            if "ModuleNotFoundError" in ended.complaint:
                raise StudioBusy(
                    lazy_message("pictures need resvg-py, font-source-serif-pro and Pillow to be installed")
                )
            raise StudioBusy(lazy_message("the picture could not be made; the site's log says why"))
        return ended.output


studio = OnePerLoop(Studio)
"""The studio of the event loop that runs now."""
