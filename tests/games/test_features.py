"""The games' features for networks, compared with what happens when actions are played."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import kakomi
from kakomi import Game, Position
from kakomi.kernel import use_mode
from kakomi.networks.layout import network_layout
from kakomi.networks.observation import inputs_of

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("lin", {"size": 7}),
    ("ren", {"size": 6}),
    ("rin", {"size": 8}),
    ("rings", {"size": 2}),
    ("rings", {"size": 3, "players": 3}),
    ("rive", {"size": 3}),
]


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with use_mode("interpreted"):
        yield


def features(position: Position) -> dict[str, np.ndarray]:
    """Each feature by name, with a number per point."""
    layout = network_layout(position.game)
    planes = inputs_of([position]).planes[0]
    rows, columns = zip(*position.game.geometry.grid, strict=True)
    names = position.game.description.observation.FEATURES  # type: ignore[union-attr]
    return {name: planes[layout.channels.index(name)][rows, columns] for name in names}


def positions(game: Game, seeds: int = 2) -> Iterator[Position]:
    """All positions of some random games, except the last."""
    for seed in range(seeds):
        position, chance = game.start(), random.Random(seed)
        while not position.is_over:
            yield position
            position = position.play_action(chance.choice(position.legal_actions()))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_features_lie_between_0_and_1_or_a_little_beyond(name: str, options: dict[str, Any]) -> None:
    for position in positions(kakomi.game(name, **options), seeds=1):
        for feature, plane in features(position).items():
            assert np.isfinite(plane).all(), feature
            assert plane.min() >= -1.5 and plane.max() <= 4, feature


def test_rive_tells_what_may_be_placed_captured_and_removed() -> None:
    game = kakomi.game("rive", size=3)
    points = game.geometry.points
    captures = 0
    for position in positions(game):
        size, places, capturing, removable = features(position).values()
        legal = position.legal_actions()
        assert np.flatnonzero(places).tolist() == [a for a in legal if a < points]
        assert np.flatnonzero(removable).tolist() == [a - points for a in legal if a >= points]
        for point in np.flatnonzero(places):
            following = position.play_action(int(point))
            captured = not following.is_over and following.to_move == position.to_move
            assert captured == bool(capturing[point])
            captures += captured
        assert size[list(np.flatnonzero(places))].min(initial=1) >= 0
    assert captures > 10


def test_rin_tells_where_rings_close() -> None:
    game = kakomi.game("rin", size=8)
    closed = 0
    for position in positions(game):
        own, _ = features(position).values()
        for action in position.legal_actions():
            following = position.play_action(action)
            gained = following.scores()[position.to_move] - position.scores()[position.to_move]
            if gained > 1:  # more than the stone itself: a ring was filled
                assert own[action] == 1
                closed += 1
            elif own[action] == 0:
                assert gained == 1
    assert closed > 10


def test_rin_tells_of_the_enemys_rings_what_the_enemy_sees_of_them() -> None:
    for position in positions(kakomi.game("rin", size=8), seeds=1):
        first, *others = position.legal_actions()
        following = position.play_action(first)
        gained = following.scores()[position.to_move] - position.scores()[position.to_move]
        if position.state["left_in_turn"] == 1 and not following.is_over and gained == 1:
            _, enemy = features(position).values()
            own, _ = features(following).values()
            assert (own >= enemy)[others].all()  # no enemy stone was captured


def test_lin_tells_where_each_player_may_place() -> None:
    for position in positions(kakomi.game("lin", size=7)):
        own, enemy, own_lines, enemy_lines = features(position).values()
        assert [int(point) for point in np.flatnonzero(own)] == list(position.legal_actions())
        assert ((own > 0) & (enemy > 0)).any()  # otherwise the game would be over (RULES L4)
        stones = np.asarray(position.state["stones"][: len(own)])
        assert not own_lines[stones == 1 - position.to_move].any()
        assert not enemy_lines[stones == position.to_move].any()


def test_ren_tells_the_points_that_a_stone_makes() -> None:
    game = kakomi.game("ren", size=6)
    scored = captured = 0
    for position in positions(game):
        made, _, capturing, _ = features(position).values()
        stones = np.asarray(position.state["stones"][: len(made)])
        for action in position.legal_actions()[:-1]:
            following = position.play_action(action)
            if stones[action] < 0 and not following.state["nine_box"] and not capturing[action]:
                gained = following.scores()[position.to_move] - position.scores()[position.to_move]
                assert gained == 4 * made[action]
                scored += gained > 0
            elif capturing[action]:
                held = np.flatnonzero(stones == 1 - position.to_move)
                assert (following.state["stones"][held] != 1 - position.to_move).any()
                captured += 1
    assert scored > 10 and captured > 10


def test_rings_tells_what_a_stone_changes_in_its_circles() -> None:
    game = kakomi.game("rings", size=3)
    points = game.geometry.points
    gained = completed = prevented = 0
    for position in positions(game):
        seen = list(features(position).values())
        if position.state["converting"]:
            assert not np.any(seen[2:8])
        for action in position.legal_actions():
            if action >= points:
                continue
            following = position.play_action(action)
            mover = position.to_move
            more = following.scores()[mover] - position.scores()[mover]
            if not seen[6][action]:  # a new ring has influence beside it too
                assert more == round(3 * seen[2][action])
            assert bool(following.state["converting"]) >= bool(seen[3][action])
            gained += more > 0
            completed += bool(seen[6][action])
            prevented += bool(seen[7][action])
    assert gained > 10 and completed > 0 and prevented > 0
