"""Size classes of boards, which have separate ratings."""

import re
from pathlib import Path

import pytest

from kakomi import catalog
from kakomi.core.description import WHOLE_CLASS

LEVELS = Path(__file__).parents[2] / "docs" / "levels.md"


@pytest.mark.parametrize("name", catalog.names())
def test_every_board_is_in_one_class_at_most_and_the_default_in_one(name: str) -> None:
    description = catalog.describe(name)
    game = catalog.game(name)
    assert description.size_class(game.options) == WHOLE_CLASS
    sizes = [size for sizes in description.size_classes.values() for size in sizes]
    assert len(sizes) == len(set(sizes))
    size = next(option for option in description.options if option.name == "size")
    assert set(sizes) < set(size.allowed_given({}))
    assert description.size_class({**game.options, "size": min(size.allowed_given({}))}) is None
    assert description.size_class(catalog.game(name, **description.ladder_options).options)


@pytest.mark.parametrize("name", catalog.names())
def test_the_strengths_of_levels_are_those_of_the_page(name: str) -> None:
    page = LEVELS.read_text(encoding="utf-8")
    table = page[page.index(f"<!-- {name} -->") : page.index(f"<!-- /{name} -->")]
    written = re.findall(r"^\| \d+ \|.*\| (-?\d+) \([^|]*\) \|$", table, re.MULTILINE)
    assert [level.elo for level in catalog.describe(name).levels] == [int(elo) for elo in written]
