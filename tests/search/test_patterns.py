"""Patterns: classes of equivalent ones, and their use in a search."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kakomi
from boards_of_other_shapes import rhombus
from core.skirmish import skirmish
from kakomi.core import Game, Position
from kakomi.kernel import use_mode
from kakomi.search import PatternSearch, PatternTable, Search
from kakomi.search.pattern_table import classes_of, rings_of
from kakomi.search.patterns import CONTENTS, NOWHERE
from sampling import is_compiled
from search import pattern_driver

every_game = pytest.mark.parametrize("name", ["lin", "ren", "rin", "rings", "rive"])


def quick(name: str) -> Game:
    return kakomi.game(name, **kakomi.game(name).description.quick)


def drawn(game: Game, seed: int = 1) -> PatternTable:
    """A table of random numbers."""
    rng, blank = np.random.default_rng(seed), PatternTable.blank(game)
    arrays = {
        name: rng.normal(size=getattr(blank, name).shape).astype(np.float32)
        for name in ("shares", "weights", "biases", "values", "outlook")
    }
    return replace(blank, **arrays)


def played(game: Game, plies: int, seed: int = 2) -> list[int]:
    """The actions of a random game."""
    position, rng = game.start(), np.random.default_rng(seed)
    for _ in range(plies):
        position = position.play_action(int(rng.choice(position.legal_actions())))
    return list(position.played())


def after(game: Game, actions: list[int]) -> Position:
    position = game.start()
    for action in actions:
        position = position.play_action(action)
    return position


def test_rings_that_a_side_of_the_board_makes_equal_are_of_one_class() -> None:
    assert len(set(classes_of("hexagon")[0].tolist())) == 430  # bracelets of six beads in four colours
    classes = classes_of("square")[0]
    # by Burnside's lemma: the sum, over the eight symmetries, of the rings that each leaves unchanged
    unchanged = CONTENTS**8 + 2 * CONTENTS**2 + CONTENTS**4 + 4 * CONTENTS**5
    assert len(set(classes.tolist())) == unchanged // 8

    def class_of(*contents: int) -> int:
        return int(classes[sum(c * CONTENTS**k for k, c in enumerate(reversed(contents)))])

    assert class_of(1, 0, 0, 0, 0, 0, 0, 0) == class_of(0, 0, 1, 0, 0, 0, 0, 0)
    assert class_of(1, 2, 0, 0, 0, 0, 0, 0) == class_of(1, 0, 0, 0, 0, 0, 0, 2)
    assert class_of(1, 0, 0, 0, 0, 0, 0, 0) != class_of(0, 1, 0, 0, 0, 0, 0, 0)  # adjacent and diagonal


def test_the_rings_of_a_honeycomb_are_the_circles_through_a_point() -> None:
    game = kakomi.game("rings", size=3)
    geometry = game.geometry
    inner = 0
    for point, (across, along) in enumerate(rings_of(game)):
        circles = [set(cell.points) for cell in geometry.cells if point in cell.points]
        seen = {each for each in (*across, *along) if each < geometry.points}
        assert set().union(*circles) - {point} <= seen
        if len(circles) == 3:
            inner += 1
            assert set().union(*circles) - {point} == seen
            assert set(across[::2]) == set(geometry.neighbours[point])
            assert all(
                {a, b, c} <= set().union(*circles) for a, b, c in zip(across, along, across[1:], strict=False)
            )
    assert inner == 24
    first, second = classes_of("honeycomb")  # three rotations and three reflections, by the same lemma
    assert len(set(first.tolist())) == (CONTENTS**6 + 2 * CONTENTS**2 + 3 * CONTENTS**4) // 6
    assert len(set(second.tolist())) == (CONTENTS**6 + 2 * CONTENTS**2 + 3 * CONTENTS**3) // 6


@every_game
def test_images_of_a_position_promise_the_same(name: str) -> None:
    game = quick(name)
    table = drawn(game)
    actions = played(game, 14)
    position = after(game, actions)
    promised, expected = pattern_driver.read(position, table)
    for symmetry in game.symmetries:
        image = after(game, [symmetry.actions[action] for action in actions])
        of_image, expected_of_image = pattern_driver.read(image, table)
        for action, promise in promised.items():
            assert of_image[symmetry.actions[action]] == pytest.approx(promise, abs=1e-4)
        assert expected_of_image == pytest.approx(expected, abs=1e-4)


@every_game
def test_what_is_promised_is_the_sum_of_the_tables_numbers(name: str) -> None:
    game = quick(name)
    table = drawn(game)
    patterns = table.patterns(game)
    position = after(game, played(game, 9))
    promised, expected = pattern_driver.read(position, table, patterns)
    legal = list(position.legal_actions())
    logits = []
    for action in legal:
        kind, point = patterns.kinds[action], patterns.places[action]
        logit = float(table.biases[kind])
        if point != NOWHERE:
            centre = patterns.contents[point]
            logit += sum(float(table.shares[kind, centre, r, patterns.found[point, r]]) for r in range(2))
            logit += float(table.weights[kind] @ patterns.seen[:, point])
        logits.append(logit)
    spread = np.array(logits) - np.mean(logits)
    assert [promised[action] for action in legal] == pytest.approx(0.5 + spread, abs=1e-4)
    scores, filled = position.scores(), len(position.stones()) / game.geometry.points
    lead = (scores[position.to_move] - scores[1 - position.to_move]) / game.geometry.points**0.5
    won = float(np.dot(table.outlook, [1, filled, lead, lead * filled])) + sum(
        float(table.values[patterns.contents[point], r, patterns.found[point, r]])
        for point in range(game.geometry.points)
        for r in range(2)
    )
    assert expected[position.to_move] == pytest.approx(1 / (1 + np.exp(-won)), abs=1e-4)
    assert sum(expected) == pytest.approx(1)


@pytest.mark.parametrize("name", list(filter(is_compiled, kakomi.names())))
@pytest.mark.parametrize("puct", [0.0, 1.0])
def test_a_blank_table_changes_no_visit(name: str, puct: float) -> None:
    game = quick(name)
    config = replace(game.description.search_config, puct=puct, use_prior=0)
    searches = (
        Search(game, config=config, seed=3),
        PatternSearch(game, table=PatternTable.blank(game), mix=0, config=config, seed=3),
    )
    first, second = (search.run(game.start(), simulations=300) for search in searches)
    assert first.lines == second.lines


@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_all_modes_of_the_kernel_make_the_same_of_patterns(mix: float) -> None:
    game = quick("rive")

    def lines() -> object:
        return PatternSearch(game, table=drawn(game), mix=mix, seed=2).run(game.start(), simulations=12).lines

    compiled = lines()
    with use_mode("interpreted"):
        assert lines() == compiled


def test_patterns_alone_need_no_playouts() -> None:
    game = quick("rive")
    plies = [
        PatternSearch(game, table=drawn(game), mix=mix, seed=2).run(game.start(), simulations=100).plies
        for mix in (0.0, 0.5, 1.0)
    ]
    assert plies[0] > 10 * plies[2] and plies[1] > 10 * plies[2]


def test_a_table_is_kept_in_a_file(tmp_path: Path) -> None:
    game = quick("rin")
    table = drawn(game)
    table.save(tmp_path / "rin.npz")
    found = PatternTable.load(tmp_path / "rin.npz")
    assert (found.game, found.kinds) == (table.game, table.kinds)
    assert found.shares == pytest.approx(table.shares, rel=1e-3, abs=1e-3)
    assert found.values == pytest.approx(table.values, rel=1e-3, abs=1e-3)


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    for number, held in enumerate((b"", b"none", b"PK\x03\x04 and no more")):
        path = tmp_path / f"{number}.npz"
        path.write_bytes(held)
        with pytest.raises(ValueError, match="holds no patterns"):
            PatternTable.load(path)
    np.savez(tmp_path / "other.npz", game="rive")
    with pytest.raises(ValueError, match="holds no patterns"):
        PatternTable.load(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="holds no patterns"):
        PatternTable.load(tmp_path / "missing.npz")


def test_arrays_of_a_table_are_checked(tmp_path: Path) -> None:
    game = quick("rin")
    table, path = drawn(game), tmp_path / "rin.npz"
    table.save(path)
    kept = dict(np.load(path))
    values = kept["values"].copy()
    values.flat[0] = np.inf
    for wrong in ({"values": values}, {"weights": kept["weights"].astype(np.int8)}):
        np.savez(path, **kept | wrong)
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be finite floating-point numbers"):
            PatternTable.load(path)
    for name in ("shares", "weights", "biases", "values", "outlook"):
        np.savez(path, **kept | {name: kept[name][:-1]})
        with pytest.raises(ValueError, match=f"{name} of the patterns for rin are .* they must be"):
            PatternTable.load(path).patterns(game)


def test_a_table_is_for_one_game_and_a_mix_is_a_share() -> None:
    table = PatternTable.blank(quick("rin"))
    with pytest.raises(ValueError, match="the patterns are of rin, and not for"):
        PatternSearch(quick("lin"), table=table)
    with pytest.raises(ValueError, match="can't be read on the boards of skirmish, whose shape is rhombus"):
        PatternTable.blank(skirmish(geometry=lambda options: rhombus(4)))
    with pytest.raises(ValueError, match="mix is 2; it must be from 0"):
        PatternSearch(quick("rin"), table=table, mix=2)
