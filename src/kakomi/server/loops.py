"""Objects of which every event loop has one."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class OnePerLoop(Generic[Thing]):
    """A call returns the object of the running event loop, made on first use."""

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
