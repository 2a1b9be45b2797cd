"""What an author may get wrong in a game's folder is named when the game is loaded."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.skirmish import skirmish
from kakomi import catalog
from kakomi.core import Option
from kakomi.core.description import IN_FOLDER
from kakomi.core.example import read_examples

EXAMPLE = """
[first]
title = '''A first
 stone'''
stones = ["", ""]
task = "Play."
solution = "a1"
told = "Played."
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a game `half_made`, which can be imported."""
    folder = tmp_path / "half_made"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    importlib.import_module("half_made")
    read_examples.cache_clear()
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "half_made"]:
        del sys.modules[name]
    read_examples.cache_clear()


def test_a_game_without_rules_or_explanations_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"skirmish has no rules\.py in its folder"):
        skirmish(module="half_made", rules=IN_FOLDER, explain=IN_FOLDER)
    (folder / "rules.py").write_text("")
    importlib.invalidate_caches()
    with pytest.raises(ValueError, match=r"skirmish has no explain\.py in its folder"):
        skirmish(module="half_made", rules=IN_FOLDER, explain=IN_FOLDER)


def test_a_game_may_have_no_examples(folder: Path) -> None:
    assert read_examples("half_made") == ()


def test_an_example_may_hold_its_only_step_itself(folder: Path) -> None:
    (folder / "examples.toml").write_text(EXAMPLE)
    (example,) = read_examples("half_made")
    assert (example.name, example.title) == ("first", "A first stone")
    assert [step.actions for step in example.steps] == [("a1",)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[first", r"examples\.toml: "),
        (EXAMPLE.replace("title", "titel"), "example 'first' has no 'title'"),
        (EXAMPLE.replace("told", "tolt"), "example 'first' has no 'told'"),
        (EXAMPLE + 'colour = "red"', "example 'first': .*'colour'"),
        (EXAMPLE + "[[first.steps]]", "example 'first' has no 'task'"),
        (EXAMPLE.replace('"Play."', "3"), "example 'first': "),
        ("first = 3", "example 'first': "),
        ("[first]\ntitle = 'T'\nsteps = [3]", "example 'first': "),
    ],
    ids=["no TOML", "title", "told", "unknown", "step", "number for words", "no table", "no step"],
)
def test_what_is_wrong_with_an_example_is_named(folder: Path, text: str, told: str) -> None:
    (folder / "examples.toml").write_text(text)
    with pytest.raises(ValueError, match=told):
        read_examples("half_made")


def test_an_option_says_what_a_value_means_or_nothing_where_that_goes_without_saying() -> None:
    said = {
        option.name: [str(option.in_words(value)) for value in (0, 1, 6)]
        for option in catalog.describe("ren").options
    }
    assert said["lead"] == ["", "a lead of 1 point wins at once", "a lead of 6 points wins at once"]
    assert said["rui_limit"][0] == "no replacements"
    assert said["size"][2] == "squares along each edge: 6"


@pytest.mark.parametrize(
    "name",
    ["swap", "seed", "help", "game", "position", "csrfmiddlewaretoken", "submit", "if", "size_other"],
)
def test_an_option_called_like_something_else(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' means something else .* such as size"):
        Option(name, "a clash", 0, range(2))


@pytest.mark.parametrize("name", ["", "Size", "board size", "7up", "größe", "_size", "seat-0"])
def test_an_option_with_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="is no name of an option: take another one, of small letters"):
        Option(name, "unspeakable", 0, range(2))


def test_two_options_of_one_name() -> None:
    twice = [Option("size", "points", 4, range(4, 6)), Option("size", "points again", 4, range(4, 6))]
    with pytest.raises(ValueError, match="rin has two options called 'size'"):
        replace(catalog.describe("rin"), options=twice)
