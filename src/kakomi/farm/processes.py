"""Workers on this machine: processes that do pieces until their parent process is gone."""

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
"""What a worker sends once it is ready for pieces."""


def work(connection: Connection) -> None:
    """The main loop of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; only the parent handles it
    if hasattr(signal, "pthread_sigmask"):  # for the programs that it starts
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_on_sigterm()
    logging.getLogger("kakomi.kernel").setLevel(logging.ERROR)  # the parent warns for all workers
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with when_compiling(_silently), contextlib.suppress(EOFError, OSError):
        connection.send_bytes(READY)
        while True:
            connection.send_bytes(do(connection.recv_bytes()))


def end_on_sigterm() -> None:
    """Make SIGTERM end this process like `sys.exit`, which also ends the engines that a piece has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.unraisablehook = _exit_again


def _exit_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Repeat an exit a moment later if it was raised during finalization, where Python ignores exceptions."""
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
"""How long a process may take to end what it has started before it is killed."""


FAILED = 1
"""The exit code of a process that ends with an exception."""
UNGUARDED = 78
"""The exit code of a worker whose import of the main script would itself start workers."""


class Processes:
    """Worker processes, started when needed, that each do one piece at a time."""

    def __init__(self, most: int) -> None:
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            os._exit(UNGUARDED)  # quietly: the parent process explains what is wrong
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
        """An idle process that is still alive, if any."""
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
    """Block Ctrl-C in processes started in the block until they set their own handler."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # started with the first process, it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Process:
    """One process, and the number of its current piece."""

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
        """Whether the process is alive."""
        return self._process.is_alive()

    def take(self, number: int, packed: bytes) -> None:
        """Start a piece in the process."""
        self.number = number
        with contextlib.suppress(OSError):  # `ended` handles a dead process
            self.connection.send_bytes(packed)

    def ended(self) -> tuple[int, Outcome] | None:
        """The number of its piece and the outcome, a `Death` if the process died. None if the process has
        only become ready. Raises FarmError if it can't start."""
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
        """Ask the process to end."""
        self._process.terminate()

    def end(self) -> None:
        """Wait for the process to end, and kill it after `GRACE_SECONDS`."""
        self._process.join(GRACE_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()
