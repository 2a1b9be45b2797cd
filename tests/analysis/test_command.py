"""`kakomi analyse`."""

import json
import re
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kakomi
from kakomi import analysis as analysing
from kakomi import records
from kakomi.cli.main import kakomi as program
from kakomi.core import Game
from kakomi.records import Record

QUICK = ("--simulations", "100", "--turns", "12-13")


@pytest.fixture
def path(record: Record, game: Game, tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    records.save(record, game, file)
    return file


def run(*args: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(program, ["analyse", *map(str, args)], input=stdin)


def test_it_shows_the_game_the_plot_and_the_turning_points(path: Path) -> None:
    shown = run(path, *QUICK)
    assert shown.exit_code == 0, shown.output
    for words in (
        "Rive · size 3",
        "Black: Ann · White: level 2",
        "White wins after 27 turns",
        "b3??",
        "accuracy",
    ):
        assert words in shown.stdout
    assert re.search(r"\d b3: It cost about \d+ points? of the score", shown.stdout)
    assert "Black's win chance (%)" in shown.stdout and "\x1b" not in shown.stdout
    assert "100 simulations a position" in shown.stdout


@pytest.mark.parametrize("columns", [60, 80])
def test_it_fits_narrow_terminals(path: Path, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run(path, *QUICK).stdout
    laid_out = [line for line in shown.splitlines() if not re.search("simulations|It cost", line)]
    assert all(len(line) <= columns for line in laid_out)  # sentences wrap on a terminal alone


def test_it_writes_json_a_record_and_pictures(path: Path, tmp_path: Path) -> None:
    out, svg, png = tmp_path / "out.json", tmp_path / "plot.svg", tmp_path / "plot.png"
    shown = run(path, *QUICK, "--json", "--out", out, "--plot", svg)
    data = json.loads(shown.stdout)
    assert {entry["turn"] for entry in data} == {12, 13}
    assert "Blunder" in records.load(out, kakomi.game).turns[12].comment
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert run(path, "--simulations", 10, "--turns", 1, "--plot", png).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG")


def test_letters_are_drawn_in_a_png() -> None:
    from kakomi.draw.pixels import png

    drawn = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">{}</svg>'
    words = '<text x="5" y="20" style="font-family:Nowhere,serif">Win → 5 %</text>'
    assert png(drawn.format(words)) != png(drawn.format(""))


def test_without_the_libraries_for_plots_it_says_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uniplot", None)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    shown = run(path, "--simulations", 10, "--turns", "1")
    assert shown.exit_code == 0 and "pip install 'kakomi[plots]'" in shown.stderr
    refused = run(path, "--plot", path.parent / "plot.png")
    assert refused.exit_code == 1 and "pip install 'kakomi[images]'" in refused.stderr


def test_several_players_have_letters_and_a_legend(tmp_path: Path) -> None:
    game = kakomi.game("rings", size=2, players=3)
    file = tmp_path / "rings.json"
    records.save(records.recorded(game, game.start().legal()[:1]), game, file)
    shown = run(file, "--simulations", 20).stdout
    assert "XX Black   OO White   AA Red" in shown


def test_ctrl_c_shows_what_there_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = analysing.analyse

    def interrupted(*args: object, **options: object) -> analysing.Analysis:
        signal.raise_signal(signal.SIGINT)
        return whole(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(analysing, "analyse", interrupted)
    shown = run(path)
    assert shown.exit_code == 130 and "Stopped before the first action was analysed." in shown.stdout


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["--turns", "28"], 2, "the game has turns 1 to 27"),
        (["--turns", "9-3"], 2, "the game has turns 1 to 27"),
        (["--turns", "x"], 2, "'x' should look like 12-30, 12- or -30"),
        (["--simulations", "0"], 2, "--simulations"),
        (["--seconds", "0"], 2, "--seconds"),
        (["--plot", "plot.gif"], 2, "ends in .svg or .png"),
        (["--plot", "nowhere/plot.svg"], 1, "there is no folder nowhere"),
        (
            ["--out", "out.sgf"],
            1,
            "Rive can't be saved as SGF, which is for two players on a square board: use JSON",
        ),
        (["--out", "out.txt"], 1, "no record format is called 'txt'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_wishes_are_refused_before_any_work(path: Path, args: list[str], code: int, message: str) -> None:
    refused = run(path, *args)
    assert refused.exit_code == code and not refused.stdout
    assert message in " ".join(refused.stderr.split())


def test_a_record_without_turns_is_refused() -> None:
    refused = run("-", stdin=b'{"kakomi_record": 1, "game": "rin"}')
    assert refused.exit_code == 1 and "nothing to analyse" in refused.stderr


def test_a_position_has_likely_owners() -> None:
    place = ("--game", "rive", "--size", 2, "--position", str(kakomi.game("rive", size=2).start().play("b2")))
    shown = run(*place, "--simulations", 50, "--playouts", 40)
    assert shown.exit_code == 0, shown.output
    assert "Leads at the end of 40 playouts: Black " in shown.stdout and "Likely owners" in shown.stdout
    data = json.loads(run(*place, "--simulations", 50, "--playouts", 40, "--json").stdout)
    found = analysing.ownership(kakomi.game("rive", size=2).start().play("b2"), 40, seed=1)
    assert {name: data[name] for name in found.to_json()} == found.to_json() and data["chances"]
    assert "owner" not in json.loads(run(*place, "--simulations", 50, "--playouts", 0, "--json").stdout)


def test_playouts_are_for_a_position(path: Path) -> None:
    refused = run(path, *QUICK, "--playouts", "10")
    assert refused.exit_code == 2 and "--playouts needs --position" in refused.stderr
