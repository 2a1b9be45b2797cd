"""Ctrl-C during computation: the first requests an orderly end, the second ends it immediately."""

import signal
import threading
from collections.abc import Iterator

import pytest

from kakomi.bots import RandomBot
from kakomi.cli.playing.terminal_game import run_bot
from kakomi.cli.shared.output import stopped_by_interrupt

PATIENCE = 60.0
"""Seconds until a bot that isn't stopped gives up."""


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """Python's default handler for Ctrl-C, wherever the tests run."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class InterruptedBot(RandomBot):
    """A bot for which Ctrl-C is pressed just before it starts thinking, before the program waits for it."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "progress" and value is not None:
            signal.raise_signal(signal.SIGINT)


def once_stopped(stop: threading.Event) -> str:
    return "stopped" if stop.wait(PATIENCE) else "nobody stopped it"


def interrupted_again(stop: threading.Event) -> None:
    stop.wait(PATIENCE)
    signal.raise_signal(signal.SIGINT)


def test_the_first_asks_for_an_end_and_the_second_is_heeded() -> None:
    with stopped_by_interrupt() as stop:
        assert not stop.is_set()
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_bot_is_hurried_wherever_the_program_is() -> None:
    try:
        answer = run_bot("White", InterruptedBot(seed=0), once_stopped, is_awaited=True)
    except KeyboardInterrupt:
        pytest.fail("the first Ctrl-C ended the game")
    assert answer == "stopped"


def test_a_second_ctrl_c_gives_up_on_the_bot() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_bot("White", InterruptedBot(seed=0), interrupted_again, is_awaited=True)


def test_a_spectator_leaves_with_the_first() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_bot("White", InterruptedBot(seed=0), once_stopped, is_awaited=False)
