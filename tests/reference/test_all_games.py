"""Properties of the references of all games."""

import pytest

from reference import GAMES, make
from reference.moves import random_game

SMALL = [
    ("rin", {"size": 6}),
    ("rive", {"size": 3}),
    ("lin", {"size": 5}),
    ("lin", {"size": 7, "line": 3, "komi": 6}),
    ("ren", {"size": 5}),
    ("ren", {"size": 6, "rui_limit": 1, "lead": 6}),
    ("rings", {"size": 2}),
    ("rings", {"size": 2, "players": 3}),
    ("rings", {"size": 3, "players": 6}),
]


@pytest.mark.parametrize(("game", "options"), SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_and_share_out_zero(game, options, seed):
    position = make(game, **options)
    for before, _ in random_game(position, seed):
        assert before.legal()
        assert 0 <= before.to_move < before.players
        assert not before.is_over
    assert position.legal() == set()
    assert sum(position.returns()) == pytest.approx(0)
    best = max(position.scores())
    assert all(
        (share > 0) == (score == best)
        for score, share in zip(position.scores(), position.returns(), strict=True)
    ) or set(position.returns()) == {0}


@pytest.mark.parametrize("game", GAMES)
def test_copy_is_independent(game):
    position = make(game)
    twin = position.copy()
    twin.play(min(twin.legal()))
    assert position.stones() == {}
    assert len(twin.stones()) == 1
    assert position.legal() == make(game).legal()


@pytest.mark.parametrize("game", GAMES)
def test_illegal_action_is_refused(game):
    with pytest.raises(AssertionError):
        make(game).play("nowhere")


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("rin", {"size": 5}, "size"),
        ("rin", {"size": 20}, "size"),
        ("rive", {"size": 1}, "side"),
        ("rive", {"size": 9}, "side"),
        ("lin", {"size": 8}, "size"),
        ("lin", {"size": 9, "line": 5}, "line"),
        ("lin", {"size": 5, "line": 6}, "line"),
        ("lin", {"size": 7, "line": 2}, "line"),
        ("lin", {"komi": 3}, "komi"),
        ("lin", {"size": 5, "komi": 26}, "komi"),
        ("ren", {"size": 13}, "size"),
        ("rings", {"size": 7}, "side"),
        ("rings", {"players": 7}, "players"),
    ],
)
def test_options_out_of_range(game, options, message):
    with pytest.raises(ValueError, match=message):
        make(game, **options)
