"""Every position can be drawn as text, with and without colour, and as SVG, with all overlays."""

import itertools
from xml.etree import ElementTree

import pytest

from conformance.cases import Case, all_cases, quick_cases, random_game, some


@quick_cases
def test_every_step_is_drawn(case: Case) -> None:
    for position in random_game(case):
        text = position.text()
        assert "\x1b" not in text
        assert len(text.splitlines()) >= 2
        ElementTree.fromstring(position.svg())


@all_cases
def test_drawings_with_all_that_can_be_shown(case: Case) -> None:
    for position in some(random_game(case), 4):
        overlays = [overlay.name for overlay in position.overlays()]
        assert len(set(overlays)) == len(overlays)
        assert position.text(colour=True, legal=True, overlays=overlays)
        plain = position.text(legal=True, overlays=overlays)
        assert "\x1b" not in plain
        for theme in ("light", "dark", "auto"):
            root = ElementTree.fromstring(position.svg(theme=theme, legal=True, overlays=overlays))
            assert root.tag.endswith("svg")
        assert position._repr_svg_() == position.svg()


@quick_cases
def test_the_last_action_shows(case: Case) -> None:
    positions = random_game(case)
    changed = sum(before.svg() != after.svg() for before, after in itertools.pairwise(positions))
    assert changed > 0.9 * (len(positions) - 1)


@quick_cases
def test_an_unknown_overlay_is_named(case: Case) -> None:
    with pytest.raises(ValueError, match="no such thing"):
        case.game.start().text(overlays=["no such thing"])


@quick_cases
def test_an_unknown_theme_is_named(case: Case) -> None:
    with pytest.raises(ValueError, match="sepia"):
        case.game.start().svg(theme="sepia")


@all_cases
def test_marks_are_at_points_and_cells(case: Case) -> None:
    geometry = case.game.geometry
    places = {*geometry.names, *(cell.name for cell in geometry.cells)}
    for position in some(random_game(case), 4):
        for overlay in position.overlays():
            assert overlay.title
            assert {mark.at for mark in overlay.marks} <= places
        scene = position.scene(legal=True)
        assert {*scene.last, *scene.legal, *scene.stones} <= places
