"""Mistakes in a game's folder are reported when the game is loaded."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.skirmish import RULES, skirmish
from kakomi import catalog
from kakomi.core import Option
from kakomi.core.description import IN_FOLDER
from kakomi.core.example import EXERCISES, read_examples
from kakomi.core.level_config import DEFAULT_LEVELS, Adviser, LevelConfig
from kakomi.core.option import RESERVED

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
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
    """The folder of an importable game `half_made`."""
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


def test_rules_without_a_function_are_refused() -> None:
    lacking = {name: part for name, part in vars(RULES).items() if name not in ("over", "legal", "is_legal")}
    with pytest.raises(ValueError, match=r"^the rules of skirmish lack over, legal or is_legal$"):
        skirmish(rules=SimpleNamespace(**lacking))


def test_a_game_may_have_no_examples(folder: Path) -> None:
    assert read_examples("half_made") == ()


def test_an_example_may_hold_its_only_step_itself(folder: Path) -> None:
    (folder / "examples.toml").write_text(EXAMPLE)
    (example,) = read_examples("half_made")
    assert (example.name, example.title) == ("first", "A first stone")
    assert [step.actions for step in example.steps] == [("a1",)]


def test_the_lines_of_an_exercise_may_be_in_a_file_of_their_own(folder: Path) -> None:
    (folder / "exercises.toml").write_text(EXAMPLE)
    (folder / "measured").mkdir()
    (folder / "measured" / "lines.toml").write_text('[first]\n"a1 b1" = "c1"\n')
    (exercise,) = read_examples("half_made", EXERCISES)
    assert exercise.lines == {"a1 b1": "c1"}


def test_levels_are_read_from_a_file_or_the_default_ones(folder: Path) -> None:
    assert skirmish(module="half_made").description.levels == DEFAULT_LEVELS
    (folder / "measured").mkdir()
    row = "[[level]]\nsimulations = 7\nelo = 40\n"
    (folder / "measured" / "levels.toml").write_text(row + 'adviser = "network"\n')
    assert skirmish(module="half_made").description.levels == (LevelConfig(7, 0.0, Adviser.NETWORK, 40),)
    (folder / "measured" / "levels.toml").write_text(row + "visits = 3\n")
    with pytest.raises(TypeError, match="visits"):
        skirmish(module="half_made")


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
    assert said["size"][2] == "squares per side: 6"


@pytest.mark.parametrize(
    "name",
    ["swap", "seed", "help", "game", "position", "csrfmiddlewaretoken", "submit", "if", "size_other"],
)
def test_an_option_called_like_something_else(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' is reserved .* such as size"):
        Option(name, "a clash", 0, range(2))


def test_the_guide_lists_the_reserved_names() -> None:
    listed = GUIDE.read_text(encoding="utf-8").split("<!-- reserved -->\n```text\n")[1].split("```")[0]
    assert listed.split() == sorted(RESERVED)


@pytest.mark.parametrize("name", ["", "Size", "board size", "7up", "größe", "_size", "seat-0"])
def test_an_option_with_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="can't name an option: choose a name of small letters"):
        Option(name, "unspeakable", 0, range(2))


def test_two_options_of_one_name() -> None:
    twice = [Option("size", "points", 4, range(4, 6)), Option("size", "points again", 4, range(4, 6))]
    with pytest.raises(ValueError, match="rin has two options called 'size'"):
        replace(catalog.describe("rin"), options=twice)
