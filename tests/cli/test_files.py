"""`kakomi show`, `convert` and `replay`, on files and pipes."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner, Result
from PIL import Image

import kakomi
from kakomi import records
from kakomi.cli.main import kakomi as program

GOLDEN = Path(__file__).resolve().parent.parent / "records" / "golden"
RIN = GOLDEN / "rin.json"
POINTS = "4/4/4/4 b"
FOREIGN = b"(;GM[1]FF[4]SZ[7]PB[Ann];B[ag];W[gg])"


def run(*args: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(program, [str(arg) for arg in args], input=stdin)


def output(*args: str | Path, stdin: bytes | None = None) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*args: str | Path, stdin: bytes | None = None, code: int) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == code and not result.stdout
    return result.stderr


def process(*args: str | Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "kakomi", *map(str, args)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )


def environment() -> dict[str, str]:
    source = str(Path(kakomi.__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": source, "TERM": "xterm", "COLUMNS": "100"}


def without_announcements(said: bytes) -> str:
    """Standard error without the messages about compiling of a first run."""
    lines = said.decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("Compiling"))


every_golden = pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.name)


# show


def test_show_tells_about_the_game_and_draws_its_end() -> None:
    shown = output("show", RIN)
    record = records.load(RIN, kakomi.game)
    end = records.position_after(record, records.game_of(record, kakomi.game))
    for line in (
        "Rin · size 6",
        "Black: Ann · White: level 4",
        "Example [with \\ brackets] · 2026-01-31",
        "After turn 6 of 6 (White 0,0): Black 5, White 5",
        "Black wins by resignation",
        "White resigns before the second stone.",
    ):
        assert line in shown.splitlines()
    assert shown.endswith(f"{end.text()}\n")


def test_show_goes_to_any_turn_variations_included() -> None:
    assert "Start of 6 turns: Black 0, White 0\nBlack to move: place one stone" in output(
        "show", RIN, "--turn", "0"
    )
    branching = output("show", RIN, "--turn", "3")
    assert "Variations here: turn 7" in branching
    assert "[2,1] would close a ring round 2,2." in branching
    variation = output("show", RIN, "--turn", "8")
    assert "Turn 8, in a variation from turn 3 (Black 2,1 0,3): Black 6, White 4" in variation


def test_show_tells_what_was_agreed() -> None:
    assert "White named a komi of 4, and the other player chose Black" in output("show", GOLDEN / "lin.json")
    assert "Game 2 of 2; points before it: Black 7, White 12" in output("show", GOLDEN / "ren.json")


def test_a_position_goes_out_as_a_line_and_comes_in_again() -> None:
    line = output("show", RIN, "--turn", "3", "--one-line").strip()
    given = ["--game", "rin", "--size", "6", "--position", line]
    assert output("show", *given, "--one-line").strip() == line
    drawing = output("show", *given)
    assert drawing.startswith("Rin · size 6\n\nBlack ")
    board = output("show", RIN, "--turn", "3").rpartition("\n\n   0 1")[0].rpartition("\n\n")[2]
    plain = board.replace("(", " ").replace(")", " ")
    assert plain.split() == drawing.rpartition("\n\n   0 1")[0].rpartition("\n\n")[2].split()
    assert json.loads(output("show", *given, "--json"))["position"] == line
    assert output("show", *given, "--svg").startswith("<svg")


def test_analyse_searches_a_position() -> None:
    game = ["--game", "rin", "--size", "4", "--playouts", "0"]
    given = [*game, "--position", "4/1b2/4/4 w left_in_turn=2"]
    said = output("analyse", *given, "--simulations", "200")
    assert "White to move: place the first of two stones" in said
    assert "Win chances after 200 simulations: Black " in said
    found = json.loads(output("analyse", *given, "--simulations", "200", "--json"))
    assert found["simulations"] == 200 and found["to_move"] == 1 and found["position"] == given[-1]
    assert "need a FILE" in refusal("analyse", *given, "--turns", "1", code=2)
    over = [*given[:-1], "bbbb/bbbb/bbbb/bbbb b"]
    assert "the game is over, there is nothing to analyse" in refusal("analyse", *over, code=2)
    decided = [*given[:-1], "bbbb/bbbb/bbbb/bbb1 b"]
    assert "This is proven." in output("analyse", *decided)


def test_perft_and_solve_begin_at_a_position() -> None:
    rin = ["rin", "--size", "4"]
    position = ["--position", "4/1b2/4/4 w left_in_turn=2"]
    assert output("perft", *rin, *position, "1") == output("perft", *rin, "--from", "1,1", "1")
    late = ["--size", "4", "--from", "0,0 0,1 0,2 0,3 1,0 1,1 1,2 1,3", "--json"]
    there = json.loads(output("solve", "rin", *late))
    line = kakomi.game("rin", size=4).start()
    for text in there["from"]:
        line = line.play(text)
    same = json.loads(output("solve", "rin", "--size", "4", "--position", str(line), "--json"))
    assert same["value"] == there["value"] and same["position"] == str(line)


def test_show_prints_the_position_as_data() -> None:
    data = json.loads(output("show", RIN, "--turn", "1", "--json"))
    assert data == {
        "game": "rin",
        "options": {"size": 6},
        "turn": 1,
        "turns": 10,
        "player": 0,
        "actions": ["1,2"],
        "comment": "",
        "position": "6/2b3/6/6/6/6 w left_in_turn=2",
        "to_move": 1,
        "stones": {"1,2": 0},
        "scores": [1, 0],
        "contested": 0,
    }


@every_golden
def test_show_reads_files_and_pipes_of_every_game(path: Path) -> None:
    assert output("show", path) == output("show", "-", stdin=path.read_bytes())
    assert ET.fromstring(output("show", path, "--svg")).tag.endswith("svg")


def test_show_draws_overlays_and_themes() -> None:
    assert output("show", RIN, "--overlay", "immune") != output("show", RIN)
    assert output("show", RIN, "--svg", "--theme", "dark") != output("show", RIN, "--svg", "--theme", "light")


@pytest.mark.parametrize(
    ("args", "stdin", "code", "message"),
    [
        (["show", RIN, "--turn", "11"], None, 2, "--turn: the game has 10 turns"),
        (["show", RIN, "--turn", "-1"], None, 2, "--turn"),
        (["show", RIN, "--overlay", "glow"], None, 2, "rin has no overlay 'glow'; it has: alive, immune"),
        (["show", RIN, "--theme", "pink"], None, 2, "'pink' is not one of 'auto', 'light', 'dark'"),
        (["show", "nowhere.json"], None, 2, "'nowhere.json': No such file or directory"),
        (["show", "-"], b"", 1, "the file is empty"),
        (["show", "-"], b"[" * 1000, 1, "not a game record"),
        (["show", "-"], FOREIGN, 1, "doesn't say which game it is: name the game with --game NAME"),
        (["convert", "-", "x.json"], FOREIGN, 1, "name the game with --game NAME"),
        (["show", "--game", "rin", "--position", POINTS, "--turn", "1"], None, 2, "--turn needs a FILE"),
        (["show", "--game", "rin", "--size", "7", "--position", POINTS], None, 2, "size 7 isn't possible"),
        (["show", RIN, "--position", "4/4/4/4 b"], None, 2, "name either a FILE with a game, or --position"),
        (["show", "-", "--game", "go"], FOREIGN, 2, "there is no game 'go'"),
        (
            ["show", "-", "--game", "lin", "--line", "9"],
            FOREIGN,
            1,
            "line 9 isn't possible in lin with size 7",
        ),
        (["replay", "-"], b"(;KAKOMI[", 1, "invalid SGF"),
        (["replay", RIN, "--delay", "-1"], None, 2, "--delay"),
        (["convert", RIN, "-"], None, 2, "add --to json, sgf, svg, png, gif, txt"),
        (["convert", RIN, "game.doc"], None, 2, "OUT's name doesn't say the format"),
        (["convert", GOLDEN / "rings.json", "-", "--to", "sgf"], None, 1, "Rings can't be saved as SGF"),
    ],
)
def test_what_cannot_be_done_is_said(args: list, stdin: bytes | None, code: int, message: str) -> None:
    said = refusal(*args, stdin=stdin, code=code)
    assert message in said and "Traceback" not in said


def test_an_illegal_record_is_refused_with_the_turn_and_the_reason() -> None:
    illegal = RIN.read_bytes().replace(b'"4,3", "4,4"', b'"1,2", "4,4"')
    assert "<stdin>: turn 2 (White): 1,2 can't be played" in refusal("show", "-", stdin=illegal, code=1)


# convert


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.sgf")), ids=lambda path: path.stem)
def test_convert_goes_there_and_back(path: Path, tmp_path: Path) -> None:
    there, back = tmp_path / "there.json", tmp_path / "back.sgf"
    output("convert", path, there)
    output("convert", there, back)
    assert there.read_bytes() == path.with_suffix(".json").read_bytes()
    assert records.load(back, kakomi.game) == records.load(path, kakomi.game)


def test_convert_works_between_pipes_and_draws(tmp_path: Path) -> None:
    assert output("convert", "-", "-", "--to", "json", stdin=RIN.read_bytes()) == RIN.read_text(
        encoding="utf-8"
    )
    output("convert", RIN, tmp_path / "end.svg")
    output("convert", RIN, tmp_path / "end.txt")
    assert (tmp_path / "end.svg").read_text(encoding="utf-8").strip() == output("show", RIN, "--svg").strip()
    assert output("show", RIN).endswith((tmp_path / "end.txt").read_text(encoding="utf-8"))


def test_convert_makes_pictures_and_films(tmp_path: Path) -> None:
    output("convert", RIN, tmp_path / "end.png")
    output("convert", RIN, tmp_path / "game.gif")
    with Image.open(tmp_path / "end.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 1000)
    with Image.open(tmp_path / "game.gif") as film:
        assert (film.format, getattr(film, "n_frames", 1)) == ("GIF", 7)  # the start and six turns


def test_convert_takes_files_of_other_programs() -> None:
    options = ["--game", "Lin", "--line", "4", "--komi", "6"]
    record = json.loads(output("convert", "-", "-", "--to", "json", *options, stdin=FOREIGN))
    assert record["options"] == {"size": 7, "line": 4, "komi": 6}
    assert [turn["actions"] for turn in record["turns"]] == [["a1"], ["g1"]]


def test_convert_leaves_the_old_file_when_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(b"precious")
    refusal("convert", "-", path, stdin=b"(;", code=1)
    assert path.read_bytes() == b"precious" and os.listdir(tmp_path) == ["old.json"]


# replay


@every_golden
def test_replay_into_a_pipe_prints_every_position(path: Path) -> None:
    record = records.load(path, kakomi.game)
    game = records.game_of(record, kakomi.game)
    replayed = output("replay", path)
    assert replayed.count("After turn ") == record.length
    for number, position in records.positions(record, game):
        if number <= record.length:
            assert position.text() in replayed


def test_replay_walks_at_a_terminal() -> None:
    child = pexpect.spawn(
        sys.executable, ["-m", "kakomi", "replay", str(RIN), "--step"], env=environment(), timeout=60
    )
    child.expect_exact("Start of 6 turns")
    for key, place in [
        (" ", "After turn 1"),
        ("\r", "After turn 2"),
        ("b", "After turn 1"),
        ("x", "After turn 2"),
    ]:
        child.send(key)
        child.expect_exact(place)
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_replay_runs_by_itself_to_the_end() -> None:
    shown, status = pexpect.run(
        f"{sys.executable} -m kakomi replay {RIN} --delay 0",
        env=environment(),
        withexitstatus=True,
        timeout=60,
    )
    assert status == 0 and b"After turn 6 of 6" in shown and b"\x1b[" in shown


# Pipes of the system


def test_nobody_reading_is_no_error() -> None:
    with process("replay", GOLDEN / "lin.json") as run:
        assert run.stdout and run.stderr
        run.stdout.readline()
        run.stdout.close()
        said = run.stderr.read()
    assert run.returncode == 141 and without_announcements(said) == ""


def test_a_hundred_megabytes_of_brackets_get_one_line() -> None:
    with process("show", "-") as run:
        out, said = run.communicate(b"[" * 100_000_000)
    assert run.returncode == 1 and out == b""
    assert said.decode() == "kakomi: <stdin>: the file is too large: at most 16 MiB\n"


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with process("convert", RIN, tmp_path / "nowhere" / "game.sgf") as run:
        _, said = run.communicate()
    assert run.returncode == 1
    path = tmp_path / "nowhere" / "game.sgf"
    assert without_announcements(said) == f"kakomi: {path}: No such file or directory\n"


@pytest.mark.parametrize("name", ["show", "convert", "replay"])
def test_help_teaches_with_examples(name: str) -> None:
    told = output(name, "--help")
    assert "Examples:" in told and f"kakomi {name} game.json" in told


def test_show_estimates_who_will_own_each_point() -> None:
    place = (
        "--game",
        "rive",
        "--size",
        "2",
        "--position",
        str(kakomi.game("rive", size=2).start().play("b2")),
    )
    text = output("show", *place, "--playouts", "30")
    assert "Leads at the end of 30 playouts: Black " in text and "Black to move" not in text
    svg = ET.fromstring(output("show", *place, "--playouts", "30", "--svg"))
    shades = [one for one in svg.iter() if "heat-" in one.get("class", "")]
    assert len(shades) == 7
    data = json.loads(output("show", *place, "--playouts", "30", "--json"))
    assert len(data["owner"]) == 7 and data["playouts"] == 30 and data["stones"] == {"b2": 0}
    assert "owner" not in json.loads(output("show", *place, "--json"))
    assert "at least" not in output("show", *place, "--playouts", "0", "--one-line")
