"""The site's processes in a season: starting, commanding, killing and restarting them."""

import contextlib
import json
import os
import queue
import random
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
AGAIN_SECONDS = 0.05
"""The pause before retrying a command that failed because the database was unavailable."""
LONGEST_LIFE = 900
"""The most lines of code that a process executes before it dies as planned. Shorter commands survive."""


class WorkerDeathError(Exception):
    """The process died before it answered, so it is unknown what it has done."""


class CommandError(Exception):
    """A command raised an exception that no command may raise."""


class AwayError(Exception):
    """The database was unavailable to the process."""


class Worker:
    """One process."""

    def __init__(self, clock: Path, skew: float, environment: Mapping[str, str]) -> None:
        with clock.with_name("errors.txt").open("a") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "season.worker", str(clock), str(skew)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=TESTS,
                env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(_paths())},
                start_new_session=True,  # Ctrl-C at the terminal must not interrupt a step
            )
        self._child, self._limit = 0, -1
        self.seconds = Counter[str]()
        """Command → its processor seconds."""

    def ask(self, command: str, *, die_after: int = 0, **arguments: Any) -> Any:
        """Send a command and return the answer.

        Raises WorkerDeathError (a new process has then replaced the dead one), AwayError or CommandError.
        """
        assert self._process.stdin and self._process.stdout
        asked = {"do": command, "with": arguments, "die_after": die_after, "limit": self._limit}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"failed": "the process has ended"}')
        if "died" in answer:
            raise WorkerDeathError(command)
        if "away" in answer:
            raise AwayError(answer["away"])
        if "failed" in answer:
            raise CommandError(f"{command} {str(arguments)[:500]}\n{answer['failed']}")
        self._child = answer["by"]
        self.seconds[command] += answer["seconds"]
        return answer["said"]

    def limit_files(self, size: int) -> None:
        """Limit the size of the files that the process writes from now on. -1 lifts the limit."""
        self._limit = size
        if self._child:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(self._child, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def end(self) -> None:
        """End the process by closing its standard input."""
        self._process.communicate()


def _paths() -> list[str]:
    return [str(TESTS), str(TESTS.parent), *filter(None, [os.environ.get("PYTHONPATH")])]


class Crew:
    """All processes. Any free one executes the next command; a chosen share of commands kills its process."""

    def __init__(self, workers: Sequence[Worker], chance: random.Random) -> None:
        self.workers = list(workers)
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(len(workers))
        self._chance, self.lock = chance, threading.Lock()
        self.share = 0.0
        """The share of commands that kill their process."""
        self.commands = self.kills = self.away = 0
        self.is_patient = True
        """Whether a command is retried while the database is unavailable."""
        self.is_expected: Callable[[], bool] = lambda: False
        """Whether the database may be unavailable now."""

    def all(self, command: str, **arguments: Any) -> None:
        """Execute a command in every process at the same time. A process that dies has executed part of
        it."""
        list(self._threads.map(lambda worker: self._once(worker, command, arguments), self.workers))

    def one(self, number: int, command: str, **arguments: Any) -> None:
        """Execute a command in one particular process."""
        self._once(self.workers[number], command, arguments)

    def each(self, tasks: Sequence[Any], do: Any) -> None:
        """Call `do` with each task, as many at a time as there are processes."""
        list(self._threads.map(do, tasks))

    def ask(self, command: str, **arguments: Any) -> Any:
        """The answer of any free process. A command whose process dies is sent to the next one.

        Raises AwayError unless the crew is patient.
        """
        while True:
            try:
                with self._borrowed() as worker:
                    return worker.ask(command, die_after=self._life(), **arguments)
            except WorkerDeathError:
                self._count()
            except AwayError as error:
                self._note_away(command, str(error))
                if not self.is_patient:
                    raise
                time.sleep(AGAIN_SECONDS)

    def _once(self, worker: Worker, command: str, arguments: dict[str, Any]) -> None:
        try:
            for error in worker.ask(command, die_after=self._life(), **arguments) or ():
                self._note_away(command, error)
        except WorkerDeathError:
            self._count()
        except AwayError as error:
            self._note_away(command, str(error))

    def _note_away(self, command: str, error: str) -> None:
        if not self.is_expected():
            raise CommandError(f"{command}: the database is there, and yet: {error}")
        with self.lock:
            self.away += 1

    def limit_files(self, size: int) -> None:
        """Limit the size of the files that the processes write, or lift the limit."""
        for worker in self.workers:
            worker.limit_files(size)

    def _life(self) -> int:
        with self.lock:
            self.commands += 1
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
