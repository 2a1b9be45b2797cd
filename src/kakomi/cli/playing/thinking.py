"""Thinking in the background, so that Ctrl-C can end it."""

import threading
from collections.abc import Callable
from typing import TypeVar

from kakomi.bots import Bot
from kakomi.cli.shared.status import patient_progress

Result = TypeVar("Result")

_LOOK_SECONDS = 0.1


def thought(title: str, bot: Bot, work: Callable[[threading.Event], Result]) -> Result:
    """What a bot's work gives; over two seconds a bar shows how far it is.

    The first Ctrl-C makes the bot come to an end with what it has, a second one gives up on it.
    """
    stop = threading.Event()
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work(stop))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    with patient_progress(f"{title} is thinking; Ctrl-C to play now") as tell:
        bot.progress = lambda part: tell(part, "")
        thread.start()
        _wait(thread, stop)
        bot.progress = None
    if failure:
        raise failure[0]
    return outcome[0]


def _wait(thread: threading.Thread, stop: threading.Event) -> None:
    while thread.is_alive():
        try:
            thread.join(_LOOK_SECONDS)
        except KeyboardInterrupt:
            if stop.is_set():
                raise
            stop.set()
