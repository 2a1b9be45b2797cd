"""`kakomi puzzles`."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from kakomi import catalog, records
from kakomi.cli.main import kakomi as program
from kakomi.study.puzzles import finder
from kakomi.study.puzzles.puzzle import Puzzle, written
from kakomi.study.puzzles.shipped import shipped_puzzles

QUICK = (
    "rin",
    "--size",
    "4",
    "--tries",
    "4",
    "--answers",
    "3",
    "--play",
    "1",
    "--budget",
    "100000",
    "--seed",
    "3",
)


def run(*args: str) -> Result:
    return CliRunner().invoke(program, ["puzzles", *args], standalone_mode=False)


def test_what_is_found_is_a_file_that_is_proved(tmp_path: Path) -> None:
    found = run(*QUICK, "--count", "2", "--json")
    assert found.return_value == 0, found.output
    file = tmp_path / "rin.jsonl"
    file.write_text(found.stdout)
    names = [
        puzzle.name
        for puzzle in (msgspec.json.decode(line, type=Puzzle) for line in found.stdout.splitlines())
    ]
    checked = run("rin", "--check", str(file))
    assert checked.return_value == 0
    assert checked.stdout.splitlines() == [f"{n} {name}: proved" for n, name in enumerate(names, 1)]
    assert len(names) == 2 and found.stdout == run(*QUICK, "--count", "2", "--json").stdout


def test_people_read_the_board_and_the_answer() -> None:
    told = run(*QUICK, "--count", "1")
    assert told.return_value == 0
    for words in (
        "Rin · size 4: ",
        " plays and wins",
        "Answer: ",
        "Line: ",
        "misses it in",
        "From: level 1 with itself",
    ):
        assert words in told.stdout


def test_too_few_are_told_of() -> None:
    told = run(*QUICK, "--within", "1", "--count", "50")
    assert told.return_value == 1
    assert "found in 1 games; --within and --budget say how far to look" in told.stderr


def test_why_positions_are_none_is_told_with_their_numbers() -> None:
    told = run(*QUICK, "--within", "2", "--count", "50")
    (line,) = [line for line in told.stderr.splitlines() if "no puzzles: " in line]
    counted = dict(re.findall(r"([\d,]+) (with one turn only|without a win|in which every turn wins)", line))
    assert set(counted.values()) >= {"without a win", "in which every turn wins"}
    assert all(int(number) > 0 for number in counted)


def test_another_bot_plays_and_one_that_there_is_not_is_named() -> None:
    told = run(*QUICK[:-2], "--play", "random", "--within", "30", "--count", "1")
    assert told.return_value == 0 and "From: random with itself" in told.stdout
    refused = run("rin", "--play", "nobody")
    assert "--play: there is no bot 'nobody'" in str(refused.exception)


def test_positions_with_more_turns_than_wanted_are_left_out() -> None:
    told = run(*QUICK, "--turns", "2", "--within", "1")
    assert told.return_value == 1 and "with too many turns to look at all" in told.stderr


def test_puzzles_are_found_in_records(tmp_path: Path) -> None:
    (puzzle, *_) = finder.find(
        list(_games_of_puzzles(seed=3)), finder.Demands(tries=4, most_answers=3, budget=100_000)
    )
    game = catalog.game("rin", size=4)
    record = records.recorded(game, puzzle.begin().played(), event="A game")
    records.save(record, game, tmp_path / "game.json")
    told = run(
        "rin",
        "--size",
        "4",
        "--tries",
        "4",
        "--answers",
        "3",
        "--games",
        str(tmp_path),
        "--json",
        "--count",
        "1",
    )
    found = [json.loads(line) for line in told.stdout.splitlines()]
    assert [(line["at"], line["source"]) for line in found] == [(puzzle.at, "A game")]
    other = run("rin", "--size", "6", "--games", str(tmp_path))
    assert "none of its 1 games is rin --size 6" in str(other.exception)


def _games_of_puzzles(seed: int):
    from kakomi.study.puzzles.sources import bot_games

    return bot_games(catalog.game("rin", size=4), 1, seed, 12)


def test_what_is_wrong_in_a_file_is_told(tmp_path: Path) -> None:
    puzzle = next(puzzle for name in catalog.names() for puzzle in shipped_puzzles(catalog.describe(name)))
    file = tmp_path / "wrong.jsonl"
    file.write_text(written(msgspec.structs.replace(puzzle, before="z99")) + "\n")
    told = run(puzzle.game, "--check", str(file), "--json")
    assert told.return_value == 1
    assert "it can't be begun" in json.loads(told.stdout)["flaws"][0]
    other = next(name for name in catalog.names() if name != puzzle.game)
    assert f"it is of {puzzle.game}, not of {other}" in run(other, "--check", str(file)).stdout


@pytest.mark.parametrize(
    ("content", "told"), [("", "no puzzles in it"), ("nonsense\n", "wrong.jsonl: line 1: no puzzle")]
)
def test_a_file_without_puzzles_is_refused(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(content)
    assert told in str(run("rin", "--check", str(file)).exception)


def test_one_is_found_in_games_or_checked(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    refused = run("rin", "--check", str(tmp_path / "a.jsonl"), "--games", str(tmp_path))
    assert "give one of the two" in str(refused.exception)


def test_what_was_found_before_ctrl_c_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    find = finder.find

    def interrupted(*args: object):
        yield next(find(*args))
        raise KeyboardInterrupt

    monkeypatch.setattr(finder, "find", interrupted)
    told = run(*QUICK, "--json", "--count", "5")
    assert len(told.stdout.splitlines()) == 1
    assert "stopped; 1 found so far" in told.stderr
