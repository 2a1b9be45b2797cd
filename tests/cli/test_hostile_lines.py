"""For any command line, the program ends with an exit code, and with one clear line if it can't comply."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import kakomi
from cli.hostile_lines import PLAIN, contradictions, hostile_lines, prepare
from kakomi import records
from kakomi.cli.main import main
from kakomi.cli.solve import UNFINISHED
from recorded_games import random_record

SECONDS = 120
"""A timeout longer than any of these lines takes, including compilation."""
LONGEST = 400
"""The most characters in a line of output."""

# Click leaves files open when it refuses later arguments. The program would exit, but tests continue.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("kakomi.server.running.serve", lambda *_, **__: None)  # would not end
    monkeypatch.setattr("kakomi.cli.match._play", lambda *_: None)  # starts processes
    monkeypatch.setattr("kakomi.cli.match._report", lambda *_: None)
    monkeypatch.setattr("kakomi.cli.study._run", lambda *_: None)  # starts processes
    monkeypatch.setattr("kakomi.cli.solve._Keeper.work", lambda *_: None)
    monkeypatch.setattr("kakomi.cli.bench._measured", lambda *_: [])  # takes as long as requested
    game = kakomi.game("rin", size=4)
    folder = tmp_path / "files"
    folder.mkdir()
    return prepare(folder, records.write(random_record(game, 1), game, "json"))


@pytest.fixture
def in_time() -> Iterator[None]:
    """Fail a line that hangs."""

    def complain(*_: object) -> None:
        raise AssertionError(f"no answer within {SECONDS} s")

    before = signal.signal(signal.SIGALRM, complain)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def fault_of(code: object, err: str) -> str:
    """What is wrong with a command's result; empty if nothing is."""
    said = [line for line in err.splitlines() if not line.startswith("Compiling ")]
    if code not in (0, 1, 2, UNFINISHED):
        return f"exit code {code}"
    if code in (1, 2) and not said:
        return "no word"
    if "Traceback" in err:
        return "a traceback"
    if code in (1, 2) and (len(said) > 1 or not said[0].startswith("kakomi: ")):
        return "more than one line"
    if any(len(line) > LONGEST or not line.isprintable() for line in said):
        return "a line that can't be read"
    return ""


@pytest.mark.parametrize("command", [*PLAIN, "contradictions"])
def test_hostile_lines_have_one_clear_answer(
    command: str, places: dict[str, str], in_time: None, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = contradictions(places) if command == "contradictions" else hostile_lines(command, places)
    faults = []
    for line in lines:
        signal.alarm(SECONDS)
        try:
            main(line)
        except SystemExit as ended:
            out, err = capsys.readouterr()
            fault = fault_of(ended.code, err) or ("a traceback" if "Traceback" in out else "")
        except Exception as error:
            _, err = capsys.readouterr()
            fault = f"raised {error!r:.200}"
        if fault:
            faults.append(f"{[word[:60] for word in line]}: {fault}: {err[-300:]!r}")
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:60])
