"""OpenSpiel states: observations, copies, refusals and endings."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import kakomi
import kakomi.research
from kakomi.research import observation_spec, observe
from research.games import all_games
from research.test_openspiel import loaded, played
from sampling import sample


@all_games
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_returns_are_the_games_and_within_bounds(name: str, options: dict[str, int], seed: int) -> None:
    game = loaded(name, **options)
    state = played(game.new_initial_state(), game.max_game_length(), seed)
    assert state.is_terminal() and state.position.is_over
    assert state.returns() == state.rewards() == state.position.returns()
    assert all(game.min_utility() <= share <= game.max_utility() for share in state.returns())


@all_games
def test_a_state_is_its_position(name: str, options: dict[str, int]) -> None:
    state = played(loaded(name, **options).new_initial_state(), 5)
    position = state.position
    assert state.current_player() == position.to_move and state.legal_actions() == position.legal_actions()
    assert [state.action_to_string(action) for action in state.legal_actions()] == position.legal()
    assert [state.string_to_action(text) for text in position.legal()] == position.legal_actions()
    assert np.flatnonzero(state.legal_actions_mask()).tolist() == position.legal_actions()
    assert position.text() in str(state) and state.observation_string(0) == str(position)
    assert state.returns() == [0] * position.game.players


@all_games
def test_every_player_has_a_view(name: str, options: dict[str, int]) -> None:
    game = loaded(name, **options)
    state = played(game.new_initial_state(), 7)
    assert tuple(game.observation_tensor_shape()) == observation_spec(game.game).shape
    for player in range(game.num_players()):
        seen = np.reshape(state.observation_tensor(player), game.observation_tensor_shape())
        assert np.array_equal(seen, observe(state.position, player)[0])


def test_planes_have_names_if_asked_for() -> None:
    game = loaded("ren", size=4)
    state = played(game.new_initial_state(), 7)
    named = make_observation(game, params={"named": True})
    named.set_from(state, 1)
    planes = observe(state.position, 1)[0]
    assert tuple(named.dict) == observation_spec(game.game).planes
    assert all(map(np.array_equal, named.dict.values(), planes))
    assert np.array_equal(named.tensor, planes.ravel())


def test_a_parameter_of_observations_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match="no parameter size; there is: named"):
        make_observation(loaded("rin"), params={"size": 4})


def test_the_information_state_is_the_history() -> None:
    state = played(loaded("rin", size=4).new_initial_state(), 3)
    text = ", ".join(map(str, state.history()))
    assert state.information_state_string() == text
    assert make_observation(state.get_game(), INFO_STATE_OBS_TYPE).string_from(state, 0) == text


COPIES: dict[str, Callable[[Any], Any]] = {
    "clone": lambda state: state.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "serialize": lambda state: state.get_game().deserialize_state(state.serialize()),
    "history": lambda state: played_again(state.get_game(), state.history()),
}


def played_again(game: Any, actions: list[int]) -> Any:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


@all_games
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_goes_on_by_itself(name: str, options: dict[str, int], way: str) -> None:
    state = played(loaded(name, **options).new_initial_state(), 5)
    before = state.position
    twin = COPIES[way](state)
    assert twin.history() == state.history() and twin.position == before
    played(twin, 1000, seed=2)
    assert twin.is_terminal() and state.position == before
    assert played(state, 1000, seed=2).position == twin.position


@pytest.mark.parametrize("what", ["game", "state"])
def test_a_pickle_is_read_in_another_process(what: str, tmp_path: Path) -> None:
    state = played(loaded("rin", size=4).new_initial_state(), 5)
    pickled = tmp_path / "pickled"
    pickled.write_bytes(pickle.dumps({"game": state.get_game(), "state": state}[what]))
    code = f"import pickle, pathlib; print(pickle.loads(pathlib.Path({str(pickled)!r}).read_bytes()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{state.get_game() if what == 'game' else state}\n"


@pytest.mark.parametrize("action", [-2, 16, 3, 2**40])
def test_an_illegal_action_raises_and_leaves_all_as_it_was(action: int) -> None:
    state = loaded("rin", size=4).new_initial_state()
    state.apply_action(3)
    before = state.position
    with pytest.raises(kakomi.IllegalAction):
        state.apply_action(action)
    assert state.position is before and state.history() == [3]


@pytest.mark.parametrize("action", [-2, 16])
def test_an_action_that_there_is_not_has_no_text(action: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 15"):
        loaded("rin", size=4).new_initial_state().action_to_string(0, action)


def test_a_game_is_over_and_counted_at_its_length() -> None:
    state = loaded("ren", size=4, max_game_length=7).new_initial_state()
    for text in ["a1", "d4", "b1", "d3", "c1", "b3", "d1"]:
        assert not state.is_terminal()
        state.apply_action(state.string_to_action(text))
    assert state.is_terminal() and not state.position.is_over
    assert state.position.scores() == [1, 0] and state.returns() == [1, -1]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL and state.legal_actions() == []
    with pytest.raises(kakomi.IllegalAction, match="cut off after 7 actions"):
        state.apply_action(0)
