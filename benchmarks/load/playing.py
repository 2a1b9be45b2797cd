"""A table where two people play by link, each with the page open, and their waiting times."""

import asyncio
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.load.browser import PATIENCE, Answer, Browser
from kakomi import catalog
from kakomi.core import Position


@dataclass
class Waits:
    """Seconds that people waited, by kind of wait."""

    act: list[float] = field(default_factory=list)
    """From a click until the resulting board has arrived."""
    news: list[float] = field(default_factory=list)
    """From one player's click until the other's page is notified."""
    look: list[float] = field(default_factory=list)
    """From the notification until that page has the board."""
    refused: list[str] = field(default_factory=list)
    listeners: int = 0
    asked: int = 0
    """How often a page had to request the board because the event didn't contain it."""


class Playing:
    """Plays at one table, and at a new one whenever a game ends."""

    def __init__(self, ports: Sequence[int], name: str, chance: random.Random) -> None:
        self._ports, self._name, self._chance = ports, name, chance
        self.waits = Waits()
        self._listening: list[asyncio.Task[None]] = []
        self._seen = asyncio.Event()
        """Set when the other player's page shows the last action."""

    async def open(self) -> None:
        """Open a table with both players and their pages."""
        host, friend = (Browser(self._ports[seat % len(self._ports)]) for seat in range(2))
        begun = await host.post(f"/play/{self._name}", {"opponent": "friend", "side": 0})
        self._page = begun.headers.get("location") or begun.headers.get("hx-redirect", "")
        invitation = re.search(r"/join/[\w-]+", (await host.get(self._page)).text)
        if invitation is None:
            raise RuntimeError(f"a game of {self._name} could not be opened: {begun}")
        await friend.post(invitation[0], {})
        self._players = [host, friend]
        self._game = catalog.game(self._name)
        self._position: Position = self._game.start()
        self._draft: list[str] = []
        shown = (await host.get(self._page)).text
        await friend.get(self._page)
        self._entries = _number_in(shown, "data-entries")
        self._news = _number_in(shown, "data-news")
        self._acted_at = 0.0
        self._listening = [asyncio.create_task(self._listen(seat)) for seat in range(2)]

    async def play(self, every: float, until: float) -> None:
        """Act every `every` seconds, until the event loop's clock reaches `until`."""
        loop = asyncio.get_running_loop()
        due = loop.time() + self._chance.random() * every
        while due < until:
            await asyncio.sleep(due - loop.time())
            await self._act()
            due = max(due + every, loop.time())
            await self._begin_again()

    async def act_and_be_seen(self) -> None:
        """Act, and wait until the other player's page shows it."""
        self._seen.clear()
        before = self._news
        await self._act()
        if self._news > before:
            await asyncio.wait_for(self._seen.wait(), PATIENCE)
        await self._begin_again()

    async def _begin_again(self) -> None:
        if self._position.is_over:
            await self.close()
            await self.open()

    async def close(self) -> None:
        """Close both players' pages."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)

    async def _act(self) -> None:
        """Simulate a click: an action of a turn, or its confirmation."""
        reached = self._reached()
        form = {"base": self._entries, "key": f"{self._chance.getrandbits(80):x}-load"}
        form["seen"] = " ".join(self._draft)
        sent: list[str] = []
        if self._draft and (reached.is_over or not reached.turn):
            form["kind"], sent, grown = "confirm", self._draft, []
        else:
            action = self._chance.choice(reached.legal())
            after = reached.play(action)
            form["kind"], grown = f"touch {action}", [*self._draft, action]
            if len(grown) == 1 and (after.is_over or not after.turn):
                sent, grown = grown, []
        player = self._players[self._position.to_move]
        self._mover, self._acted_at = self._position.to_move, time.perf_counter()
        self._news += len(sent)
        answer = await player.post(f"{self._page}/act", form)
        if not self._note(self.waits.act, self._acted_at, answer):
            raise RuntimeError(self.waits.refused[-1])
        self._draft, self._entries = grown, self._entries + len(sent)
        for action in sent:
            self._position = self._position.play(action)

    def _reached(self) -> Position:
        position = self._position
        for action in self._draft:
            position = position.play(action)
        return position

    async def _listen(self, seat: int) -> None:
        """Listen to events as a page does: if one lacks the board, the player who didn't act requests it."""
        shown = 0
        self.waits.listeners += 1
        try:
            async for number, is_shown in self._players[seat].news(f"{self._page}/events", self._news):
                if number <= shown:
                    continue
                is_first, shown = shown == 0, number
                if is_first or seat == self._mover:
                    continue
                heard_at = time.perf_counter()
                self.waits.news.append(heard_at - self._acted_at)
                if is_shown:
                    self.waits.look.append(time.perf_counter() - heard_at)
                else:
                    self.waits.asked += 1
                    self._note(self.waits.look, heard_at, await self._players[seat].get(self._page))
                self._seen.set()
        finally:
            self.waits.listeners -= 1

    def _note(self, waits: list[float], since: float, answer: Answer) -> bool:
        if answer.status != 200:
            self.waits.refused.append(f"{answer.status} {answer.text[:300]}")
            return False
        waits.append(time.perf_counter() - since)
        return True


def _number_in(page: str, attribute: str) -> int:
    found = re.search(rf'\b{attribute}="(\d+)"', page)
    if found is None:
        raise RuntimeError(f"a table's page has no {attribute}")
    return int(found[1])
