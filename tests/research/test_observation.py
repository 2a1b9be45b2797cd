"""Observations of a position for every player."""

import numpy as np
import pytest

import kakomi
from kakomi.core.position import rotate_players
from kakomi.research import VectorEnv, observation_spec, observe
from research.games import all_games


@all_games
def test_the_player_to_act_sees_what_environments_show(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    env = VectorEnv(game, 1, seed=1)
    for _ in range(30):
        shown = env.step(env.sample())
        for player in (None, int(shown.to_move[0])):
            observation, mask = observe(env.position(0), player)
            assert np.array_equal(observation, shown.observations[0])
            assert np.array_equal(mask, shown.masks[0])


@all_games
def test_others_see_their_own_stones_first(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    env = VectorEnv(game, 1, seed=2)
    for _ in range(30):
        env.step(env.sample())
    of_first = observe(env.position(0), 0)[0][: game.players]
    assert of_first.any()
    for player in range(game.players):
        assert np.array_equal(
            observe(env.position(0), player)[0][: game.players], np.roll(of_first, -player, 0)
        )


@all_games
def test_all_see_who_acts(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    plane = next(
        i for i, told in enumerate(observation_spec(game).planes) if told.startswith("the player to act")
    )
    env = VectorEnv(game, 1, seed=3)
    for _ in range(10):
        env.step(env.sample())
        position = env.position(0)
        seen = {observe(position, player)[0][plane].max() for player in range(game.players)}
        assert seen == {np.float32(position.to_move / (game.players - 1))}


@all_games
def test_players_who_change_places_see_the_same(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    env = VectorEnv(game, 1, seed=4)
    for _ in range(25):
        env.step(env.sample())
    position = env.position(0)
    rotated = rotate_players(position)
    for player in range(game.players):
        before, after = observe(position, player), observe(rotated, (player + 1) % game.players)
        relative = [np.delete(seen[0], game.players, axis=0) for seen in (before, after)]  # except who acts
        assert np.array_equal(*relative)
        assert np.array_equal(before[1], after[1])


def test_points_are_those_of_the_viewer() -> None:
    game = kakomi.game("ren", size=4)
    position = game.arranged({"a1": 0}, 1, points=[8, 0])
    own = observation_spec(game).planes.index("own points, in sixteenths")
    assert [observe(position, player)[0][own].max() for player in (0, 1)] == [0.5, 0.0]


def test_nobody_else_may_do_anything() -> None:
    position = kakomi.game("rings", size=2, players=3).start()
    assert [observe(position, player)[1].any() for player in range(3)] == [True, False, False]


@pytest.mark.parametrize("player", [-1, 2])
def test_a_player_there_is_not_is_named(player: int) -> None:
    with pytest.raises(ValueError, match=f"player is {player}; there are 0 to 1"):
        observe(kakomi.game("rin", size=4).start(), player)
