"""`kakomi exercises`."""

from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from kakomi import catalog
from kakomi.cli.main import kakomi as program
from kakomi.core.description import Description
from kakomi.core.example import Claim


def run(*args: str) -> Result:
    return CliRunner().invoke(program, ["exercises", *args], standalone_mode=False)


def test_all_of_a_game_are_proved() -> None:
    told = run("rive")
    names = [exercise.name for exercise in catalog.describe("rive").exercises]
    assert told.return_value == 0
    assert told.stdout.splitlines() == [f"{name}: proved" for name in names]


def test_one_that_is_wrong_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = catalog.describe("rive").exercises
    wrong = replace(first, claim=Claim(first.claim.at_least + 1, first.claim.turns))
    monkeypatch.setattr(Description, "exercises", property(lambda description: (wrong, *others)))
    told = run("rive")
    assert told.return_value == 1
    assert told.stdout.startswith(f"{first.name}: e2 is called right, and that is wrong\n")


def test_what_is_found_is_a_draft_of_a_table() -> None:
    told = run("ren", "--size", "5", "--find", "1", "--turns", "1", "--seed", "2", "--most", "8")
    assert told.return_value == 0
    assert told.stdout.startswith('[found-1]\ntitle = ""\noptions = { size = 5')
