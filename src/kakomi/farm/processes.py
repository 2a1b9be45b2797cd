"""Workers on this machine: a process each, which does pieces until the process that sends them is gone."""

import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from kakomi.farm.piece import Death, FarmError, Outcome, do, unpacked
from kakomi.kernel import when_compiling

AGAIN_SECONDS = 0.01
READY = b""
"""What a worker sends once it can do pieces."""


def work(connection: Connection) -> None:
    """The main loop of a worker process."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C goes to all; whoever sends the pieces decides what follows
    if hasattr(signal, "pthread_sigmask"):  # programs that it starts shall hear one again
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_on_sigterm()
    logging.getLogger("kakomi.kernel").setLevel(
        logging.ERROR
    )  # it warns for all of them where they come from
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with when_compiling(_silently), contextlib.suppress(EOFError, OSError):
        connection.send_bytes(READY)
        while True:
            connection.send_bytes(do(connection.recv_bytes()))


def end_on_sigterm() -> None:
    """Have SIGTERM end this process as an exit would, which ends the engines that a piece has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.unraisablehook = _exit_again


def _exit_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Python drops what is raised while an object is finalized: an exit comes again then, a moment later."""
    if unraisable.exc_type is SystemExit:
        threading.Timer(AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGTERM)).start()
    else:
        sys.__unraisablehook__(unraisable)


def _leave_with_parent() -> None:
    parent: Any = multiprocessing.parent_process()
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _silently(driver: str) -> contextlib.AbstractContextManager[None]:
    del driver
    return contextlib.nullcontext()


GRACE_SECONDS = 3.0
"""Seconds that a process has to end what it has started before it is killed."""


FAILED = 1
"""Exit code of a process that ends with an exception."""
UNGUARDED = 78
"""Exit code of a process that would start workers while it is still importing the script that started it."""


class Processes:
    """Processes that do a piece at a time each. They are started when there is something to do."""

    def __init__(self, most: int) -> None:
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            os._exit(UNGUARDED)  # quietly: the process that started this one says what is wrong
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
        ended = [busy[cast(Connection, connection)].ended() for connection in wait(list(busy))]
        return [outcome for outcome in ended if outcome]

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


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """A process that is started in the block hears no Ctrl-C until it decides what to do about one."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # whose start, as a part of the first process's, would end the deafness
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Process:
    """One process, and the number of the piece that it has."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # threads and compiled code don't survive a fork
        self.connection, its_end = context.Pipe()
        self._process = context.Process(target=work, args=(its_end,), daemon=False)
        with _deaf_to_ctrl_c():
            self._process.start()
        its_end.close()
        self.number: int | None = None
        self._is_ready = False

    def is_running(self) -> bool:
        """Whether it lives."""
        return self._process.is_alive()

    def take(self, number: int, packed: bytes) -> None:
        """Let it do a piece."""
        self.number = number
        with contextlib.suppress(OSError):  # a dead process is met when its outcome is
            self.connection.send_bytes(packed)

    def ended(self) -> tuple[int, Outcome] | None:
        """The number of the piece that it had, and how that ended; the process is gone if it died of it. None
        if it has only begun. Raises FarmError if it can't be begun."""
        assert self.number is not None
        number = self.number
        try:
            answer = self.connection.recv_bytes()
            if answer == READY:
                self._is_ready = True
                return None
            outcome = unpacked(answer)
        except (EOFError, OSError):
            self.end()
            if not self._is_ready and self._process.exitcode in (FAILED, UNGUARDED):
                raise FarmError(
                    "every worker process imports your script, and that failed: put what the script does "
                    'under a line `if __name__ == "__main__":`'
                ) from None
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
