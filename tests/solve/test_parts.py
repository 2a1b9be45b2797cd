"""The solver's keys, bounds and file."""

from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi import Position
from kakomi.solve import Bounds, Progress, Solver
from kakomi.solve.checkpoint import load, save
from kakomi.solve.search import NOWHERE, begin
from kakomi.solve.table import ENTRY, Table
from solve.table_drivers import look_up, put
from solve.test_values import economical


def key_of(solver: Solver, position: Position) -> int:
    solver.space.put(position, 0, NOWHERE)
    begin(*solver.space.arguments())
    return int(solver.space.stack.frames["key"][0])


def mirrored(position: Position, symmetry: int, solver: Solver) -> Position:
    """The position after the same actions on the rotated or mirrored board."""
    there, following = solver.space.maps[0][symmetry], solver.position
    for action in position.actions_since(solver.position) or []:
        following = following.play_action(int(there[action]))
    return following


@pytest.mark.parametrize(
    ("name", "options", "actions"),
    [
        ("rin", {"size": 4}, "0,1 2,3 1,1 0,0 3,1"),
        ("rive", {"size": 3}, "c3 a1 a2 a3 b1 xa1"),
        ("lin", {"size": 5}, "c3 b2 d4"),
        ("ren", {"size": 5}, "a1 c3 b1 c4 c1 d4 d1 pass a2"),
        ("rings", {"size": 2}, "C1 D1 B2 F4 A4 G4 C3 xCD2"),
    ],
)
def test_symmetries_keep_the_key_and_one_stone_changes_it(
    name: str, options: dict[str, int], actions: str
) -> None:
    position = kakomi.game(name, **options).start()
    solver = Solver(position, memory_mb=1)
    with economical(name):
        keys = {key_of(solver, position)}
        for action in actions.split():
            if action not in position.legal():
                continue
            position = position.play(action)
            key = key_of(solver, position)
            assert key not in keys
            keys.add(key)
            for symmetry in range(solver.space.keys.symmetries):
                assert key_of(solver, mirrored(position, symmetry, solver)) == key
    assert position.ply > 2


def test_twins_in_rings_are_told_apart_by_nothing() -> None:
    """Twins are the two points at a corner of the board that lie only in one full circle."""
    start = kakomi.game("rings", size=2).start()
    solver = Solver(start, memory_mb=1)
    one, other = played(start, "A3 D1 B2 H5"), played(start, "B2 D1 A3 H5")
    assert solver.space.keys.is_exact
    with economical("rings"):
        keys = [key_of(solver, position) for position in (one, other, played(start, "A3 D1 H5 B2"))]
    assert keys[0] == keys[1] != keys[2]


def played(position: Position, actions: str) -> Position:
    for action in actions.split():
        position = position.play(action)
    return position


def test_bounds_ask_for_the_win_first_and_close_in() -> None:
    for value in (-40, -3, -1, 0, 1, 2, 9, 100):
        bounds, asked = Bounds(), []
        while not bounds.is_exact:
            asked.append(bounds.next_threshold())
            threshold = asked[-1]
            bounds = bounds.after(threshold, threshold if value >= threshold else threshold - 1)
            assert len(asked) < 20
        assert bounds.lower == value and asked[0] == 1
    with pytest.raises(ValueError, match="known"):
        Bounds(3, 3).next_threshold()


def test_bounds_that_meet_leave_one_value() -> None:
    assert Bounds(None, -7).narrowed_by(Bounds(-7, 7)) == Bounds(-7, -7)
    assert Bounds(7, None).narrowed_by(Bounds(-7, 7)) == Bounds(7, 7)
    for open_still in (Bounds(None, -6), Bounds(1, None), Bounds()):
        assert open_still.narrowed_by(Bounds(-7, 7)) == open_still == open_still.narrowed_by(Bounds())


@pytest.mark.parametrize(
    ("lower", "upper", "outcome"),
    [
        (None, None, "unknown"),
        (1, None, "win"),
        (0, None, "draw or win"),
        (None, 0, "loss or draw"),
        (0, 0, "draw"),
        (-5, -2, "loss"),
        (-1, 1, "unknown"),
    ],
)
def test_outcomes(lower: int | None, upper: int | None, outcome: str) -> None:
    assert Bounds(lower, upper).outcome == outcome


def test_the_table_gives_up_the_smallest_search() -> None:
    table = Table(0)
    assert len(table.entries) == 4
    for key, effort in ((0, 3), (7, 1), (8, 2), (9, 5), (10, 4)):
        put(table.entries, np.uint64(key), key, effort)
    assert look_up(table.entries, np.uint64(7)) == -1
    for key in (0, 8, 9, 10):
        assert table.entries[look_up(table.entries, np.uint64(key))]["lower"] == key


def begun(stop_after: int | None, seat: int = 0) -> Solver:
    solver = Solver(kakomi.game("rin", size=4).start().play("1,1").play("0,0").play("0,3"), seat, 4)

    def goes_on(progress: Progress) -> bool:
        return stop_after is None or progress.nodes < stop_after

    solver.run(goes_on)
    return solver


def test_work_goes_on_from_a_file(tmp_path: Path) -> None:
    whole, stopped = begun(None), begun(1)
    assert whole.is_done and not stopped.is_done
    save(stopped, tmp_path / "work")
    resumed = begun(0)
    load(resumed, tmp_path / "work")
    assert resumed.nodes == stopped.nodes and resumed.bounds == stopped.bounds
    assert len(np.concatenate(list(resumed.table.used_entries()))) > 1000
    assert resumed.run() and resumed.value == whole.value
    assert resumed.nodes < whole.nodes + 60_000


def test_a_solver_that_was_stopped_knows_no_value() -> None:
    with pytest.raises(ValueError, match="the value isn't known yet"):
        begun(1).value  # noqa: B018


def test_files_that_are_no_use_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "work"
    save(begun(1), path)
    whole = path.read_bytes()
    for damaged in (whole[: -ENTRY.itemsize], whole[:-1], whole[:-1] + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="damaged"):
            load(begun(0), path)
    for foreign in (b"", b"{}\n", b"[1]\n", b"\xff\n"):
        path.write_bytes(foreign)
        with pytest.raises(ValueError, match="holds no work"):
            load(begun(0), path)
    path.write_bytes(whole)
    with pytest.raises(ValueError, match=r"another seat \(0, not 1\)"):
        load(begun(0, seat=1), path)
    path.write_bytes(whole.replace(b'"code": ["', b'"code": ["0'))
    with pytest.raises(ValueError, match="another version"):
        load(begun(0), path)


def test_what_cannot_be_solved_is_refused() -> None:
    position = kakomi.game("rive", size=2).start()
    with pytest.raises(ValueError, match="seat 2: rive has players 0 to 1"):
        Solver(position, 2)
    while not position.is_over:
        position = position.play(position.legal()[0])
    with pytest.raises(ValueError, match="over"):
        Solver(position)
