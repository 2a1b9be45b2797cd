"""Ways to run the program."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.terminal import Terminal
from kakomi.cli.main import kakomi as program


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start `kakomi play` at a terminal; whatever still runs in the end is ended."""
    started: list[Terminal] = []

    def start(*args: str, **environment: str) -> Terminal:
        started.append(Terminal(tmp_path, *args, **environment))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


@pytest.fixture
def piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `kakomi play` in this process, in a folder of its own, on lines that come through a pipe."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(lines: str | bytes, *args: str) -> Result:
        return CliRunner().invoke(program, ["play", *args], input=lines)

    return run
