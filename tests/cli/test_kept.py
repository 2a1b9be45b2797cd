"""What long commands report and save when the disk is full or Ctrl-C ends them."""

import errno
import json
import signal
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from click import ClickException
from click.testing import CliRunner, Result
from django.db import OperationalError

import kakomi
from kakomi import records
from kakomi.cli.main import kakomi as program
from kakomi.cli.playing import autosave
from kakomi.cli.site import opened_site
from kakomi.session import Match, MatchConfig, Seat

RIN = Path(__file__).resolve().parent.parent / "records" / "golden" / "rin.json"
SOLVE = ("solve", "rive", "--size", "2")


@pytest.fixture(autouse=True)
def usual_ctrl_c() -> Iterator[None]:
    """Python's default handler for Ctrl-C, wherever the tests run."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(program, [str(arg) for arg in args])


def full(path: object = None) -> OSError:
    return OSError(errno.ENOSPC, "No space left on device", path and str(path))


def fails(error: BaseException) -> Callable[..., Any]:
    def fail(*args: object, **options: object) -> Any:
        raise error

    return fail


def presses_ctrl_c(*args: object, **options: object) -> Any:
    signal.raise_signal(signal.SIGINT)


def test_a_value_is_told_before_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    monkeypatch.setattr("kakomi.solve.checkpoint.replacing", fails(full(work)))
    done = run(*SOLVE, "--resume", work)
    assert done.stdout.startswith("Black: win, margin +1\nLine: ")
    assert isinstance(done.exception, OSError) and done.exception.filename == str(work)


def test_a_search_goes_on_where_there_is_no_room_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kakomi.solve import checkpoint

    work, save, tries = tmp_path / "work", checkpoint.save, []

    def save_at_last(solver: Any, path: Path) -> None:
        tries.append(solver.is_done)
        if not solver.is_done:
            raise full(path)
        save(solver, path)

    monkeypatch.setattr("kakomi.solve.checkpoint.save", save_at_last)
    monkeypatch.setattr("kakomi.cli.solve.SAVE_SECONDS", -1.0)
    monkeypatch.setattr("kakomi.solve.solver.SLICE", 50)
    done = run(*SOLVE, "--resume", work)
    assert done.exit_code == 0 and done.stdout.startswith("Black: win, margin +1")
    assert f"kakomi: can't save to {work} (No space left on device)" in done.stderr
    assert tries[0] is False and tries[-1] is True and work.exists()


@pytest.mark.parametrize(("more", "kept"), [(["--resume", "work"], "saved in work"), ([], "nothing")])
def test_ctrl_c_tells_what_is_solved_and_what_is_kept(
    more: list[str], kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("kakomi.solve.solver.SLICE", 50)
    monkeypatch.setattr("kakomi.cli.solve._words", lambda progress: presses_ctrl_c() or "")
    stopped = CliRunner().invoke(program, [*SOLVE, *more], standalone_mode=False)
    assert stopped.return_value == 130
    assert "not solved yet" in stopped.stdout
    assert f"kakomi: stopped; {kept}" in stopped.stderr and "Traceback" not in stopped.stderr
    assert Path("work").exists() == bool(more)


def test_an_analysis_is_told_although_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "annotated.json"
    monkeypatch.setattr(records, "save", fails(full(out)))
    done = run(
        "analyse", RIN, "--simulations", "20", "--threads", "1", "--turns", "1-2", "--out", out, "--json"
    )
    assert len(json.loads(done.stdout)) > 0
    assert isinstance(done.exception, OSError) and done.exception.filename == str(out)


@pytest.mark.parametrize(
    ("args", "work", "kept"),
    [
        (["perft", "rin", "2", "--size", "4"], "kakomi.study.perft.perft", "nothing was saved"),
        (["bench", "rin"], "kakomi.cli.bench._measured", "nothing was saved"),
        (["warm", "rin"], "kakomi.cli.compiled._warm", "the code compiled so far is saved"),
        (["backup"], "kakomi.cli.site.opened_site", "no backup was written"),
        (["restore", str(RIN), "--yes"], "kakomi.cli.site.opened_site", "nothing was changed"),
        (
            ["report", "rin", "--size", "4"],
            "kakomi.cli.shared.played_report.plan_for",
            "finished games are saved",
        ),
        (["study", "openings", "rin"], "kakomi.study.openings.OpeningStudy.run", "nothing was saved"),
    ],
)
def test_a_command_that_is_stopped_says_what_is_kept(
    args: list[str], work: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(work, presses_ctrl_c)
    stopped = run(*args)
    assert stopped.exit_code == 1 and stopped.stdout == "", "Click's own runner makes 1 of it"
    (line,) = [line for line in stopped.stderr.splitlines() if line.startswith("kakomi: ")]
    assert line.startswith(f"kakomi: stopped; {kept}")


def test_a_database_without_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.running.prepare_database", lambda: None)
    with (
        pytest.raises(ClickException, match=r"^the database \S+ can't be used: database or disk is full$"),
        opened_site(prepare=True),
    ):
        raise OperationalError("database or disk is full")


class FullNow(FileIO):
    """A file on a disk that is full as long as `is_full` is true."""

    is_full = False

    def write(self, data: Any) -> int:
        if FullNow.is_full:
            super().write(bytes(data)[:3])
            raise full()
        return super().write(data)


def test_a_game_is_kept_again_once_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "FileIO", FullNow)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    warnings: list[str] = []
    saving = autosave.Autosave(warnings.append)
    match = Match.begun(MatchConfig(kakomi.game("rin", size=4)), [Seat(), Seat()])
    behind = []
    for number, action in enumerate(("0,0", "1,1", "2,2", "3,3", "0,1")):
        monkeypatch.setattr(FullNow, "is_full", number in (0, 2, 3))
        match = match.play(match.to_act or 0, action)
        saving.save(match)
        behind.append(saving.is_behind)
    saving.release()
    assert behind == [True, False, True, True, False] and len(warnings) == 1
    kept = autosave.newest_unfinished()
    assert kept and [str(event) for event in kept.match.events] == [str(event) for event in match.events]


def test_a_game_that_could_not_be_kept_is_not_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "FileIO", FullNow)
    monkeypatch.setattr(FullNow, "is_full", True)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    done = CliRunner().invoke(program, ["play", "rin", "--size", "4", "--human"], input="0,0\n1,1\n")
    assert done.exit_code == 0
    assert "Game saved in" not in done.stdout
    assert done.stderr.count("No space left on device") == 1
    assert "kakomi: this game couldn't be saved" in done.stderr
    assert list((tmp_path / "kakomi" / "games").iterdir()) == []


def test_a_game_without_a_home_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "games_folder", fails(FileNotFoundError(errno.ENOENT, "there is no home")))
    done = CliRunner().invoke(program, ["play", "rin", "--size", "4", "--human"], input="0,0\n1,1\n")
    assert done.exit_code == 0
    assert "kakomi: this game can't be saved (there is no home); you can play on" in done.stderr
