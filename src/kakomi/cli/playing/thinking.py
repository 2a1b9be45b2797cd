"""Thinking in the background, so that Ctrl-C can end it."""

import threading
from collections.abc import Callable
from typing import TypeVar

from kakomi.bots import Bot
from kakomi.cli.shared.status import patient_progress

Result = TypeVar("Result")

_LOOK_SECONDS = 0.1


def thought(who: str, bot: Bot, work: Callable[[threading.Event], Result], *, is_awaited: bool) -> Result:
    """What a bot's work gives; over two seconds a bar shows how far it is.

    While a person waits, the first Ctrl-C makes the bot come to an end with what it has, and a second one
    gives up on it (KeyboardInterrupt); with only spectators the first one does.
    """
    stop, done = threading.Event(), threading.Event()
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work(stop))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    with patient_progress(f"{who} is thinking; Ctrl-C to {'play now' if is_awaited else 'leave'}") as tell:
        bot.progress = lambda part: tell(part, "")
        threading.Thread(target=run, daemon=True).start()
        _wait(done, stop, is_awaited)
        bot.progress = None
    if failure:
        raise failure[0]
    return outcome[0]


def _wait(done: threading.Event, stop: threading.Event, is_awaited: bool) -> None:
    """Until it is done. An event, since `Thread.join` mistakes an interrupt for the thread's end."""
    while not done.is_set():
        try:
            done.wait(_LOOK_SECONDS)
        except KeyboardInterrupt:
            if stop.is_set() or not is_awaited:
                raise
            stop.set()
