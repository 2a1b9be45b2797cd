"""Waiting for events, never for a fixed time."""

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_LOOK_EVERY_SECONDS = 0.02


def until(condition: Callable[[], T], what: str, seconds: float = 60.0) -> T:
    """Wait for a condition to be truthy and return its value. Raises AssertionError after too long."""
    deadline = time.monotonic() + seconds
    while True:
        late = time.monotonic() > deadline  # before the condition, so that it is always checked last
        if value := condition():
            return value
        if late:
            raise AssertionError(f"{what}: not within {seconds:g} s")
        time.sleep(_LOOK_EVERY_SECONDS)


def is_alive(pid: int) -> bool:
    """Whether a process is running, not counting zombies."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(shown.strip()) and not shown.strip().startswith("Z")


def wait_for_end(pid: int) -> None:
    """Wait for a process to end by itself."""
    until(lambda: not is_alive(pid), f"the end of process {pid}")
