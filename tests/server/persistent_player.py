"""A player who sends everything again until it is answered, and remembers what was."""

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from kakomi import catalog
from kakomi.core import Position
from server.sites import Site
from server.visitors import BROKEN, Visitor

BOARDS = {
    "rin": {"size": 8},
    "rive": {"size": 3},
    "lin": {"size": 9},
    "ren": {"size": 8},
    "rings": {"size": 3},
}


@dataclass(frozen=True)
class Deed:
    """Something sent, and the entries of the log that come of it."""

    form: dict[str, object]
    entries: tuple[tuple[str, str], ...] = ()
    """Keys and actions; none for what only changes the draft."""
    draft: tuple[str, ...] = ()
    """What is put together afterwards."""


class PersistentPlayer:
    """Plays both sides of one table after the other in a thread, as long as it may."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._visitor = Visitor()
        self._keys = 0
        self.code = ""
        self._position: Position
        self.log: list[tuple[str, str]] = []
        """What was answered as done at this table, in order."""
        self.draft: tuple[str, ...] = ()
        self.under_way: Deed | None = None
        """Sent, and not answered yet."""
        self.asks: Site | None = None
        """Who is to answer at this moment."""
        self.broken = 0
        """How many requests broke off."""
        self.tables = 0

    def act(self, sites: Sequence[Site], may_go_on: threading.Event) -> None:
        """One deed, sent until it is answered, or until there is no going on for now."""
        while may_go_on.is_set():
            try:
                if self.under_way is None:
                    if not self.code or self._turn().is_over:
                        self._sit_down(sites)
                    self.under_way = self._deed()
                self._send(self._chance.choice(sites), self.under_way)
                break
            except BROKEN:
                self.broken += 1
                time.sleep(0.02)

    def _send(self, site: Site, deed: Deed) -> None:
        self.asks = site
        try:
            answer = self._visitor.act(site.port, self.code, deed.form)
        finally:
            self.asks = None
        assert answer.status == 200, (answer.status, deed, answer.text[-500:])
        self.log.extend(deed.entries)
        self.draft = deed.draft
        self.under_way = None
        for _, action in deed.entries:
            self._position = self._position.play(action)

    def _sit_down(self, sites: Sequence[Site]) -> None:
        name = self._chance.choice(sorted(BOARDS))
        wishes = {"opponent": "beside", "side": 0, **BOARDS[name]}
        self.code = self._visitor.begin(self._chance.choice(sites).port, name, **wishes)
        self._position = catalog.game(name, **BOARDS[name]).start()
        self.log, self.draft = [], ()
        self.tables += 1

    def _turn(self) -> Position:
        """The position with the draft."""
        position = self._position
        for action in self.draft:
            position = position.play(action)
        return position

    def _deed(self) -> Deed:
        """What to do next: begin or go on with a turn, take something of it back, or confirm it."""
        position, key = self._turn(), self._key()
        if self.draft and (position.is_over or not position.turn):
            if self._chance.random() < 0.2:
                return Deed(self._form("untouch", key), draft=self.draft[:-1])
            sent = tuple((f"{key}:{number}", action) for number, action in enumerate(self.draft))
            return Deed(self._form("confirm", key), sent)
        action = self._chance.choice(position.legal())
        after = position.play(action)
        form = self._form(f"touch {action}", key)
        if not self.draft and (after.is_over or not after.turn):
            return Deed(form, ((f"{key}:0", action),))
        return Deed(form, draft=(*self.draft, action))

    def _form(self, kind: str, key: str) -> dict[str, object]:
        return {"kind": kind, "key": key, "base": len(self.log), "seen": " ".join(self.draft)}

    def _key(self) -> str:
        self._keys += 1
        return f"{self._chance.getrandbits(60):x}-{self._keys:06}"
