"""Whispers as letters to other processes."""

import asyncio
import secrets
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import msgspec

from kakomi.server.realtime.ephemeral import DRAFT, PRESENCE, EphemeralMessages
from kakomi.server.realtime.outbox import Outbox
from kakomi.server.realtime.presence import Guests
from kakomi.server.tables.bot_progress import THINKING, BotProgress

REPEAT_SECONDS = 5.0
"""How often a process says who is there: so others know that it lives, and those that are new hear of it."""
_CONTENTS: dict[str, Any] = {PRESENCE: Guests, THINKING: BotProgress, DRAFT: tuple[str, ...]}


class _Whisper(msgspec.Struct, omit_defaults=True):
    process: str
    code: str
    kind: str
    content: msgspec.Raw
    to: int | None = None


class EphemeralOutbox(Outbox[_Whisper]):
    """Carries whispers as well as that goes: of what can't be sent at once nothing is kept."""

    topic = "whispers"

    def __init__(self, whispers: EphemeralMessages) -> None:
        super().__init__()
        self._whispers = whispers
        self._process = secrets.token_hex(8)

    def open(self, wake: Callable[[], None]) -> None:
        """Gather what is whispered from now on."""
        super().open(wake)
        self._whispers.add_carrier(self._carry)

    def close(self) -> None:
        """Gather nothing any more."""
        self._whispers.remove_carrier(self._carry)
        super().close()

    async def keep_up(self) -> None:
        """Repeat who is there, for ever."""
        while True:
            await asyncio.sleep(REPEAT_SECONDS)
            self._whispers.keep_up()

    def come_back(self, letters: Mapping[Hashable, _Whisper]) -> None:
        """Let go of them: by the time that they could be sent, something else is true."""

    def spelled(self, name: Hashable, letter: _Whisper) -> bytes:
        """As JSON."""
        return msgspec.json.encode(letter)

    def arrived(self, said: bytes) -> None:
        """Tell those who listen in this process, unless it comes from here."""
        letter = msgspec.json.decode(said, type=_Whisper)
        if letter.process == self._process:
            return
        content = msgspec.json.decode(letter.content, type=_CONTENTS.get(letter.kind, Any))
        if letter.kind == PRESENCE:
            self._whispers.note_elsewhere(letter.process, letter.code, content)
        elif letter.kind in _CONTENTS:
            self._whispers.tell_here(letter.code, letter.kind, content, to=letter.to)

    def _carry(self, code: str, kind: str, content: object, to: int | None) -> None:
        letter = _Whisper(self._process, code, kind, msgspec.Raw(msgspec.json.encode(content)), to)
        self.post((code, kind, to), letter)
