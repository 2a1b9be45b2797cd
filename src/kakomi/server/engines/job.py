"""What is asked of the engines, and for whom."""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Payload = dict[str, Any]
"""A report or a result, as the protocol tells it."""


class Lane(IntEnum):
    """What is more urgent comes first."""

    MOVE = 0
    """Somebody waits at a table."""
    ANALYSIS = 1


@dataclass(eq=False)
class Job:
    """A request to an engine, and what has become of it."""

    asker: Hashable
    """Whose it is: a table, a guest. Engines are shared out fairly among askers."""
    lane: Lane
    request: dict[str, Any]
    """As the protocol has it, without an id."""
    answer: asyncio.Future[Payload]
    on_report: Callable[[Payload], None] | None = None
    seconds: float | None = None
    """How long engines may work on it; None: until it is answered."""
    used: float = 0.0
    """How long they have."""
    failures: list[str] = field(default_factory=list)
    """What happened to the engines that died of it, or with it."""
