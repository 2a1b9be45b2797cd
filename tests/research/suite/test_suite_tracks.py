"""The shipped tracks are valid, versioned and unchanged since publication."""

from pathlib import Path

import pytest

from kakomi.research.suite import find_track, tracks
from kakomi.research.suite.agent import budgeted, file_hash, opponents_hash, rules_hash, weights_hashes
from kakomi.research.suite.meetings import plan
from research.suite.tiny import write_tracks

PUBLISHED = {
    "kakomi-suite/mini-v1": "d85fcd9aef2111d5e040c607e3328c1b758069513ada3bc5efd916f3e1fcd779",
    "kakomi-suite/default-v1": "04e312cfc8d6602340c9e2a7bf1d0f71d4f6846ea8da778a6c59e9a507d1adc0",
    "kakomi-suite/players-v1": "af8f15db5536a456f9d7552877e40919aba45521873c3d2526ee149890146f48",
    "kakomi-suite/transfer-v1": "6fc6e7e88b778b1486a765e4d287676d187766f92256f4cd663d1a9fe52823cf",
    "kakomi-suite/cpu-v1": "1cb7ded4a9f033f475109a6db89258d5faab3d61bd6ad053504da1facf9c6036",
    "kakomi-suite/exact-v1": "bebee51abd6759d3fbdcad6196e86fcc78d1af0a65de014d0cace6acde66fd23",
    "kakomi-suite/exact-levels-v1": "cc38bb4af128677a11a5df54aeb43aabfe2bbef51d62cfe14c09d88d50d052bf",
    "kakomi-suite/late-v1": "c7f042ad1ded45fb55eb851011863dbf7cadd1535c8d3e83a0a28d340500e4a4",
}


@pytest.mark.parametrize("track", tracks(), ids=lambda track: track.name)
def test_tasks_are_games_and_opponents_bots_within_the_budget(track) -> None:
    assert track.id.startswith("kakomi-suite/") and track.id.rpartition("-v")[2].isdigit()
    for task in track.tasks:
        assert task.found_game.name == task.game
        for options in task.learned_on:
            assert options.keys() <= task.found_game.options.keys() and options != task.options
    for opponent in track.opponents:
        assert budgeted(opponent, track.budget, track.tasks) == opponent


def test_published_tracks_stay_as_they_are() -> None:
    assert {track.id: track.hash for track in tracks()} == PUBLISHED


def test_a_track_is_found_by_its_id_with_and_without_the_prefix() -> None:
    assert find_track("mini-v1") == find_track("kakomi-suite/mini-v1")
    with pytest.raises(ValueError, match=r"no track 'mini'; there are: mini-v1, "):
        find_track("mini")


def test_a_file_that_holds_no_tracks_is_refused(tmp_path: Path) -> None:
    for text in ("not toml", "a = 1", '[[track]]\nid = "x"'):
        (tmp_path / "bad.toml").write_text(text)
        with pytest.raises(ValueError, match=r"bad\.toml is no file of tracks: "):
            tracks(tmp_path / "bad.toml")


def test_a_part_of_a_track_is_chosen_by_games_and_tasks() -> None:
    track = find_track("mini-v1")
    assert [task.name for task in track.chosen(["rin", "rings size=2"])] == ["rin size=6", "rings size=2"]
    assert track.chosen(None) == track.tasks
    with pytest.raises(ValueError, match=r"has no task 'go'; there are: rin size=6, "):
        track.chosen(["go"])


def test_all_agents_and_opponents_have_the_same_openings_and_seeds_have_others(tracks_file: Path) -> None:
    track = find_track("tiny-v1", tracks_file)
    one, other = (plan(track, track.tasks, [name] * 2) for name in ("random", "uct:simulations=20"))
    openings = [[pairing.opening for pairing in meeting.pairings] for meeting in one]
    assert openings == [[pairing.opening for pairing in meeting.pairings] for meeting in other]
    by_task = {(m.task.name, m.seed, m.opponent): set(o) for m, o in zip(one, openings, strict=True)}
    assert by_task["rin size=4", 1, "random"] == by_task["rin size=4", 1, "uct:simulations=5"]
    assert by_task["rin size=4", 1, "random"].isdisjoint(by_task["rin size=4", 2, "random"])
    numbers = [pairing.number for meeting in one for pairing in meeting.pairings]
    assert numbers == list(range(1, len(numbers) + 1))


def test_rules_have_a_hash_of_what_they_do(tmp_path: Path) -> None:
    track = find_track("tiny-v1", write_tracks(tmp_path))
    mini = find_track("mini-v1")
    hashes = [rules_hash(task.found_game) for task in (*track.tasks, *mini.tasks)]
    assert len(set(hashes)) == len(hashes)
    rules_hash.cache_clear()
    assert hashes[0] == rules_hash(track.tasks[0].found_game)


def test_opponents_have_a_hash_of_how_they_play(tracks_file: Path) -> None:
    track = find_track("tiny-v1", tracks_file)
    assert opponents_hash(track) == opponents_hash(track) != ""
    text = tracks_file.read_text(encoding="utf-8").replace("uct:simulations=5", "uct:simulations=19")
    tracks_file.write_text(text, encoding="utf-8")
    assert opponents_hash(find_track("tiny-v1", tracks_file)) != opponents_hash(track)
    assert opponents_hash(find_track("tiny-cpu-v1", tracks_file)) == ""


def test_weights_have_hashes_by_the_names_of_their_files(tmp_path: Path) -> None:
    tasks = find_track("mini-v1").chosen(["ren", "rive"])
    weights = [tmp_path / str(seed) / "network.pt" for seed in (1, 2)]
    for number, path in enumerate(weights):
        path.parent.mkdir()
        path.write_bytes(b"weights" * number)
    found = weights_hashes(["patterns:simulations=5", "random", "cmd:engine", "a:b"], tasks, weights)
    assert found.keys() == {*map(str, weights), "ren/patterns.npz", "rive/patterns.npz"}
    assert found[str(weights[1])] == file_hash(weights[1]) != found[str(weights[0])]
    with pytest.raises(OSError, match="No such file"):
        weights_hashes([], tasks, [tmp_path / "none.pt"])
