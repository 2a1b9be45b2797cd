"""Positions with known values, and the scoring of choices there."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import kakomi
from kakomi.research.suite import AgentError, faults, find_track, run
from kakomi.research.suite.__main__ import main
from kakomi.research.suite.agent import rules_hash
from kakomi.research.suite.exact import (
    ValuedBoard,
    ValuedPosition,
    exact_score,
    judged,
    positions_of,
    valued_board,
    valued_position,
)
from kakomi.research.suite.result import Interval
from kakomi.research.suite.running import Order
from kakomi.research.suite.table import mean_of
from kakomi.research.suite.track import SHIPPED, Sample
from kakomi.study.matches import GameLogError
from sampling import sample

TRACK = find_track("exact-v1")
SAMPLED = [(find_track(name), task) for name in ("exact-v1", "late-v1") for task in find_track(name).tasks]
MOST_LEFT = 6
"""The most actions of a position to prove again here, since each may take the solver a while."""


@pytest.mark.parametrize(("track", "task"), sample(SAMPLED, 4), ids=lambda one: one.name)
def test_the_shipped_positions_hold_what_the_solver_says(track, task) -> None:
    board = positions_of(track, SHIPPED.parent)[task.name]
    assert len(board.positions) == task.sample.count
    assert board.rules == rules_hash(task.found_game)
    for one in board.positions:
        position = one.position(task.found_game)
        assert set(position.legal()) == set(one.values)
        assert len(set(one.values.values())) > 1
        assert position.ply >= task.sample.plies[0]
        assert position.ply <= task.sample.plies[1] or task.sample.plies[1] < 0
    keys = {one.position(task.found_game).key() for one in board.positions}
    assert len(keys) == task.sample.count
    easiest = min(board.positions, key=lambda one: (len(one.values), -len(one.moves)))
    assert valued_position(easiest.position(task.found_game)) == easiest


def test_positions_are_drawn_so_far_from_the_end() -> None:
    """A random game of Rin 4×4 has at most 16 actions."""
    task = replace(TRACK.tasks[0], sample=Sample(5, (-6, -5)))
    board = valued_board(TRACK, task)
    assert len(board.positions) == 5
    assert all(8 <= len(one.moves) <= 11 for one in board.positions)


def test_values_agree_with_the_value_of_the_board() -> None:
    start = kakomi.game("rive", size=2).start()
    found = valued_position(start)
    assert found is not None and found.best == 1  # docs/solved.md


def made(*values: dict[str, int]) -> ValuedBoard:
    return ValuedBoard("rin size=4", "", tuple(ValuedPosition((), one) for one in values))


def test_choices_are_judged_by_values() -> None:
    board = made({"a": 3, "b": 1, "c": -2}, {"a": -1, "b": -1, "c": -4})
    best = judged("rin", board, [["a", "a"], ["a", "b"]])
    assert best.optimal.value == best.kept.value == 1 and best.regret.value == 0
    worse = judged("rin", board, [["b", "c"]])
    assert worse.optimal.value == 0 and worse.kept.value == 1 and worse.regret.value == pytest.approx(2.5)
    assert judged("rin", board, [["c", "a"]]).kept.value == 0.5
    assert worse.chance == pytest.approx((1 / 3 + 2 / 3) / 2)
    score, by_seed = exact_score(
        {"rin size=4": board}, [judged("rin size=4", board, [["a", "a"], ["b", "c"]])]
    )
    assert (score.value, by_seed, score.count) == (0.5, (1.0, 0.0), 2)


def test_choices_that_are_none_are_refused() -> None:
    board = made({"a": 3, "b": 1})
    with pytest.raises(ValueError, match="x isn't legal"):
        judged("rin", board, [["x"]])
    with pytest.raises(ValueError, match="2 actions for 1 positions"):
        judged("rin", board, [["a", "a"]])


def write_positions(tracks_file: Path) -> None:
    out = tracks_file.parent / "tiny-exact-v1.json"
    assert main(["positions", "tiny-exact-v1", "--tracks", str(tracks_file), "--out", str(out)]) == 0


def test_a_run_answers_each_position_and_goes_on(tracks_file: Path, agents: str, tmp_path: Path) -> None:
    write_positions(tracks_file)
    track = find_track("tiny-exact-v1", tracks_file)

    def stop(done: int, of: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    order = Order(track=track, agent=agents + "Chance", seeds=2, tracks_file=tracks_file)
    with pytest.raises(KeyboardInterrupt):
        run(order, tmp_path / "a.jsonl", tell=stop)
    kept = (tmp_path / "a.jsonl").read_bytes()
    found = run(order, tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes().startswith(kept) and kept.count(b"\n") == 5
    assert [one.task for one in found.answers] == ["rive size=2", "rin size=4"]
    assert found.score.count == 6
    assert faults(found, tracks_file) == []
    other = Order(track=track, agent="random", seeds=2, tracks_file=tracks_file)
    with pytest.raises(GameLogError, match="begun on other terms"):
        run(other, tmp_path / "a.jsonl")


def test_who_plays_perfectly_loses_nothing_and_a_check_sees_other_choices(
    tracks_file: Path, tmp_path: Path
) -> None:
    write_positions(tracks_file)
    track = find_track("tiny-exact-v1", tracks_file)
    boards = positions_of(track, tracks_file.parent)
    order = Order(track=track, agent="uct", seeds=1, tracks_file=tracks_file)
    found = run(order, tmp_path / "a.jsonl")
    best = tuple(
        judged(name, board, [[max(one.values, key=one.values.__getitem__) for one in board.positions]])
        for name, board in boards.items()
    )
    assert exact_score(boards, best)[0].value == 1
    cheated = msgspec.structs.replace(found, score=exact_score(boards, best)[0])
    if cheated.score != found.score:
        assert any("the score is 1.0000" in fault for fault in faults(cheated, tracks_file))
    regret = msgspec.structs.replace(found.answers[0].regret, value=9.0)
    wrong = msgspec.structs.replace(found.answers[0], regret=regret)
    changed = msgspec.structs.replace(found, answers=(wrong, *found.answers[1:]))
    assert any("regret is 9.0000" in fault for fault in faults(changed, tracks_file))
    moved = msgspec.structs.replace(found, positions_hash="0")
    assert "the positions were other ones" in faults(moved, tracks_file)


@pytest.mark.parametrize(
    ("agent", "words"), [("lost", "'z99' isn't an action in Rive"), ("none", "which isn't legal")]
)
def test_an_agent_that_answers_no_legal_action_is_told_where(
    tracks_file: Path, agents: str, tmp_path: Path, agent: str, words: str
) -> None:
    write_positions(tracks_file)
    track = find_track("tiny-exact-v1", tracks_file)
    order = Order(track=track, agent=agents + agent, seeds=1, tasks=["rive"], tracks_file=tracks_file)
    with pytest.raises(AgentError, match=words):
        run(order, tmp_path / "a.jsonl")


def test_a_mean_of_figures_has_an_interval_from_theirs() -> None:
    one, other = Interval(0.5, 0.2, 0.6, 40), Interval(0.9, 0.5, 1.0, 30)
    mean = mean_of([one, other])
    assert mean == Interval(pytest.approx(0.7), pytest.approx(0.45), pytest.approx(0.7 + 0.5 * 0.02**0.5), 70)
    assert mean_of([one]) == Interval(0.5, pytest.approx(0.2), pytest.approx(0.6), 40)
