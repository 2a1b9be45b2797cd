"""The program as a whole, and the commands that finish at once."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import kakomi
from kakomi import catalog
from kakomi.catalog import describe
from kakomi.cli.main import SECTIONS, main
from kakomi.cli.main import kakomi as program
from kakomi.cli.shared import parameters
from kakomi.cli.study import study
from kakomi.core import Option
from kakomi.kernel import use_mode

COMMANDS = sorted(program.list_commands(None))  # type: ignore[arg-type]
PERFT = json.loads((Path(__file__).parent.parent / "reference" / "perft.json").read_text())


class Outcome:
    """The outcome of a run of the program: its exit code and outputs."""

    def __init__(self, code: object, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def is_one_line_of_error(self, code: int) -> bool:
        return self.code == code and self.err.startswith("kakomi: ") and self.err.count("\n") == 1


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Runs the program in this process."""

    def run_program(*args: object) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        return Outcome(ended.value.code, *capsys.readouterr())

    return run_program


def program_in_shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command in which `kakomi` is the program."""
    script = f'kakomi() {{ "{sys.executable}" -m kakomi "$@"; }}; {command}'
    return subprocess.run(
        ["bash", "-c", script], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )


def without_announcements(text: str) -> str:
    """The output without messages about compiling."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("Compiling "))


def test_the_commands_are_found() -> None:
    assert {"cache", "games", "perft", "play", "rules", "warm"} <= set(COMMANDS)
    assert set(study.commands) == {"openings", "seats", "blunders", "komi", "exercises", "puzzles"}


def test_every_command_has_one_place_in_the_help(run) -> None:  # type: ignore[no-untyped-def]
    assert sorted(name for names in SECTIONS.values() for name in names) == COMMANDS
    lines = run("--help").out.splitlines()
    for heading, names in SECTIONS.items():
        at = lines.index(f"{heading}:")
        assert [line.split()[0] for line in lines[at + 1 : at + 1 + len(names)]] == list(names)


@pytest.mark.parametrize(
    "command",
    [
        *[[], *([name] for name in COMMANDS), ["cache", "info"], ["cache", "clear"]],
        *(["study", name] for name in study.commands),
    ],
)
def test_every_command_helps(command: list[str], run) -> None:  # type: ignore[no-untyped-def]
    outcome = run(*command, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith("Usage: kakomi")
    assert "Examples:" in outcome.out or command[:1] == ["cache"]


@pytest.mark.parametrize(
    "command",
    [
        *[[], ["play", "lin"], ["cache", "info"], ["staff", "add"], *([name] for name in COMMANDS)],
        *(["study", name] for name in study.commands),
    ],
)
def test_help_fits_a_narrow_terminal(command: list[str], run, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "40")
    lines = run(*command, "--help").out.splitlines()
    assert len(lines) > 5 and [line for line in lines if len(line) > 40] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device here")
def test_puzzles_that_never_end_are_refused(run) -> None:  # type: ignore[no-untyped-def]
    refused = run("study", "puzzles", "rin", "--check", "/dev/full")
    assert refused.is_one_line_of_error(1) and "/dev/full: line 1: no puzzle has more than" in refused.err


def test_without_arguments_it_helps(run) -> None:  # type: ignore[no-untyped-def]
    assert run().out == run("--help").out


@pytest.mark.parametrize("args", [["--help"], ["--version"]])
def test_help_loads_nothing_heavy(args: list[str]) -> None:
    code = (
        "import sys; from kakomi.cli.main import main\n"
        f"try: main({args})\nexcept SystemExit: pass\n"
        "print(sorted({'numpy', 'numba', 'rich', 'msgspec', 'kakomi.core'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", kakomi.names())
def test_a_games_own_options_are_in_its_help(name: str, run) -> None:  # type: ignore[no-untyped-def]
    helped = run("play", name, "--help").out
    for option in describe(name).options:
        assert f"--{option.name.replace('_', '-')}" in helped


def test_an_option_named_like_a_parameter_of_a_command_is_another_one(
    run,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`depth` is an argument of `kakomi perft`, and `json` one of its options."""
    small, given = catalog.game("rin", size=4), list[dict[str, int]]()

    def chosen(name: str, **options: int) -> kakomi.Game:
        given.append(options)
        return small

    monkeypatch.setattr(catalog, "game", chosen)
    clashing = [Option(name, "a clash", 0, range(9)) for name in ("depth", "json")]
    monkeypatch.setattr(parameters, "_options_of_game_in", lambda args, is_usual: clashing)
    assert run("perft", "rin", 2).out == "240\n"
    assert run("perft", "rin", 2, "--depth", 3, "-o", "json=2").out == "240\n"
    assert given == [{}, {"depth": 3, "json": 2}]


def test_games_are_listed_with_authors(run) -> None:  # type: ignore[no-untyped-def]
    listed = run("games").out
    for name in kakomi.names():
        assert describe(name).author in listed
        assert describe(name).summary in listed
    data = json.loads(run("games", "--json").out)
    assert [game["name"] for game in data] == kakomi.names()
    sizes = {game["name"]: game["options"][0]["allowed"] for game in data}
    assert sizes["rin"] == list(range(4, 19, 2))


@pytest.mark.parametrize("name", kakomi.names())
def test_rules_go_into_pipes_as_they_are_written(name: str, run) -> None:  # type: ignore[no-untyped-def]
    assert run("rules", name).out.rstrip("\n") == describe(name).rules_text.rstrip("\n")


def short_rows() -> list[dict]:
    """The quick counts of every game from the start and from some positions."""
    rows = [row for row in PERFT if row["game"] in kakomi.names() and row["count"] < 300_000]
    return [row for row in rows if len(row["prefix"]) < 60][::4]


@pytest.mark.parametrize("row", short_rows(), ids=lambda row: f"{row['game']}-{row['count']}")
def test_perft_agrees_with_the_references(row: dict, run) -> None:  # type: ignore[no-untyped-def]
    options = [text for name, value in row["options"].items() for text in ("-o", f"{name}={value}")]
    with use_mode("compiled"):
        start = "--from", " ".join(row["prefix"])
        outcome = run("perft", row["game"], row["depth"], *options, *start, "--json")
    assert json.loads(outcome.out)["count"] == row["count"]


def test_bench_measures_a_game(run) -> None:  # type: ignore[no-untyped-def]
    small = ("bench", "rive", "--size", 2, "--seconds", 0.1)
    (speed,) = json.loads(run(*small, "--json").out)
    assert (speed["game"], speed["options"]) == ("rive", {"size": 2})
    assert speed["playouts_per_s"] > 0 and speed["simulations_per_s"] > 0 and 7 <= speed["mean_plies"] <= 30
    lines = run(*small).out.splitlines()
    assert lines[0].split()[:3] == ["game", "playouts/s", "plies"] and lines[1].startswith("rive 2 ")


def test_perft_prints_a_number(run) -> None:  # type: ignore[no-untyped-def]
    assert run("perft", "rin", 2, "--size", 4).out == "240\n"
    assert run("perft", "rin", 0, "--size", 4).out == "1\n"
    assert run("perft", "rin", 17, "--size", 4, "--from", "0,0 0,1 0,2 0,3 1,0 1,1 1,2 1,3").out == "0\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["gmaes"], "gmaes"),
        (["rules"], "GAME"),
        (["rules", "chess"], "there is no game 'chess'; the games are lin, "),
        (["rules", "rinn"], "did you mean rin"),
        (["perft", "rin"], "DEPTH"),
        (["perft", "rin", "-1"], "-1"),
        (["perft", "rin", "x"], "x"),
        (["perft", "rin", "1", "--size", "7"], "choose 4 to 18, even"),
        (["perft", "rin", "1", "--size", "eight"], "choose 4 to 18, even"),
        (["perft", "rin", "1", "--size", "9" * 400], "choose 4 to 18, even"),
        (["perft", "rin", "1", "--size", "9" * 5000], "choose 4 to 18, even"),
        (["perft", "rin", "1", "-o", "size=" + "9" * 5000], "choose 4 to 18, even"),
        (["bench", "rin", "rive", "--size", "8"], "name exactly one GAME to use its options"),
        (["bench", "rin", "--seconds", "nan"], "nan is not a finite number"),
        (["analyse", "pyproject.toml", "--turns", "9" * 5000], "should look like 12-30"),
        (["bench", "rin", "--seed", "9" * 5000], "--seed"),
        (["solve", "rin", "--size", "4", "--seconds", "inf"], "inf is not a finite number"),
        (["play", "rin", "--bot", "time:nan"], "it must be a number, 0 or more"),
        (["serve", "--host", "\u202e"], "isn't an address"),
        (["perft", "rin", "1", "--size", "4", "--position", "4/4"], "--position: "),
        (["solve", "rin", "--size", "4", "--position", "4/1b2/4/4 z"], "'z' isn't a player"),
        (["play", "rin", "--size", "4", "--position", ""], "isn't a position"),
        (["play", "--position", "4/4/4/4 b"], "--position needs a GAME"),
        (["show", "--position", "4/4/4/4 b"], "--position needs --game NAME"),
        (["show"], "name either a FILE with a game, or --position TEXT"),
        (["analyse"], "name either a FILE with a game, or --position TEXT"),
        (["perft", "rin", "1", "--komi", "7"], "no option --komi; the game's options are --size"),
        (["perft", "rin", "1", "-o", "size"], "should look like size=8"),
        (["perft", "rin", "1", "-o", "colour=1"], "no option 'colour'"),
        (["perft", "rin", "1", "--from", "0,0 0,0"], "--from, action 2: 0,0 can't be played"),
        (["perft", "rin", "1", "--from", "(" * 5000], "isn't an action in Rin"),
        (["warm", "chess"], "no game"),
        (["cache", "burn"], "burn"),
        (["play", "rin", "--bot", "11"], "rin has no level 11; it has levels 1 to 10"),
        (["learn", "rin", "--patterns", "--mix", "1"], "--mix has no effect with --patterns"),
        (["play", "rin", "--human", "--bot", "3"], "use either --human or --bot, not both"),
        (["play", "rin", "--as", "red"], "choose 0 (Black), 1 (White)"),
        (["play", "rin", "--seat", "2=human"], "no seat 2"),
        (["play", "rin", "--seat", "me"], "should look like 0=human"),
        (["play", "rin", "--bot", "time:0"], "needs a limit above 0"),
        (["play", "rin", "--continue"], "--continue takes neither GAME nor --load"),
        (["play", "rings", "--players", "3", "--swap"], "two players only"),
    ],
)
def test_wrong_usage_is_one_line_and_two(args: list[str], message: str, run) -> None:  # type: ignore[no-untyped-def]
    outcome = run(*args)
    assert outcome.is_one_line_of_error(2), outcome.err
    assert message in outcome.err
    assert len(outcome.err) < 400
    assert outcome.out == ""


def test_other_failures_are_one_line_and_one(run, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    nowhere, broken = tmp_path / "nowhere.json", tmp_path / "broken.json"
    broken.write_text("[" * 100_000)
    for args in (["--load", nowhere], ["--load", broken], ["--load", tmp_path], ["--continue"]):
        assert run("play", *args).is_one_line_of_error(1), args


def test_a_wrong_kernel_mode_is_said_plainly() -> None:
    done = program_in_shell("kakomi games", KAKOMI_KERNEL="fast")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "'fast'" in done.stderr


def test_a_closed_output_is_quiet() -> None:
    done = program_in_shell("kakomi games >&- && kakomi rules rings >&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_while_the_program_is_loaded_is_quiet() -> None:
    code = (
        "import os, signal, sys\n"
        "class Loading:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Loading())\n"
        "from kakomi.__main__ import program; program()"
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_a_full_disk_is_one_line() -> None:
    done = program_in_shell("kakomi games > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "kakomi: No space left on device\n"
