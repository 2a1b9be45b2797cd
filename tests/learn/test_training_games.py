"""Training games as lines of a file, as records, and as rows reconstructed by replay."""

import json
from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi import records
from kakomi.kernel.records import EMPTY
from kakomi.learn.games import (
    GameLog,
    GameLogError,
    Rows,
    TrainingGame,
    flattened,
    games_in,
    shares_of,
    states_after,
)
from kakomi.search.report import leads_of
from learn.played import searched

every_game = pytest.mark.parametrize("name", kakomi.names())


@every_game
def test_a_game_is_kept_as_it_is(name: str) -> None:
    for game in searched(name):
        assert TrainingGame.from_json(json.loads(json.dumps(game.to_json())), kakomi.game) == game


def test_a_game_of_version_1_is_read() -> None:
    """It named policies differently, when all of them were visits."""
    game = searched("rive")[0]
    data = {**game.to_json(), "kakomi_training_game": 1}
    data["visits"] = data.pop("policies")
    assert TrainingGame.from_json(data, kakomi.game) == game


@every_game
def test_a_game_is_a_record(name: str) -> None:
    game = searched(name)[0]
    positions = [position for _, position in records.positions(game.record(), game.game)]
    assert positions[-1].is_over and positions[-1].ply == len(game.actions)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kakomi_training_game": 3}, "version 2 or older"),
        ({"actions": "a1 nowhere"}, "nowhere"),
        ({"policies": 3}, "no training game"),
        ({"options": {"size": 1}}, "size"),
    ],
)
def test_other_data_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TrainingGame.from_json({**searched("ren")[0].to_json(), **change}, kakomi.game)
    with pytest.raises(ValueError, match="no training game"):
        TrainingGame.from_json([], kakomi.game)


def test_a_game_against_the_rules_is_no_record() -> None:
    game = searched("ren")[0]
    with pytest.raises(ValueError, match="can't be played"):
        TrainingGame(game.game, (*game.actions[:2], *game.actions[:2])).record()


def test_a_line_that_was_cut_off_is_taken_off(tmp_path: Path) -> None:
    first, second, *_ = searched("rive")
    path = tmp_path / "games.jsonl"
    with GameLog(path, kakomi.game) as log:
        assert not list(log.games())
        log.add(first)
    with path.open("a") as file:
        file.write(json.dumps(second.to_json())[:50])  # killed while writing
    with GameLog(path, kakomi.game) as log:
        assert list(log.games()) == [first]
        log.add(second)
        assert list(log.games()) == [first, second]


def test_games_are_read_while_a_run_adds_to_them(tmp_path: Path) -> None:
    first, second, *_ = searched("rive")
    path = tmp_path / "games.jsonl"
    with GameLog(path, kakomi.game) as log:
        log.add(first)
        with path.open("a") as file:
            file.write(json.dumps(second.to_json())[:50])  # half of a line that the run is writing
        before = path.read_bytes()
        assert list(games_in(path, kakomi.game)) == [first]
        assert path.read_bytes() == before


def test_two_runs_dont_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with GameLog(path, kakomi.game), pytest.raises(GameLogError, match="another run is going on"):
        GameLog(path, kakomi.game)


def test_a_line_that_is_no_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("{}\n")
    with pytest.raises(GameLogError, match="line 1: "):
        list(games_in(path, kakomi.game))


@every_game
def test_replay_comes_to_the_same_positions(name: str) -> None:
    games = searched(name)
    game = games[0].game
    actions, starts = flattened([each.actions for each in games])
    for part in (0.0, 0.5, 1.0):
        plies = np.array([int(part * len(each.actions)) for each in games])
        states, legal = states_after(game, actions, starts, plies)
        for number, each in enumerate(games):
            position = game.start()
            for action in each.actions[: plies[number]]:
                position = position.play_action(action)
            assert game.restored(states[number : number + 1].copy()) == position
            assert np.flatnonzero(legal[number]).tolist() == position.legal_actions()


@every_game
def test_rows_know_what_became_of_their_games(name: str) -> None:
    games = searched(name)
    rows = Rows.of(games)
    assert len(rows) == sum(len(each.policies) for each in games) > 0
    for number, each in enumerate(games):
        end = each.game.start()
        for action in each.actions:
            end = end.play_action(action)
        assert rows.shares[number].sum() == pytest.approx(1)
        assert (rows.shares[number] > 0).tolist() == [score == max(end.scores()) for score in end.scores()]
        stones = end.stones()
        names = each.game.geometry.names
        owners = {names[point]: int(who) for point, who in enumerate(rows.owners[number]) if who != EMPTY}
        if name == "lin":  # where empty points, too, belong to somebody in the end (RULES L4)
            assert stones.items() < owners.items()
            black, white = (list(owners.values()).count(player) for player in range(2))
            assert [black, white + each.game.options["komi"]] == end.scores()
        else:
            assert owners == stones
    for row in range(len(rows)):
        game, ply = games[rows.games[row]], int(rows.plies[row])
        actions, counts = rows.replies(row)
        if ply + 1 == len(game.actions):
            assert not len(actions)
        elif ply + 1 in game.policies:
            assert dict(zip(actions.tolist(), counts.tolist(), strict=True)) == game.policies[ply + 1]
        else:
            assert actions.tolist() == [game.actions[ply + 1]]


def test_who_is_level_shares() -> None:
    scores = np.array([[3.0, 3.0, 1.0], [5.0, 2.0, 4.0]])
    assert shares_of(scores).tolist() == [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]
    assert leads_of(scores).tolist() == [[0.0, 0.0, -2.0], [1.0, -3.0, -1.0]]
