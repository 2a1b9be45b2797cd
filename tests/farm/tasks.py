"""Functions that workers run in tests, imported by name here and on a cluster."""

import os
import random
import signal
import threading
import time
from pathlib import Path


def draw(low: int, high: int, *, seed: int) -> tuple[int, list[int]]:
    """Random numbers that depend only on the seed."""
    rng = random.Random(seed)
    time.sleep(rng.random() / 50)  # so that they end in any order
    return seed, [rng.randint(low, high) for _ in range(5)]


def hears_ctrl_c() -> bool:
    return signal.getsignal(signal.SIGINT) is not signal.SIG_IGN or bool(
        signal.pthread_sigmask(signal.SIG_BLOCK, [])
    )


def process_id() -> int:
    return os.getpid()


def die(deaths: Path, times: int, way: int = signal.SIGKILL) -> str:
    """Kill the worker a number of times, counted in a file."""
    died = len(deaths.read_text()) if deaths.exists() else 0
    if died < times:
        deaths.write_text("x" * (died + 1))
        os.kill(os.getpid(), way)
        threading.Event().wait()
    return f"alive after {died}"


def raise_error(words: str) -> None:
    raise ValueError(words)


class UnreadableError(Exception):
    """An exception whose pickle can't be read: it needs two arguments, but only one is stored."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)
        self.other = other


def answer_with(kind: str) -> object:
    """Results that can't be sent."""
    if kind == "large":
        return bytes(2 << 20)
    if kind == "no pickle":
        return threading.Lock()
    return UnreadableError("a", "b")


def mark_and_wait(folder: Path, name: str) -> None:
    """Write this process's id to a file as a sign of starting, and never end."""
    (folder / name).write_text(str(os.getpid()))
    threading.Event().wait()


def finish_when_told(folder: Path, name: str) -> str:
    """Write this process's id to a file as a sign of starting, and end when there is a file `go`."""
    (folder / name).write_text(str(os.getpid()))
    while not (folder / "go").exists():
        time.sleep(0.02)
    return name
