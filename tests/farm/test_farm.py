"""A farm on this machine: what pieces come to, whatever becomes of the workers."""

import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path

import pytest

from farm import tasks
from kakomi.farm import Farm, FarmError, Piece, WorkFailed, open_farm, processes
from kakomi.farm.farm import MOST_FAILURES
from waiting import until, wait_for_end


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
    assert farm.deaths <= 1  # a worker that dies between pieces takes none along


def test_a_worker_that_is_killed_loses_nothing_and_is_replaced(shared: Farm, tmp_path: Path) -> None:
    before = shared.deaths
    pieces = [Piece("dies", tasks.die, (tmp_path / "deaths", 2)), Piece("lives", tasks.process_id)]
    assert shared.results(pieces)[0] == "alive after 2"
    assert shared.deaths == before + 2


def test_a_worker_that_dies_when_another_has_ended_is_met_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies after the look at who has ended, and before the next one at anything else."""

    def ended(connections: list[Connection]) -> list[Connection]:
        assert connections, "there are pieces under way, and nobody has them"
        while len(wait(connections, 0.1)) < len(connections):
            pass
        return connections[:1]

    monkeypatch.setattr(processes, "wait", ended)
    pieces = [Piece("lives", tasks.process_id), Piece("dies", tasks.die, (tmp_path / "deaths", 1))]
    with open_farm(workers=2) as farm:
        assert farm.results(pieces)[1] == "alive after 1"
        assert farm.deaths == 1


def test_a_piece_that_kills_every_worker_is_named_in_the_end(shared: Farm, tmp_path: Path) -> None:
    pieces = [Piece("game 7", tasks.die, (tmp_path / "deaths", 99)), *draws(4)]
    done = []
    with pytest.raises(
        WorkFailed, match=r"game 7 \(its worker process died, exit code -9, 3 times\)"
    ) as failed:
        done.extend(piece.name for piece, _ in shared.run(pieces))
    assert sorted(done) == [f"draw {seed}" for seed in range(4)]
    assert [failure.piece for failure in failed.value.failures] == ["game 7"]
    assert len((tmp_path / "deaths").read_text()) == 3


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


def test_closing_a_run_ends_what_is_under_way(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    with open_farm(workers=2) as farm:
        pieces = [Piece("waits", tasks.mark_and_wait, (tmp_path, "waits")), *draws(1)]
        run = farm.run(pieces)
        next(run)
        wait_for(tmp_path / "waits")
        run.close()
        wait_for_end(int((tmp_path / "waits").read_text()))
        assert farm.results(draws(2)) == [tasks.draw(0, 9, seed=seed) for seed in range(2)]
    assert set(multiprocessing.active_children()) <= before


def wait_for(path: Path) -> None:
    until(lambda: path.exists() and path.read_text(), f"words in {path}")


ENDLESS = """
import sys
from pathlib import Path
from farm import tasks
from kakomi.farm import Piece, open_farm

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pieces = [Piece(name, tasks.mark_and_wait, (folder, name)) for name in ("a", "b")]
    with open_farm(workers=2) as farm:
        farm.results(pieces)
"""


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_whoever_started_it(tmp_path: Path, way: int) -> None:
    """Ctrl-C reaches the workers too, which leave it to the program."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    tests = Path(__file__).resolve().parents[1]
    running = subprocess.Popen(
        [sys.executable, tmp_path / "endless.py", tmp_path],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(tests)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    for name in ("a", "b"):
        wait_for(tmp_path / name)
    if way == signal.SIGINT:
        os.killpg(running.pid, way)
    else:
        running.kill()
    said = running.communicate(timeout=60)[1]
    assert said.count("Traceback") == (way == signal.SIGINT)
    for name in ("a", "b"):
        wait_for_end(int((tmp_path / name).read_text()))


ENDED_WHILE_FINALIZING = """
import os, signal, time
from kakomi.farm import worker_process

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass

worker_process.end_on_sigterm()
try:
    Finalized()
    time.sleep(20)
finally:
    print("engines ended")
"""


def test_a_worker_ends_even_if_it_is_told_so_while_an_object_is_finalized() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDED_WHILE_FINALIZING], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGTERM, "engines ended\n", "")
