"""A game from another package gets all features, without changes to Kakomi."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
OURS = ["lin", "ren", "rin", "rings", "rive"]


class Beside:
    """An environment in which the distributions in a folder are installed beside Kakomi."""

    def __init__(self, folder: Path) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        home = {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        self.environment = inherited | home | {"PYTHONPATH": str(folder), "NO_COLOR": "1"}

    def run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess:
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, env=self.environment, cwd=TESTS.parent, input=text, capture_output=True, text=True
        )

    def python(self, code: str) -> str:
        run = self.run("-c", code)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def kakomi(self, *arguments: str, text: str = "") -> str:
        run = self.run("-m", "kakomi", *arguments, text=text)
        assert run.returncode == 0, run.stderr
        return run.stdout


@pytest.fixture(scope="module")
def tercet(tmp_path_factory: pytest.TempPathFactory) -> Beside:
    """Tercet, built from its source and installed."""
    folder = tmp_path_factory.mktemp("installed")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--no-warn-conflicts", "--quiet"]
    install = [
        "pip",
        "install",
        *options,
        "--target",
        str(folder),
        str(TESTS / "sixth_game" / "kakomi-tercet"),
    ]
    run = subprocess.run([sys.executable, "-m", *install], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return Beside(folder)


def test_it_is_discovered_beside_ours(tercet: Beside) -> None:
    names = json.loads(tercet.python("import kakomi, json; print(json.dumps(kakomi.names()))"))
    assert names == sorted([*OURS, "tercet"])


def test_it_passes_the_conformance_suite(tercet: Beside) -> None:
    tercet.environment["KAKOMI_TEST_ALL"] = "1"
    run = tercet.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance", "-k", "tercet")
    assert run.returncode == 0, run.stdout[-5000:]
    summary = run.stdout.strip().splitlines()[-1]
    passed = re.search(r"(\d+) passed", summary)
    assert passed, summary
    assert int(passed[1]) > 100
    assert "skipped" not in summary


def test_a_turn_of_several_actions_with_captures(tercet: Beside) -> None:
    code = """
import kakomi
game = kakomi.game("tercet", size=5, stones=3)
position = game.start()
for action in "b2 b3 a1 e5 c2 a5 b4".split():
    position = position.play(action)
print(position.legal(), position.to_move)
position = position.play("xb3")
print(position.to_move, position.stones().get("b3"), position.scores())
"""
    assert tercet.python(code) == "['xb3', 'end'] 0\n1 None [4, 1, 2]"


def test_its_examples_are_its_course(tercet: Beside) -> None:
    code = """
from kakomi import catalog
from kakomi.core.attempt import attempt_at
from kakomi.server.rules.courses import Course
course = Course.of("tercet", {"flank"})
(lesson,) = course.lessons
game = catalog.game("tercet", **lesson.example.options)
assert attempt_at(game, lesson.example, ["d3", "xc3"]).step is None
print(lesson.title, course.is_complete)
"""
    assert tercet.python(code) == "Flank and remove True"


def test_what_it_says_cannot_be_is_refused(tercet: Beside) -> None:
    code = """
import kakomi
game = kakomi.game("tercet", size=3, stones=3)
for text in "3/3/3 a tercet_placed=9", "abc/3/3 b unplaced=7", "3/3/3 c removed=0,-1":
    try:
        print(game.position(text))
    except ValueError as error:
        print(str(error).split(": ", 1)[1])
"""
    assert tercet.python(code).splitlines() == [
        "tercet_placed can't be 9: it may be -1 to 8",
        "unplaced can't be 7: it may be 0 to 6",
        "removed can't be -1: it may be 0 to 9",
    ]


def test_a_position_without_an_action_is_refused_by_itself(tercet: Beside) -> None:
    """Also if the game doesn't validate its fields: here one stone is left to place, and the board is
    full."""
    code = """
import dataclasses, kakomi
description = dataclasses.replace(kakomi.game("tercet").description, validation=None)
game = kakomi.Game(description, {"size": 3, "stones": 3})
try:
    print(game.position("aaa/aaa/aaa a unplaced=1"))
except ValueError as error:
    print(error)
"""
    assert "nothing can be played" in tercet.python(code)


def test_the_search_takes_what_wins(tercet: Beside) -> None:
    """Amber's last stone only wins if it flanks two stones and both are then removed."""
    code = """
import kakomi
from kakomi.search import Search
game = kakomi.game("tercet", size=5, stones=4)
stones = {"a3": 0, "b3": 1, "c1": 0, "c2": 2, "a1": 1, "e1": 1, "e2": 1, "e5": 2, "a5": 2, "d5": 2}
position = game.arranged(stones, 0, tercet_placed=-1, unplaced=1, removed=[0, 0, 0])
search = Search(game, seed=1, memory_mb=16)
while not position.is_over:
    report = search.run(position, simulations=2000)
    print(game.action_texts[report.action], end=" ")
    position = position.play_action(report.action)
print(position.returns())
"""
    first, *rest = tercet.python(code).split(" ", 3)
    assert first == "c3"
    assert sorted(rest[:2]) == ["xb3", "xc2"]
    assert rest[2] == "[1.0, -0.5, -0.5]"


def test_the_program_plays_it(tercet: Beside) -> None:
    assert "Tercet" in tercet.kakomi("games")
    assert "flanked" in tercet.kakomi("rules", "tercet")
    assert tercet.kakomi("perft", "tercet", "2", "--size", "4", "--json").count("240") == 1
    played = tercet.kakomi(
        "play", "tercet", "--size", "4", "--bot", "simulations:20", text="b2\nlegal\nquit\n"
    )
    assert "Amber" in played
    assert "Coral" in played


def test_its_report_is_made_without_a_line_for_it(tercet: Beside, tmp_path: Path) -> None:
    board = ("tercet", "--size", "3", "--stones", "2", "--budget", "1s", "--jobs", "2")
    told = tercet.kakomi("report", *board, "--keep", str(tmp_path), "--out", str(tmp_path / "tercet.html"))
    assert "Amber wins" in told
    page = (tmp_path / "tercet.html").read_text()
    assert 'id="kingmaking"' in page and "removals" in page


def test_kakomis_own_games_cannot_be_replaced(tmp_path: Path) -> None:
    metadata = tmp_path / "impostor-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: impostor\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[kakomi.games]\nrin = impostor\n")
    code = "import kakomi; print(kakomi.names(), kakomi.game('rin').description.author)"
    assert Beside(tmp_path).python(code) == f"{OURS} Zhen Wang"


def test_a_game_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    metadata = tmp_path / "broken-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[kakomi.games]\nbroken = no_such_module\n")
    beside = Beside(tmp_path)
    code = """
import kakomi
assert kakomi.game("rin", size=4).start().legal()
try:
    kakomi.game("broken")
except ValueError as error:
    print(error)
"""
    message = beside.python(code)
    assert "broken" in message
    assert "no_such_module" in message
    assert "\n" not in message
