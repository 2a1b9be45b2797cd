"""What is printed where a terminal can do less, and what is said while somebody waits."""

import io
import sys

import pytest

from kakomi.cli.shared import output
from kakomi.cli.shared.output import has_blocks, patient_progress, show


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error is a terminal at which nobody has any patience."""
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setattr(output, "PATIENCE_SECONDS", 0.0)


@pytest.mark.parametrize(
    ("encoding", "printed", "blocks"),
    [
        ("utf-8", "50 ± 2 → Öhm … ▘", True),
        ("latin-1", "50 +- 2 -> Öhm ... ?", False),
        ("ascii", "50 +- 2 -> ?hm ... ?", False),
    ],
)
def test_what_an_encoding_lacks_is_replaced(
    encoding: str, printed: str, blocks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(there, encoding))
    show("50 ± 2 → Öhm … ▘")
    assert has_blocks() == blocks
    sys.stdout.flush()
    assert there.getvalue().decode(encoding).rstrip("\n") == printed


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
