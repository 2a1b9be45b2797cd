"""Has pictures and films made by child processes, one at a time."""

import asyncio
import contextlib
import logging
import os
import sys

import msgspec

from kakomi.core.wording import told
from kakomi.server.analysis.filming import Order

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
            raise StudioBusy(told("too many pictures are being made: try again in a minute"))
        self._waiting += 1
        try:
            async with self._place:
                return await self._run(msgspec.json.encode(order))
        finally:
            self._waiting -= 1

    async def _run(self, said: bytes) -> bytes:
        program = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, program.pid, _NICENESS)
        try:
            picture, complaint = await asyncio.wait_for(program.communicate(said), SECONDS)
        except TimeoutError:
            raise StudioBusy(
                told("the picture took too long: try again when less is going on here")
            ) from None
        finally:
            if program.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    program.kill()
                await program.wait()
        if program.returncode:
            words = complaint.decode(errors="replace").strip().splitlines() or ["nothing was said"]
            _LOG.error("a picture could not be made: %s", words[-1])
            if "ModuleNotFoundError" in words[-1]:
                raise StudioBusy(
                    told("pictures need resvg-py, font-source-serif-pro and Pillow to be installed")
                )
            raise StudioBusy(told("the picture could not be made; the site's log says why"))
        return picture


_STUDIOS: dict[asyncio.AbstractEventLoop, Studio] = {}


def studio() -> Studio:
    """The studio of the event loop that runs now."""
    loop = asyncio.get_running_loop()
    for ended in [each for each in _STUDIOS if each.is_closed()]:
        del _STUDIOS[ended]
    return _STUDIOS.setdefault(loop, Studio())
