"""A farm on this machine: results and failures of pieces, even if workers die."""

import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from farm import tasks
from kakomi.farm import Farm, FarmError, Piece, WorkFailed, open_farm
from kakomi.farm.farm import MOST_FAILURES
from kakomi.farm.piece import Result
from kakomi.farm.processes import Processes
from waiting import wait_for_end


@pytest.fixture(scope="module")
def shared() -> Iterator[Farm]:
    """A farm whose workers stay warm."""
    with open_farm(workers=2) as farm:
        yield farm


def draws(count: int) -> list[Piece[tuple[int, list[int]]]]:
    return [Piece(f"draw {seed}", tasks.draw, (0, 9), seed=seed) for seed in range(count)]


def test_results_are_the_same_with_any_number_of_workers(shared: Farm) -> None:
    here = [tasks.draw(0, 9, seed=seed) for seed in range(12)]
    with open_farm(workers=1) as alone:
        assert alone.results(draws(12)) == here
    assert shared.results(draws(12)) == here
    assert {piece.name: result for piece, result in shared.run(draws(12))} == {
        f"draw {seed}": result for seed, result in enumerate(here)
    }


def test_results_come_as_they_are_done_and_pieces_may_go_on_for_ever(shared: Farm, tmp_path: Path) -> None:
    first = Piece("waits", tasks.finish_when_told, (tmp_path, "waits"))
    endless = (Piece("quick", tasks.process_id) for _ in itertools.count())
    run = shared.run(itertools.chain([first], endless))
    assert [next(run)[0].name for _ in range(3)] == ["quick"] * 3
    (tmp_path / "go").touch()
    assert next(result for piece, result in run if piece is first) == "waits"
    run.close()


def test_workers_stay_from_run_to_run() -> None:
    with open_farm(workers=1) as farm:
        one, same = (farm.results([Piece("who", tasks.process_id)]) for _ in range(2))
        assert one == same and farm.workers == 1
        os.kill(one[0], signal.SIGKILL)
        wait_for_end(one[0])
        assert farm.results([Piece("who", tasks.process_id)]) != one
    assert farm.deaths <= 1  # a worker that dies between pieces loses none


UNGUARDED = """
from kakomi.farm import Piece, open_farm

if __name__ != "__main__" and {fails}:
    raise ValueError("the games of the script itself are being kept")
farm = open_farm(workers=2)
print(farm.results([Piece("a", abs, (-1,)), Piece("b", abs, (-2,))]))
"""


@pytest.mark.parametrize("fails", [False, True])
def test_a_script_that_is_not_guarded_gets_one_sentence(fails: bool, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED.format(fails=fails))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("Traceback") <= (3 if fails else 1) and "bootstrapping" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "kakomi.farm.piece.FarmError: every worker process imports your script, and that failed: "
        'put what the script does under a line `if __name__ == "__main__":`'
    )


def test_a_worker_hears_no_ctrl_c_before_it_can_decide_about_it() -> None:
    """A terminal may send it to all processes while workers are still starting."""
    workers = Processes(1)
    try:
        workers.begin(1, Piece("a", tasks.hears_ctrl_c).packed())
        os.kill(workers._processes[0]._process.pid or 0, signal.SIGINT)
        assert workers.ended() == [] and workers.ended() == [(1, Result(False))]
    finally:
        workers.close()


def test_an_exception_is_told_and_not_tried_again(shared: Farm, capfd: pytest.CaptureFixture[str]) -> None:
    pieces = [Piece("game 3", tasks.raise_error, ("no\nstones",)), *draws(2)]
    with pytest.raises(WorkFailed, match=r"^couldn't be done: game 3 \(ValueError: no stones\)$"):
        shared.results(pieces)
    told = capfd.readouterr().err
    assert told.count("Traceback") == 1 and "in raise_error" in told


def test_pieces_that_all_fail_come_to_an_end(shared: Farm, capfd: pytest.CaptureFixture[str]) -> None:
    endless = (Piece(f"game {number}", tasks.raise_error, ("no",)) for number in itertools.count(1))
    with pytest.raises(
        WorkFailed, match=r"game \d+ .*; game \d+ .*; game \d+ \(ValueError: no\) and \d+ more"
    ) as caught:
        list(shared.run(endless))
    numbers = [int(failure.piece.removeprefix("game ")) for failure in caught.value.failures]
    assert len(numbers) >= MOST_FAILURES and numbers == sorted(numbers)
    assert numbers[-1] <= len(numbers) + shared.workers, "what is still under way at the end is in no order"
    assert capfd.readouterr().err.count("Traceback") < 20


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("large", r"its result is 2.0 MB, and at most 1 MB travel: put large data into a file"),
        ("no pickle", r"TypeError: cannot pickle"),
        ("unreadable", r"its result can't be read: TypeError"),
    ],
)
def test_a_result_that_cannot_travel_is_said(
    shared: Farm, kind: str, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WorkFailed, match=rf"game 1 \({told}"):
        shared.results([Piece("game 1", tasks.answer_with, (kind,))])
    capfd.readouterr()


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        (Piece("rows", len, (bytes(3 << 20),)), r"rows is 3.0 MB, and at most 1 MB travel: .* pass its name"),
        (Piece("lock", len, (threading.Lock(),)), r"lock can't be sent to a worker: cannot pickle"),
        (Piece("nameless", lambda: 1), r"nameless can't be sent to a worker: .*lambda"),
    ],
)
def test_a_piece_that_cannot_travel_is_refused(shared: Farm, piece: Piece, told: str) -> None:
    with pytest.raises(FarmError, match=told):
        shared.results([piece])
    assert shared.results(draws(2)) == [tasks.draw(0, 9, seed=seed) for seed in range(2)]
