"""Workers on this machine: a process for each."""

import contextlib
import multiprocessing
from multiprocessing.connection import Connection, wait
from typing import cast

from kakomi.farm.piece import Death, Outcome, unpacked
from kakomi.farm.worker_process import work

GRACE_SECONDS = 3.0
"""Seconds that a process has to end what it has started before it is killed."""


class Processes:
    """Processes that do a piece at a time each. They are started when there is something to do."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._processes: list[_Process] = []

    def count(self) -> int:
        return self._most

    def room(self) -> int:
        return self._most - sum(process.number is not None for process in self._processes)

    def begin(self, number: int, packed: bytes) -> None:
        worker = self._idle()
        if worker is None:
            worker = _Process()
            self._processes.append(worker)
        worker.take(number, packed)

    def ended(self) -> list[tuple[int, Outcome]]:
        busy = {process.connection: process for process in self._processes if process.number is not None}
        return [busy[cast(Connection, connection)].ended() for connection in wait(list(busy))]

    def abandon(self) -> None:
        busy = [process for process in self._processes if process.number is not None]
        _end(busy)
        self._processes = [process for process in self._processes if process not in busy]

    def close(self) -> None:
        _end(self._processes)
        self._processes = []

    def _idle(self) -> "_Process | None":
        """A process that has nothing to do, if there is one that hasn't died meanwhile."""
        for process in [process for process in self._processes if process.number is None]:
            if process.is_running():
                return process
            process.end()
            self._processes.remove(process)
        return None


def _end(processes: "list[_Process]") -> None:
    for process in processes:
        process.dismiss()
    for process in processes:
        process.end()


class _Process:
    """One process, and the number of the piece that it has."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # threads and compiled code don't survive a fork
        self.connection, its_end = context.Pipe()
        self._process = context.Process(target=work, args=(its_end,), daemon=False)
        self._process.start()
        its_end.close()
        self.number: int | None = None

    def is_running(self) -> bool:
        """Whether it lives."""
        return self._process.is_alive()

    def take(self, number: int, packed: bytes) -> None:
        """Let it do a piece."""
        self.number = number
        with contextlib.suppress(OSError):  # a dead process is met when its outcome is
            self.connection.send_bytes(packed)

    def ended(self) -> tuple[int, Outcome]:
        """The number of the piece that it had, and how that ended; the process is gone if it died of it."""
        assert self.number is not None
        number = self.number
        try:
            outcome = unpacked(self.connection.recv_bytes())
        except (EOFError, OSError):
            self.end()
            outcome = Death(f"its worker process died, exit code {self._process.exitcode}")
        self.number = None
        return number, outcome

    def dismiss(self) -> None:
        """Ask it to go."""
        self._process.terminate()

    def end(self) -> None:
        """See that it is gone."""
        self._process.join(GRACE_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()
