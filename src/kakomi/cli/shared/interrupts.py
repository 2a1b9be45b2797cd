"""Ctrl-C as a request to come to an end, and not as an exception in the middle of something."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""


@contextmanager
def telling_what_is_kept(kept: str | Callable[[], str] = "nothing is kept") -> Iterator[None]:
    """Say what is kept of a long command's work when Ctrl-C ends it."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"kakomi: stopped; {kept if isinstance(kept, str) else kept()}", err=True)
        raise


@contextmanager
def stopped_by_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; a second one is a KeyboardInterrupt as ever.

    A handler sets it, wherever the main thread is: an exception that is caught while one waits would now
    and then come between two waits. Only the main thread may use it, and it may not wait for this event.
    """
    stop = threading.Event()
    usual = signal.getsignal(signal.SIGINT)

    def ask_to_stop(number: int, frame: object) -> None:
        del number, frame
        signal.signal(signal.SIGINT, usual)
        stop.set()

    signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, usual)
