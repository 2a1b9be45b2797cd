"""People who have the lobby open, and how soon they see a seek."""

import asyncio
import json
import time
from dataclasses import dataclass, field

from benchmarks.load.browser import Browser

OPENING_AT_ONCE = 20
PATIENCE = 10.0
"""Seconds after which a page that has not seen a seek counts as one that never does."""


@dataclass
class Crowd:
    """Viewers of the site's processes in turn, each with a guest of their own."""

    ports: list[int]
    viewers: list[Browser] = field(default_factory=list)
    seen: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    """Name of who seeks -> port and moment of everybody who has seen it."""
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _ready: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def come(self, count: int) -> None:
        """Open so many pages, and return when all of them listen."""
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def enter(number: int) -> Browser:
            async with gate:
                return await guest(self.ports[number % len(self.ports)], f"Viewer {number}")

        self.viewers = list(await asyncio.gather(*map(enter, range(count))))
        self._tasks = [asyncio.create_task(self._look(viewer)) for viewer in self.viewers]
        for _ in range(count):
            await self._ready.acquire()

    async def leave(self) -> None:
        """Close all pages."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _look(self, viewer: Browser) -> None:
        is_first = True
        async for kind, data in viewer.events("/lobby/events"):
            if kind != b"seeks":
                continue
            at = time.perf_counter()
            if is_first:
                self._ready.release()
            is_first = False
            for _, html in json.loads(data)["put"]:
                name = html.partition("Seeker ")[2].partition("<")[0]
                self.seen.setdefault(name, []).append((viewer.port, at))


async def guest(port: int, name: str) -> Browser:
    """Somebody with a name."""
    browser = Browser(port)
    await browser.post("/me/preferences", {"name": name})
    return browser


@dataclass
class Waits:
    """Milliseconds from the click that makes a seek until somebody sees it."""

    all: list[float] = field(default_factory=list)
    elsewhere: list[float] = field(default_factory=list)
    """Of those at another process than who made it."""
    answer: list[float] = field(default_factory=list)
    """Until who made it has an answer."""
    missed: int = 0
    cores: float = 0.0
    """Seconds of a processor that the site took for each seek, heartbeats of all pages with them."""


async def measure(crowd: Crowd, seeks: int, every: float) -> Waits:
    """Make seeks, one after the other, and note when everybody has seen each."""
    waits = Waits()
    for number in range(seeks):
        name = str(number)
        seeker = await guest(crowd.ports[number % len(crowd.ports)], f"Seeker {name}")
        form = {"size": 8, "clock": "custom", "clock_other": f"{number % 300 + 1}+7", "side": "lot"}
        before = time.perf_counter()
        answer = await seeker.post("/lobby/new/rin", {**form, "key": f"seek-{number}", "sent": 1})
        waits.answer.append(1000 * (time.perf_counter() - before))
        if answer.status != 302:
            raise RuntimeError(f"the seek could not be made: {answer.status} {answer.text[:500]}")
        await asyncio.sleep(every)
        until, everybody = time.perf_counter() + PATIENCE, len(crowd.viewers)
        while len(crowd.seen.get(name, ())) < everybody and time.perf_counter() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        found = crowd.seen.pop(name, [])
        waits.missed += len(crowd.viewers) - len(found)
        waits.all += [1000 * (at - before) for _, at in found]
        waits.elsewhere += [1000 * (at - before) for port, at in found if port != seeker.port]
    return waits
