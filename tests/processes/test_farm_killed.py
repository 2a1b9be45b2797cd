"""A farm whose workers or parent process are killed."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path

import pytest

from farm import tasks
from kakomi.farm import Farm, Piece, WorkFailed, open_farm, processes
from waiting import until, wait_for_end


@pytest.fixture(scope="module")
def shared() -> Iterator[Farm]:
    """A farm whose workers stay warm."""
    with open_farm(workers=2) as farm:
        yield farm


def draws(count: int) -> list[Piece[tuple[int, list[int]]]]:
    return [Piece(f"draw {seed}", tasks.draw, (0, 9), seed=seed) for seed in range(count)]


def test_a_worker_that_is_killed_loses_nothing_and_is_replaced(shared: Farm, tmp_path: Path) -> None:
    before = shared.deaths
    pieces = [Piece("dies", tasks.die, (tmp_path / "deaths", 2)), Piece("lives", tasks.process_id)]
    assert shared.results(pieces)[0] == "alive after 2"
    assert shared.deaths == before + 2


def test_a_worker_that_dies_when_another_has_ended_is_met_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies after the check for ended workers, and before the next check."""

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
    """Ctrl-C also reaches the workers, which leave its handling to the program."""
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
from kakomi.farm import processes

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass

processes.end_on_sigterm()
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
