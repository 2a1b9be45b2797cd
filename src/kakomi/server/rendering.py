"""Pictures and films of a game, made one at a time by child processes.

Such a process is `python -m kakomi.server.rendering`. The renderer holds the interpreter while it
works, a tenth of a second a picture, during which a site could
do nothing else. The job is JSON on standard input, the picture comes out on standard output.
"""

import asyncio
import logging
import sys
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from cachetools import LRUCache

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.draw.pixels import MOST_FRAMES, PICTURE_WIDTH, frames_of, gif, png
from kakomi.kernel import use_mode
from kakomi.server.engines import processes
from kakomi.server.exceptions import RenderUnavailable
from kakomi.server.loops import OnePerLoop

SECONDS = 120.0
MOST_DRAWN = 20_000
"""The points of all boards in a film: a thousand take about half a second."""
MOST_KEPT = 32 * 2**20
"""Bytes of pictures and films that are kept, so that a download again costs nothing."""
MOST_WAITING = 8
_NICENESS = 10
"""Everything else comes first."""
_COMMAND = (sys.executable, "-m", "kakomi.server.rendering")
_LOG = logging.getLogger(__name__)


class RenderJob(msgspec.Struct):
    """What is to be drawn."""

    form: Literal["png", "gif"]
    game: str
    options: dict[str, int]
    turns: list[list[str]]
    """The actions of every turn."""
    overlays: list[str] = []
    turned: int = 0
    numbers: dict[str, str] = {}
    position: str = ""
    """Where the turns begin, if that isn't the game's start."""


def rendered(job: RenderJob) -> bytes:
    """The picture, or the film. Raises ImportError where the renderer isn't installed."""
    game = catalog.game(job.game, **job.options)
    positions = list(_positions(game, job))
    if job.form == "png":
        return _image(positions[-1], job)
    most = min(MOST_FRAMES, MOST_DRAWN // len(game.geometry.names))
    return gif(
        position.svg(theme="light", overlays=job.overlays, turned=job.turned)
        for position in frames_of(positions, most)
    )


def _positions(game: Game, job: RenderJob) -> Iterator[Position]:
    position = game.position(job.position) if job.position else game.start()
    yield position
    for turn in job.turns:
        for text in turn:
            position = position.play(text)
        yield position


def _image(position: Position, job: RenderJob) -> bytes:
    svg = position.svg(theme="light", overlays=job.overlays, turned=job.turned, numbers=job.numbers or None)
    return png(svg, width=PICTURE_WIDTH)


class RenderQueue:
    """Belongs to one event loop."""

    def __init__(self, command: tuple[str, ...] = _COMMAND) -> None:
        self._command = command
        self._place = asyncio.Semaphore(1)
        self._waiting = 0
        self._kept: LRUCache[bytes, bytes] = LRUCache(MOST_KEPT, getsizeof=len)

    async def render(self, job: RenderJob) -> bytes:
        """The picture. Raises RenderUnavailable. Cancelling it ends the process."""
        message = msgspec.json.encode(job)
        if message in self._kept:
            return self._kept[message]
        if self._waiting >= MOST_WAITING:
            raise RenderUnavailable(lazy_message("too many pictures are being made: try again in a minute"))
        self._waiting += 1
        try:
            async with self._place:
                picture = await self._run(message)
        finally:
            self._waiting -= 1
        if len(picture) < MOST_KEPT:
            self._kept[message] = picture
        return picture

    async def _run(self, message: bytes) -> bytes:
        try:
            result = await processes.run(self._command, _NICENESS, message, SECONDS)
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


def main() -> None:
    """Carry out the job on standard input."""
    job: Any = msgspec.json.decode(sys.stdin.buffer.read(), type=RenderJob)
    with use_mode("interpreted"):  # each action is played once: loading the compiler would take longer
        sys.stdout.buffer.write(rendered(job))


if __name__ == "__main__":
    main()
