"""Output on limited terminals, and progress messages."""

import io
import sys
from pathlib import Path

import pytest

from kakomi.cli.main import main
from kakomi.cli.shared import output
from kakomi.cli.shared.output import has_blocks, patient_progress, prepare_streams

RIN = Path(__file__).resolve().parent.parent / "records" / "golden" / "rin.json"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make standard error a terminal at which progress is shown immediately."""
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setattr(output, "PATIENCE_SECONDS", 0.0)


@pytest.mark.parametrize(
    ("encoding", "printed", "blocks"),
    [
        ("utf-8", "50 ± 2 → Öhm … ▘", True),
        ("latin-1", "50 ± 2 -> Öhm ... ?", False),
        ("ascii", "50 +- 2 -> ?hm ... ?", False),
    ],
)
def test_what_an_encoding_lacks_is_replaced(
    encoding: str, printed: str, blocks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(there, encoding))
    prepare_streams()
    print("50 ± 2 → Öhm … ▘")
    assert has_blocks() == blocks
    sys.stdout.flush()
    assert there.getvalue().decode(encoding).rstrip("\n") == printed


@pytest.mark.parametrize("encoding", ["cp1252", "gbk"])
@pytest.mark.parametrize("args", [["rules", "rin"], ["games"], ["show", str(RIN)], ["play", "lin", "--help"]])
def test_any_command_prints_in_any_encoding(
    args: list[str], encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = {name: io.TextIOWrapper(io.BytesIO(), encoding) for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    with pytest.raises(SystemExit) as ended:
        main(args)
    assert ended.value.code == 0
    printed = streams["stdout"].buffer
    assert isinstance(printed, io.BytesIO) and len(printed.getvalue().decode(encoding)) > 100


def test_an_error_message_may_hold_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(there := io.BytesIO(), "cp1252"))
    with pytest.raises(SystemExit) as ended:
        main(["rules", "囲み"])
    sys.stderr.flush()
    assert ended.value.code == 2
    assert there.getvalue().decode("cp1252").startswith("kakomi: there is no game '??'; the games are lin, ")


def test_streams_that_were_closed_take_and_give_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under pythonw, or after `kakomi rules rings >&-`."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    with pytest.raises(SystemExit) as ended:
        main(["rules", "rings"])
    assert ended.value.code == 0
    assert sys.stdin.read() == ""
    for name in ("stdin", "stdout", "stderr"):
        getattr(sys, name).close()


def test_what_takes_long_is_told_once_where_nothing_can_be_drawn(
    terminal: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with patient_progress("Searching") as tell:
        tell(0.1, "rin")
        tell(0.9, "rin")
    assert capsys.readouterr().err == "Searching …\n"


def test_a_bar_shows_how_far_it_is(
    terminal: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich draws into the test's buffer
    with patient_progress("Searching") as tell:
        tell(0.25, "rin")
    told = capsys.readouterr().err
    assert "Searching" in told and "25 %" in told and "rin" in told


def test_a_game_that_cant_be_loaded_is_named_and_the_others_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from kakomi import catalog
    from kakomi.cli.shared.parameters import all_descriptions

    found = {**catalog._modules(), "broken": "kakomi_no_such_package"}
    monkeypatch.setattr(catalog, "_modules", lambda: found)
    assert [description.name for description in all_descriptions()] == [n for n in found if n != "broken"]
    told = capsys.readouterr().err
    assert told.startswith("kakomi: the game 'broken' can't be loaded: ") and told.count("\n") == 1
    assert "kakomi_no_such_package" in told
