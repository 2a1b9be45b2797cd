"""How far bots have come with their decisions, as the pages of their tables hear it."""

import threading
import time
from dataclasses import dataclass

from kakomi.server.realtime.ephemeral import MESSAGES, EphemeralMessages, message_kind

SECONDS_BETWEEN = 0.5
"""Seconds between two reports on the same bot."""


@dataclass(frozen=True)
class BotProgress:
    """A bot's progress with its decision."""

    seat: int
    progress: float
    """From 0 to 1."""

    def to_json(self) -> dict[str, object]:
        """As data that JSON can hold."""
        return {"seat": self.seat, "progress": round(self.progress, 2)}


THINKING = message_kind("thinking", BotProgress)
"""The kind of messages about a bot's progress."""


class BotProgressCache:
    """The latest progress of a bot at every table of this process."""

    def __init__(self, messages: EphemeralMessages = MESSAGES) -> None:
        self._messages = messages
        self._lock = threading.Lock()
        self._latest: dict[str, BotProgress] = {}
        self._told_at: dict[str, float] = {}

    def note(self, code: str, thinking: BotProgress) -> None:
        """Keep a bot's progress, and tell the listeners if it is time."""
        now = time.monotonic()
        with self._lock:
            self._latest[code] = thinking
            is_early = now - self._told_at.get(code, 0.0) < SECONDS_BETWEEN
            if not is_early:
                self._told_at[code] = now
        if not is_early:
            self._messages.tell(code, THINKING, thinking)

    def forget(self, code: str) -> None:
        """The bot has decided."""
        with self._lock:
            self._latest.pop(code, None)
            self._told_at.pop(code, None)

    def at(self, code: str) -> BotProgress | None:
        """The progress of the bot at a table, if one thinks."""
        with self._lock:
            return self._latest.get(code)


BOT_PROGRESS = BotProgressCache()
"""This process's."""
