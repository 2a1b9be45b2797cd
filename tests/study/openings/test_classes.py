"""Which first turns are alike: against counts that know nothing of symmetries of actions."""

import itertools
from dataclasses import replace

import pytest

from kakomi import Game, catalog
from kakomi.study.openings import TurnClasses

BOARDS = (
    ("lin", {"size": 5}),
    ("lin", {}),
    ("ren", {"size": 8}),
    ("ren", {}),
    ("rin", {"size": 8}),
    ("rin", {}),
    ("rings", {"size": 3, "players": 3}),
    ("rings", {}),
    ("rive", {"size": 3}),
    ("rive", {}),
)


def kinds_of_points(game: Game) -> int:
    """Points up to symmetry, by the coordinates of mathematicians."""
    size = game.options["size"]
    if game.geometry.kind == "square":
        return len({tuple(sorted((min(x, size - 1 - x), min(y, size - 1 - y)))) for x, y in square(size)})
    hexagons = cubes(size)
    if game.geometry.kind == "hexagon":
        return len({least_image([cube]) for cube in hexagons})
    corners = {
        tuple(sorted((cube, beside(cube, side), beside(cube, side + 1))))
        for cube in hexagons
        for side in range(6)
    }
    return len({least_image(corner) for corner in corners})


def square(size: int) -> list[tuple[int, int]]:
    return list(itertools.product(range(size), repeat=2))


def cubes(side: int) -> list[tuple[int, ...]]:
    """The cells of a hexagon as three coordinates that add up to 0."""
    numbers = range(1 - side, side)
    return [(x, y, -x - y) for x in numbers for y in numbers if abs(x + y) < side]


def beside(cube: tuple[int, ...], side: int) -> tuple[int, ...]:
    around = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
    return tuple(at + step for at, step in zip(cube, around[side % 6], strict=True))


def least_image(places: object) -> tuple[tuple[int, ...], ...]:
    """Of cells together: the twelve symmetries of a hexagon exchange coordinates and signs."""
    assert isinstance(places, list | tuple)
    return min(
        tuple(sorted(tuple(sign * cube[axis] for axis in axes) for cube in places))
        for axes in itertools.permutations(range(3))
        for sign in (1, -1)
    )


@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_first_turns_are_counted_up_to_symmetry(name: str, options: dict[str, int]) -> None:
    game = catalog.game(name, **options)
    found = TurnClasses(game).all
    assert found is not None
    passes = sum(action.kind == "pass" for action in game.actions)
    assert len(found) == kinds_of_points(game) + passes
    assert sum(one.members for one in found) == game.geometry.points + passes
    turns = {game.geometry.kind: len(game.geometry.symmetries)}
    assert all(turns[game.geometry.kind] % one.members == 0 for one in found)


@pytest.mark.parametrize(("name", "options"), BOARDS[::2])
def test_members_are_the_positions_that_look_alike(name: str, options: dict[str, int]) -> None:
    """Stones are moved about on the board here, where the module maps actions."""
    game = catalog.game(name, **options)
    classes = TurnClasses(game)
    assert classes.all is not None
    together: dict[tuple[int, ...], set[int]] = {}
    for action in game.start().legal_actions():
        stones = game.start().play_action(action).state["stones"][: game.geometry.points].tolist()
        images = [
            tuple(stone for _, stone in sorted(zip(points, stones, strict=True)))
            for points in game.geometry.symmetries
        ]
        together.setdefault(min(images), set()).add(action)
    expected = sorted((min(actions), len(actions)) for actions in together.values())
    assert sorted((one.turn[0], one.members) for one in classes.all) == expected


def test_a_class_is_the_same_whichever_of_its_turns_is_asked_about() -> None:
    classes = TurnClasses(catalog.game("rive", size=3))
    for action in classes.game.start().legal_actions():
        found = {classes.class_of(image) for image in classes.images((action,))}
        assert len(found) == 1


def test_the_order_of_two_stones_that_lead_to_the_same_makes_no_difference() -> None:
    game = catalog.game("rin", size=8)
    classes = TurnClasses(game)
    first, one, other, elsewhere = map(game.action, ("0,0", "2,3", "5,6", "3,2"))
    assert classes.class_of((first, one, other)).key == classes.class_of((first, other, one)).key
    reflected = classes.class_of((first, game.action("6,5"), elsewhere)).key
    assert classes.class_of((first, one, other)).key == reflected


def test_a_game_whose_sides_differ_has_each_turn_for_itself() -> None:
    plain = catalog.game("lin", size=5, komi=22)  # symmetries are remembered by game and options
    classes = TurnClasses(Game(replace(plain.description, is_symmetric=False), plain.options))
    assert classes.all is not None
    assert [one.members for one in classes.all] == [1] * 25


def test_too_many_turns_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.study.openings.classes.MOST_TURNS", 24)
    assert TurnClasses(catalog.game("lin", size=5)).all is None
