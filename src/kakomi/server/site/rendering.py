"""Rendering boards as PNG in a child process, with a queue for each event loop."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, TypeVar

import msgspec
from cachetools import LRUCache

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.draw.pixels import MOST_FRAMES, PICTURE_WIDTH, frames_of, gif, png
from kakomi.kernel import use_mode
from kakomi.server.engines import processes
from kakomi.server.site.exceptions import RenderUnavailable

Thing = TypeVar("Thing")


class OnePerLoop(Generic[Thing]):
    """A factory that, when called, returns the object of the running event loop, created on first use."""

    def __init__(self, make: Callable[[], Thing]) -> None:
        self._make = make
        self._things: dict[asyncio.AbstractEventLoop, Thing] = {}

    def __call__(self) -> Thing:
        loop = asyncio.get_running_loop()
        for ended in [each for each in self._things if each.is_closed()]:
            del self._things[ended]
        if loop not in self._things:
            self._things[loop] = self._make()
        return self._things[loop]


SECONDS = 120.0
MOST_DRAWN = 20_000
"""The most points on all boards of a film; a thousand take about half a second."""
MOST_KEPT = 32 * 2**20
"""The most bytes of pictures and films to cache for repeated downloads."""
MOST_WAITING = 8
_NICENESS = 10
"""Gives rendering a lower priority than everything else."""
_COMMAND = (sys.executable, "-m", "kakomi.server.site.rendering")
_LOG = logging.getLogger(__name__)


class RenderJob(msgspec.Struct):
    """A picture or film to render."""

    form: Literal["png", "gif"]
    game: str
    options: dict[str, int]
    turns: list[list[str]]
    """The actions of every turn."""
    overlays: list[str] = []
    turned: int = 0
    numbers: dict[str, str] = {}
    position: str = ""
    """The position at which the turns begin; empty for the game's start."""


def rendered(job: RenderJob) -> bytes:
    """Render a picture or a film. Raises ImportError if the renderer isn't installed."""
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
    """A queue of render jobs, with a cache. It belongs to one event loop."""

    def __init__(self, command: tuple[str, ...] = _COMMAND) -> None:
        self._command = command
        self._place = asyncio.Semaphore(1)
        self._waiting = 0
        self._kept: LRUCache[bytes, bytes] = LRUCache(MOST_KEPT, getsizeof=len)

    async def render(self, job: RenderJob) -> bytes:
        """Render a job. Raises RenderUnavailable. Cancelling this kills the process."""
        message = msgspec.json.encode(job)
        if message in self._kept:
            return self._kept[message]
        if self._waiting >= MOST_WAITING:
            raise RenderUnavailable(lazy_message("too many images are being created: try again in a minute"))
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
                lazy_message("creating the image took too long: try again later")
            ) from None
        if result.code:
            _LOG.error("a picture could not be made: %s", result.complaint or "nothing was said")
            if "ModuleNotFoundError" in result.complaint:
                raise RenderUnavailable(
                    lazy_message("images require resvg-py, font-source-serif-pro and Pillow")
                )
            raise RenderUnavailable(lazy_message("the image couldn’t be created; see the site’s log"))
        return result.output


shared_render_queue = OnePerLoop(RenderQueue)
"""Returns the queue of the running event loop."""


def main() -> None:
    """Render the job read from standard input."""
    job: Any = msgspec.json.decode(sys.stdin.buffer.read(), type=RenderJob)
    with use_mode("interpreted"):  # each action is played once: loading the compiler would take longer
        sys.stdout.buffer.write(rendered(job))


if __name__ == "__main__":
    main()
