"""What a worker process does: pieces, until whoever sends them is gone."""

import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any

from kakomi.farm.piece import do
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
