"""Fixtures that run the program."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.terminal import Terminal
from kakomi.cli.main import kakomi as program


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Starts `kakomi play` at a terminal; ends all that still run after the test."""
    started: list[Terminal] = []

    def start(*args: str, **environment: str) -> Terminal:
        started.append(Terminal(tmp_path, *args, **environment))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


@pytest.fixture
def piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs `kakomi play` in this process, in its own folder, on piped lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(lines: str | bytes, *args: str) -> Result:
        return CliRunner().invoke(program, ["play", *args], input=lines)

    return run
