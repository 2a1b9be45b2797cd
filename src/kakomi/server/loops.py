"""What every event loop has one of."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class OnePerLoop(Generic[Thing]):
    """Called, it gives what belongs to the event loop that runs now; made when it is first asked for."""

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
