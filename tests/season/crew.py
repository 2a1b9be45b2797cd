"""The processes of a season, which are started, asked, killed and started again."""

import contextlib
import json
import os
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
LONGEST_LIFE = 900
"""Lines after which a process that is to die has died, or the command was shorter."""


class WorkerDeathError(Exception):
    """The process was killed before it answered: nobody knows what it has done."""


class CommandError(Exception):
    """A command raised something that no command may raise."""


class Worker:
    """One process."""

    def __init__(self, clock: Path, skew: float, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "season.worker", str(clock), str(skew)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=TESTS,
            env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(_paths())},
        )

    def ask(self, command: str, *, die_after: int = 0, **arguments: Any) -> Any:
        """The answer to a command.

        Raises WorkerDeathError, after which another process stands in its place, or CommandError.
        """
        assert self._process.stdin and self._process.stdout
        asked = {"do": command, "with": arguments, "die_after": die_after}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"failed": "the process has ended"}')
        if "died" in answer:
            raise WorkerDeathError(command)
        if "failed" in answer:
            raise CommandError(f"{command} {str(arguments)[:500]}\n{answer['failed']}")
        return answer["said"]

    def end(self) -> None:
        """End the process: its child reads no more commands."""
        self._process.communicate()


def _paths() -> list[str]:
    return [str(TESTS), str(TESTS.parent), *filter(None, [os.environ.get("PYTHONPATH")])]


class Crew:
    """All processes. Whoever is free does what there is to do; some die of it, as often as is wished."""

    def __init__(self, workers: Sequence[Worker], chance: random.Random, kills: float) -> None:
        """`kills` is the share of commands of which a process is to die."""
        self.workers = list(workers)
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(len(workers))
        self._chance, self.lock = chance, threading.Lock()
        self.share = kills
        self.kills = 0

    def all(self, command: str, **arguments: Any) -> None:
        """Have every process do the same at the same time; who dies of it has done it in part."""
        list(self._threads.map(lambda worker: self._once(worker, command, arguments), self.workers))

    def one(self, number: int, command: str, **arguments: Any) -> None:
        """Have a certain process do something."""
        self._once(self.workers[number], command, arguments)

    def each(self, tasks: Sequence[Any], do: Any) -> None:
        """Call `do` with each task and with whom to ask, as many at a time as there are processes."""
        list(self._threads.map(do, tasks))

    def ask(self, command: str, **arguments: Any) -> Any:
        """The answer of whoever is free; of the next one if they die, until somebody lives to tell it."""
        while True:
            try:
                with self._borrowed() as worker:
                    return worker.ask(command, die_after=self._life(), **arguments)
            except WorkerDeathError:
                self._count()

    def _once(self, worker: Worker, command: str, arguments: dict[str, Any]) -> None:
        try:
            worker.ask(command, die_after=self._life(), **arguments)
        except WorkerDeathError:
            self._count()

    def _life(self) -> int:
        with self.lock:
            dies = self._chance.random() < self.share
            return self._chance.randrange(1, LONGEST_LIFE) if dies else 0

    def _count(self) -> None:
        with self.lock:
            self.kills += 1

    @contextlib.contextmanager
    def _borrowed(self) -> Iterator[Worker]:
        worker = self._free.get()
        try:
            yield worker
        finally:
            self._free.put(worker)

    def end(self) -> None:
        """End all processes."""
        self._threads.shutdown()
        for worker in self.workers:
            worker.end()
