"""Games that are abandoned, autosaved, saved and loaded."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import kakomi
from cli.terminal import Terminal
from kakomi import records
from kakomi.cli.playing.autosave import Autosave
from kakomi.session import Match, MatchConfig, Seat


@pytest.mark.parametrize("how", ["quit", "end of input", "interrupt", "killed"])
def test_a_game_that_is_left_goes_on(how: str, play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--bot", "1", "--seed", "1")
    terminal.prompted()
    terminal.type("0,0")
    terminal.type("undo")
    terminal.type("0,1")
    board = terminal.type("board").partition("\n")[2]
    match how:
        case "quit":
            terminal.child.sendline("quit")
        case "end of input":
            terminal.end_input()
        case "interrupt":
            terminal.interrupt()
        case "killed":
            terminal.kill()
    last, code = terminal.ended()
    if how != "killed":
        assert "Resume it with `kakomi play --continue`" in " ".join(last.split())
        assert code == (130 if how == "interrupt" else 0)
    assert "Traceback" not in last
    again = play("--continue")
    assert board.split("Black plays")[0].split("White plays")[0].split() == (
        again.prompted().split("Black plays")[0].split("White plays")[0].split()
    )
    assert "(X)" in board or " X " in board


def test_an_unfinished_game_is_offered_until_it_is_over(piped: Callable[..., Result]) -> None:
    piped("0,0\n", "rin", "--size", "4", "--human")
    assert "You have an unfinished game of Rin" in piped("", "ren", "--size", "4").stdout
    assert "c  Continue your unfinished game: Rin" in piped("").stdout
    assert "So far in this turn: 1,1." in piped("1,1\nresign\n", "--continue").stdout
    assert "unfinished" not in piped("", "ren", "--size", "4").stdout
    assert piped("", "--continue").exit_code == 1


def test_another_game_is_kept_beside_the_first(piped: Callable[..., Result], tmp_path: Path) -> None:
    piped("0,0\nresign\nagain\n1,1\n", "rin", "--size", "4", "--human")
    assert len(list((tmp_path / "state" / "kakomi" / "games").iterdir())) == 2
    assert "Black plays 1,1." in piped("", "--continue").stdout


def test_two_terminals_dont_share_a_game(play: Callable[..., Terminal]) -> None:
    terminal = play("rin", "--size", "4", "--human")
    terminal.prompted()
    terminal.type("0,0")
    assert "no unfinished game" in play("--continue").ended()[0]


def test_a_state_folder_that_cannot_be_written_is_said_once(
    piped: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("not a folder")
    done = piped("0,0\n1,1\n2,2\n", "rin", "--size", "4", "--human")
    assert done.exit_code == 0
    assert done.stderr.count("can't be saved") == 1
    assert "White plays 1,1 2,2." in done.stdout


def test_a_disk_that_fills_up_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warnings: list[str] = []
    autosave = Autosave(warnings.append)
    monkeypatch.setattr("kakomi.cli.playing.autosave._new_path", lambda match: Path("/dev/full"))
    match = Match.begun(MatchConfig(kakomi.game("rin", size=4)), [Seat(), Seat()])
    for action in ("0,0", "1,1", "2,2"):
        match = match.play(match.to_act or 0, action)
        autosave.save(match)
    autosave.release()
    assert len(warnings) == 1
    assert "No space left on device" in warnings[0]


def test_a_game_cut_off_in_the_middle_of_a_line_goes_on(piped: Callable[..., Result], tmp_path: Path) -> None:
    piped("0,0\n1,1\n", "rin", "--size", "4", "--human")
    (kept,) = (tmp_path / "state" / "kakomi" / "games").iterdir()
    kept.write_text(kept.read_text() + '{"seat": 1, "do"')
    assert "White plays 1,1 2,2." in piped("2,2\n", "--continue").stdout
    assert "White plays 1,1 2,2." in piped("", "--continue").stdout


@pytest.mark.parametrize(
    "content", ["", "{}\n", "[1]\n", "null\n", "\x00\n", '{"kakomi_match": 1}\n', "[" * 100_000 + "\n"]
)
def test_kept_files_that_make_no_sense_are_passed_over(
    content: str, piped: Callable[..., Result], tmp_path: Path
) -> None:
    folder = tmp_path / "state" / "kakomi" / "games"
    folder.mkdir(parents=True)
    (folder / "broken.jsonl").write_text(content)
    done = piped("", "--continue")
    assert done.exit_code == 1
    assert "there is no unfinished game to resume" in done.stderr


def test_files_are_not_overwritten_unasked(piped: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "precious.json").write_text("precious")
    lines = (
        "save precious.json\nsave nowhere/game.json\nsave\nsave game.xyz\nload missing.json\nsave game.sgf\n"
    )
    done = piped(lines, "rin", "--size", "4", "--human")
    assert (tmp_path / "precious.json").read_text() == "precious"
    for message in ("already exists", "nowhere/game.json: No", "Which file?", "xyz", "missing.json: No"):
        assert message in done.stdout
    assert records.load(tmp_path / "game.sgf", kakomi.game).game == "rin"
    piped("0,0\nsave ! precious.json\n", "rin", "--size", "4", "--human")
    assert len(records.load(tmp_path / "precious.json", kakomi.game).turns) == 1


def test_play_goes_on_from_a_record(piped: Callable[..., Result]) -> None:
    piped("0,0\nsave game.json\n", "rin", "--size", "4", "--human")
    assert "So far in this turn: 1,1." in piped("1,1\n", "--load", "game.json", "--human").stdout
