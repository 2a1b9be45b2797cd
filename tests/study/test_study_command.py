"""`kakomi study`: each command's output for people and programs, files and refusals."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from kakomi import catalog, records
from kakomi.cli.main import kakomi as program
from kakomi.core.description import Description
from kakomi.core.example import Claim
from kakomi.farm import Farm
from kakomi.puzzles import Puzzle, shipped_puzzles, written
from study.inline_farm import InlineFarm

QUICK = {
    "openings": ("rin", "--size", "4", "--bot", "2", "--count", "12"),
    "seats": ("ren", "--size", "4", "--bot", "search:simulations=10", "--count", "4"),
    "blunders": (
        *("rin", "--size", "4", "--bot", "1", "--bot", "random", "--play", "1", "--last", "10"),
        *("--count", "6"),
    ),
    "komi": ("lin", "--size", "5", "--bot", "search:simulations=10", "--count", "20"),
    "exercises": ("ren", "--size", "5", "--count", "1", "--turns", "1", "--seed", "2", "--most", "8"),
    "puzzles": (
        *("rin", "--size", "4", "--tries", "4", "--answers", "3", "--play", "1", "--budget", "100000"),
        *("--seed", "3", "--wanted", "2"),
    ),
}
"""A quick invocation of each command."""


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("kakomi.cli.study.open_farm_from_options", lambda *_: InlineFarm())
    monkeypatch.setattr("kakomi.study.seats.SIMULATIONS", 50)


def run(name: str, *args: str) -> Result:
    return CliRunner().invoke(program, ["study", name, *args])


def check(name: str, *args: str) -> tuple[int, str]:
    """The exit code of a proof, and the output."""
    done = CliRunner().invoke(program, ["study", name, *args], standalone_mode=False)
    assert done.exception is None, done.exception
    return done.return_value, done.stdout


def table(found: dict[str, Any], title: str) -> list[dict[str, str]]:
    """The rows of a table as column → value."""
    (one,) = [figure for figure in found["figures"] if figure.get("table") == title]
    return [dict(zip(one["columns"], row, strict=True)) for row in one["rows"]]


@pytest.mark.parametrize("name", QUICK)
def test_people_and_programs_are_told_the_same_and_nothing_is_done_twice(name: str, tmp_path: Path) -> None:
    told = run(name, *QUICK[name])
    assert told.exit_code == 0, told.output
    (kept,) = (tmp_path / "state" / "kakomi" / "studies").iterdir()
    trials = kept.read_bytes()
    found = json.loads(run(name, *QUICK[name], "--json").stdout)
    assert kept.read_bytes() == trials and len(trials.splitlines()) == 1 + found["trials"]
    assert (found["study"], found["game"]) == (name, QUICK[name][0])
    first, title, finding, *lines = told.stdout.splitlines()
    assert first.startswith(catalog.describe(found["game"]).title) and "size" in first
    assert (title, finding) == (found["title"], found["finding"])
    for figure in found["figures"]:
        for row in figure.get("rows", ()):
            assert any(next(filter(None, row)) in line and row[-1] in line for line in lines), row


def test_first_turns_are_told_with_replies_and_drawn() -> None:
    found = json.loads(
        run("openings", *QUICK["openings"], "--turns", "2", "--out", "map.svg", "--json").stdout
    )
    rows = table(found, "First turns that came")
    assert {row["first turn"] for row in rows} == {"0,0", "0,1", "1,1"}
    assert sum(int(row["came"]) for row in rows) == 12
    replies = [figure for figure in found["figures"] if figure.get("table", "").startswith("After ")]
    assert len(replies) == 3 and all(len(row[0].split()) == 2 for one in replies for row in one["rows"])
    assert Path("map.svg").read_text(encoding="utf-8").startswith("<svg")


def test_first_turns_are_solved_where_that_is_asked_for() -> None:
    found = json.loads(
        run("openings", "rive", "--size", "2", "--bot", "random", "--count", "20", "--exact", "--json").stdout
    )
    rows = table(found, "First turns that came")
    assert {row["first turn"]: row["best play"] for row in rows} == {"b2": "+1", "a1": "−3"}
    labels = [number["label"] for number in found["numbers"]]
    assert labels == ["of the best margin", "keeps the result"]


def test_seats_are_told_of_several_boards() -> None:
    lists = ("--players", "2..4", "--bot", "random", "--count", "4")
    found = json.loads(run("seats", "rings", "--size", "2", *lists, "--json").stdout)
    assert [board["options"]["players"] for board in found] == [2, 3, 4]
    assert [len(table(board, "What each seat gets")) for board in found] == [1, 3, 4]
    names = [row["repair"] for row in table(found[0], "Repaired")]
    assert names == ["match of two"]
    ren = json.loads(run("seats", *QUICK["seats"], "--try", "lead=2", "--json").stdout)
    assert [row["repair"] for row in table(ren, "Repaired")] == [
        "lead 2", "swap", "swap, foreseen", "match of two",
    ]  # fmt: skip


def test_games_may_begin_elsewhere_and_be_kept_where_one_wishes(tmp_path: Path) -> None:
    text = "4/4/4/4 b left_in_turn=2"
    place = ("--position", text, "--keep", "games")
    done = run("seats", "rin", "--size", "4", "--bot", "random", "--count", "4", *place)
    assert f"from {text}" in done.stdout and "Repaired" not in done.stdout
    (kept,) = (tmp_path / "games").iterdir()
    assert len(kept.read_text().splitlines()) == 5


def test_rates_are_told_by_actions_left_and_a_spent_budget_too() -> None:
    found = json.loads(run("blunders", *QUICK["blunders"], "--json").stdout)
    counts, *rates = table(found, "Results thrown away")
    assert list(counts) == ["actions left", "1–3", "4–6", "7–9", "10", "all"]
    assert [row["actions left"] for row in rates] == ["random play", "level 1", "random"]
    assert int(counts["all"]) == sum(int(counts[column]) for column in list(counts)[1:-1]) > 0
    short = run("blunders", "rin", "--size", "6", *QUICK["blunders"][3:-1], "1", "--budget", "500")
    assert "in 1 the solver came less far back" in short.stdout


def test_exercises_are_written_as_drafts_and_those_of_a_course_are_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = run("exercises", *QUICK["exercises"], "--out", "more.toml")
    assert found.exit_code == 0 and "with one right answer" in found.stdout
    assert Path("more.toml").read_text().startswith('[found-1]\ntitle = ""\noptions = { size = 5')
    first = catalog.describe("rive").exercises[0]
    monkeypatch.setattr(Description, "exercises", property(lambda description: (first,)))
    assert check("exercises", "rive", "--check") == (0, f"{first.name}: proved\n")
    changed = replace(first, claim=Claim(first.claim.at_least + 1, first.claim.turns))
    monkeypatch.setattr(Description, "exercises", property(lambda description: (changed,)))
    code, told = check("exercises", "rive", "--check")
    assert code == 1 and "e2 is called right, and that is wrong" in told


def test_puzzles_are_written_to_a_file_that_is_proved() -> None:
    found = run("puzzles", *QUICK["puzzles"], "--out", "rin.jsonl")
    assert found.exit_code == 0 and "2 puzzles found" in found.stdout and "without a win" in found.stdout
    puzzles = [msgspec.json.decode(line, type=Puzzle) for line in Path("rin.jsonl").read_bytes().splitlines()]
    proved = "".join(f"{n} {one.name}: proved\n" for n, one in enumerate(puzzles, 1))
    assert check("puzzles", "rin", "--check", "rin.jsonl") == (0, proved)
    game = catalog.game("rin", size=4)
    Path("games").mkdir()
    records.save(
        records.recorded(game, puzzles[0].begin().played(), event="A game"), game, Path("games/a.json")
    )
    own = run("puzzles", *QUICK["puzzles"], "--games", "games", "--out", "own.jsonl")
    assert own.exit_code == 0, own.output
    (line,) = Path("own.jsonl").read_bytes().splitlines()
    again = msgspec.json.decode(line, type=Puzzle)
    assert (again.at, again.source) == (puzzles[0].at, "A game")
    other = run("puzzles", "rin", "--size", "6", "--games", "games")
    assert other.exit_code == 1 and "none of its 1 games is rin --size 6" in other.output


def test_what_is_wrong_in_a_file_of_puzzles_is_told() -> None:
    puzzle = next(puzzle for name in catalog.names() for puzzle in shipped_puzzles(catalog.describe(name)))
    Path("wrong.jsonl").write_text(written(msgspec.structs.replace(puzzle, before="z99")) + "\n")
    code, told = check("puzzles", puzzle.game, "--check", "wrong.jsonl")
    assert code == 1 and "it can't be begun" in told
    other = next(name for name in catalog.names() if name != puzzle.game)
    assert (
        f"it is a puzzle of {puzzle.game}, not of {other}"
        in check("puzzles", other, "--check", "wrong.jsonl")[1]
    )
    for content, said in (("", "has no puzzles"), ("nonsense\n", "wrong.jsonl: line 1: no puzzle")):
        Path("wrong.jsonl").write_text(content)
        refused = run("puzzles", "rin", "--check", "wrong.jsonl")
        assert refused.exit_code == 1 and said in refused.output


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["openings", "chess"], "there is no game 'chess'"),
        (["openings", "rin", "--bot", "nobody"], "there is no bot 'nobody'"),
        (["openings", "rin", "--bot", "13"], "rin has no level 13"),
        (["openings", "rin", "--size", "5"], "size 5 isn't possible"),
        (["openings", "rin", "--count", "0"], "0 is not in the range"),
        (["openings", "rin", "--turns", "3"], "3 is not in the range"),
        (["openings", "rin", "--out", "map.png"], "the name should end in .svg"),
        (["openings", "rin", "--out", "nowhere/map.svg"], "there is no folder nowhere"),
        (["openings", "rings", "--players", "3", "--exact"], "first turns are solved among two"),
        (["seats", "ren", "--sizes", "six"], "'six' should look like 3,4,6 or 3..6"),
        (["seats", "ren", "--sizes", "6..4"], "names 0 numbers"),
        (["seats", "ren", "--sizes", "6", "--size", "8"], "use either --size or a list, not both"),
        (["seats", "ren", "--sizes", "3"], "size 3 isn't possible"),
        (["seats", "ren", "--players", "3"], "ren has no option 'players'"),
        (["seats", "ren", "--try", "lead"], "--try: 'lead' should look like lead=6"),
        (["seats", "ren", "--size", "4", "--position", "4/4"], "rows"),
        (["blunders", "rings", "--size", "3", "--players", "3"], "results are proved between two players"),
        (["blunders", "rin", "--bot", "1", "--bot", "1"], "a bot is named twice"),
        (["komi", "rin"], "rin has no komi"),
        (["komi", "lin", "--komi", "4"], "leave out the komi"),
        (["exercises", "ren", "--out", "more.json"], "the name should end in .toml"),
        (["puzzles", "rin", "--play", "nobody"], "there is no bot 'nobody'"),
        (["puzzles", "rin", "--check", __file__, "--games", "."], "use either --check"),
        (["nothing", "rin"], "No such command 'nothing'"),
    ],
)
def test_what_cannot_be_studied_is_said(args: list[str], told: str) -> None:
    refused = CliRunner().invoke(program, ["study", *args])
    assert refused.exit_code == 2 and told in " ".join(refused.output.split())


def test_a_file_of_other_terms_is_refused(tmp_path: Path) -> None:
    run("openings", *QUICK["openings"])
    (kept,) = (tmp_path / "state" / "kakomi" / "studies").iterdir()
    kept.write_bytes(kept.read_bytes().replace(b'"seed":1', b'"seed":2'))
    refused = run("openings", *QUICK["openings"])
    assert refused.exit_code == 1 and "was begun on other terms: seed 2, not 1" in refused.output


def test_ctrl_c_tells_what_is_there_and_the_same_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(InlineFarm):
        def run(self, pieces: Any) -> Any:
            for number, done in enumerate(super().run(pieces)):
                if number == 2:
                    raise KeyboardInterrupt
                yield done

    whole = json.loads(run("openings", *QUICK["openings"], "--keep", "whole", "--json").stdout)

    def stopped(*_: object) -> Farm:
        return Stopped()

    monkeypatch.setattr("kakomi.cli.study.open_farm_from_options", stopped)
    told = run("openings", *QUICK["openings"])
    assert told.exit_code == 0 and "asked 2 times" in told.stdout
    assert "stopped; finished searches are saved in" in told.stderr
    monkeypatch.setattr("kakomi.cli.study.open_farm_from_options", lambda *_: InlineFarm())
    assert json.loads(run("openings", *QUICK["openings"], "--json").stdout) == whole
