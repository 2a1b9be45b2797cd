"""A queue of pictures and films, which child processes make one at a time."""

import asyncio
import logging
import sys

import msgspec

from kakomi.core.i18n import lazy_message
from kakomi.server.analysis.exceptions import RenderUnavailable
from kakomi.server.analysis.render import RenderJob
from kakomi.server.engines import subprocesses
from kakomi.server.loops import OnePerLoop

SECONDS = 120.0
"""For a film; the longest takes about twenty on an idle core."""
MOST_WAITING = 8
_NICENESS = 10
"""Everything else comes first."""
_COMMAND = (sys.executable, "-m", "kakomi.server.analysis.render")
_LOG = logging.getLogger(__name__)


class RenderQueue:
    """Belongs to one event loop."""

    def __init__(self, command: tuple[str, ...] = _COMMAND) -> None:
        self._command = command
        self._place = asyncio.Semaphore(1)
        self._waiting = 0

    async def render(self, job: RenderJob) -> bytes:
        """The picture. Raises RenderUnavailable. Cancelling it ends the process."""
        if self._waiting >= MOST_WAITING:
            raise RenderUnavailable(lazy_message("too many pictures are being made: try again in a minute"))
        self._waiting += 1
        try:
            async with self._place:
                return await self._run(msgspec.json.encode(job))
        finally:
            self._waiting -= 1

    async def _run(self, message: bytes) -> bytes:
        try:
            result = await subprocesses.run(self._command, _NICENESS, message, SECONDS)
        except TimeoutError:
            raise RenderUnavailable(
                lazy_message("the picture took too long: try again when less is going on here")
            ) from None
        if result.code:
            _LOG.error("a picture could not be made: %s", result.complaint or "nothing was said")
            if "ModuleNotFoundError" in result.complaint:
                raise RenderUnavailable(
                    lazy_message("pictures need resvg-py, font-source-serif-pro and Pillow to be installed")
                )
            raise RenderUnavailable(lazy_message("the picture could not be made; the site's log says why"))
        return result.output


shared_render_queue = OnePerLoop(RenderQueue)
"""The queue of the event loop that runs now."""
