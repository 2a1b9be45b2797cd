"""A game's description of itself: names, options, actions and texts."""

import pickle
from collections.abc import Sequence

import pytest

import kakomi
from conformance.cases import QUICK, Case, all_cases, quick_cases, random_game, some
from kakomi.catalog import describe
from kakomi.core.action import normalised
from kakomi.core.option import resolve


def test_games_are_discovered() -> None:
    names = kakomi.names()
    assert names == sorted(set(names))
    assert {case.name for case in QUICK} == set(names)


@quick_cases
def test_a_game_tells_its_name_author_and_credit(case: Case) -> None:
    description = describe(case.name)
    assert description.name == case.name == case.name.lower()
    assert case.name.isidentifier()
    for words in (description.title, description.author, description.year, description.summary):
        assert words
        assert "\n" not in words
    assert description.author in description.credit
    assert description.rules_text.startswith("# ")
    assert description.author in description.rules_text


@all_cases
def test_points_and_actions_have_names_of_their_own(case: Case) -> None:
    game = case.game
    geometry = game.geometry
    texts = game.action_texts
    cells = {cell.name for cell in geometry.cells}
    assert len(set(map(normalised, geometry.names))) == geometry.points
    assert len(set(map(normalised, texts))) == len(texts) == int(game.board[0]["actions"])
    assert int(game.board[0]["points"]) == geometry.points
    for action in game.actions:
        assert action.point is None or action.point in geometry.index
        assert action.cell is None or action.cell in cells
    assert len(game.player_names) == len(set(game.player_names)) == game.players >= 2


@quick_cases
def test_drawing_places_are_apart(case: Case) -> None:
    geometry = case.game.geometry
    assert len({(round(x, 3), round(y, 3)) for x, y in geometry.places}) == geometry.points
    for point, neighbours in enumerate(geometry.neighbours):
        assert all(point in geometry.neighbours[beside] for beside in neighbours)


@all_cases
def test_the_words_for_players_are_one_line_each(case: Case) -> None:
    explain = case.game.description.explain
    for position in some(random_game(case), 10):
        words = explain.account(position) if position.is_over else explain.expects(position)
        assert words
        assert "\n" not in words


@quick_cases
def test_games_are_equal_by_name_and_options(case: Case) -> None:
    game = case.game
    twin = pickle.loads(pickle.dumps(game))
    assert twin == game
    assert hash(twin) == hash(game)
    assert eval(repr(game)) == game
    assert game != kakomi.game(case.name, **_other_options(case))


def _other_options(case: Case) -> dict[str, int]:
    first = describe(case.name).options[0]
    current = dict(case.options)[first.name]
    return {first.name: next(value for value in first.allowed_given({}) if value != current)}


def _values_out_of_range(allowed: Sequence[int]) -> list[object]:
    between = [value for value in range(allowed[0], allowed[-1]) if value not in allowed][:1]
    return [allowed[0] - 1, allowed[-1] + 1, *between, -1, 10**30, 1.5, "many", "", object(), [], True]


@quick_cases
def test_an_option_out_of_range_is_named_with_what_it_may_be(case: Case) -> None:
    earlier: dict[str, int] = {}
    for option in describe(case.name).options:
        allowed = option.allowed_given(earlier)
        for value in _values_out_of_range(allowed):
            if type(value) is int and value in allowed:
                continue
            with pytest.raises(ValueError, match=option.name) as caught:
                kakomi.game(case.name, **(earlier | {option.name: value}))
            message = str(caught.value)
            assert "\n" not in message
            assert len(message) < 300
            assert str(allowed[0]) in message
        earlier[option.name] = dict(case.options)[option.name]


@quick_cases
def test_options_may_be_texts_or_left_out(case: Case) -> None:
    as_text = {name: str(value) for name, value in case.options}
    assert kakomi.game(case.name, **as_text) == case.game
    assert kakomi.game(case.name, **dict.fromkeys(as_text)) == kakomi.game(case.name)


@quick_cases
def test_an_unknown_option_is_named(case: Case) -> None:
    with pytest.raises(ValueError, match="no_such_option"):
        kakomi.game(case.name, no_such_option=1)


@quick_cases
def test_presets_and_quick_options_are_allowed(case: Case) -> None:
    description = describe(case.name)
    resolve(case.name, description.options, description.quick)
    for option in description.options:
        allowed = option.allowed_given(resolve(case.name, description.options, {}))
        assert set(option.presets) <= set(allowed)
        assert option.help


@quick_cases
@pytest.mark.parametrize("point", ["", "zz99", "a0", "-1,-1", "0,99", "\0"])
def test_an_unknown_point_is_named(case: Case, point: str) -> None:
    with pytest.raises(ValueError, match="point"):
        case.game.arranged({point: 0})


@quick_cases
def test_an_unknown_player_is_named(case: Case) -> None:
    game = case.game
    for player in (-1, game.players):
        with pytest.raises(ValueError, match="player"):
            game.arranged({game.geometry.names[0]: player})
        with pytest.raises(ValueError, match="to_move"):
            game.arranged({}, player)
    with pytest.raises(ValueError, match="no_such_field"):
        game.arranged({}, no_such_field=1)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(ValueError, match=r"'go'.*rin"):
        kakomi.game("go")
