"""A farm on a Ray cluster of three nodes, which are processes on this machine listening only locally."""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from farm import tasks
from kakomi.farm import Farm, FarmError, Piece, WorkFailed, open_farm, ray_cluster
from kakomi.farm.ray_cluster import SETTINGS
from kakomi.farm.versions import versions
from learn.needs import needed
from waiting import until, wait_for_end

LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Ray's setting for identifying machines by 127.0.0.1 instead of their network address."""
TESTS = Path(__file__).resolve().parents[2]
os.environ.update(SETTINGS | LOOPBACK)
ray = needed("ray")

TIMEOUT = 300.0
START_TRIES = 4
NODES = 3
LOCAL = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False}
pytestmark = [
    # Ray leaves its files and sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of three nodes with one core each."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS))
        started = _started(Cluster)
        yield started
        started.shutdown()


def _started(cluster: Any) -> Any:
    """Start a cluster with all nodes, with retries: Ray's timeout of half a minute for a node may be too
    short on a busy machine."""
    for tries_left in reversed(range(START_TRIES)):
        started = cluster(initialize_head=False)
        try:
            for _ in range(NODES):  # the first becomes the head
                started.add_node(**LOCAL)
        except Exception:
            started.shutdown()
            if not tries_left:
                raise
        else:
            return started
    raise AssertionError


@pytest.fixture(autouse=True)
def within_bounds() -> Iterator[None]:
    """Limit the duration of a test."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"a test took more than {TIMEOUT:.0f} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(int(TIMEOUT))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def farm(cluster: Any) -> Iterator[Farm]:
    with open_farm(ray=cluster.address) as farm:
        yield farm


def draws(count: int) -> list[Piece[tuple[int, list[int]]]]:
    return [Piece(f"draw {seed}", tasks.draw, (0, 9), seed=seed) for seed in range(count)]


def waiting(folder: Path, count: int) -> list[Piece[str]]:
    return [Piece(f"p{number}", tasks.finish_when_told, (folder, f"p{number}")) for number in range(count)]


def parent(process: int) -> int:
    """The parent process of a worker, which is its node."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


class Background:
    """A farm's results, awaited in a thread while the test does something else."""

    def __init__(self, farm: Farm, pieces: list[Piece[Any]], folder: Path) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._results = self._thread.submit(farm.results, pieces)
        self._folder = folder

    def processes(self, count: int) -> list[int]:
        """Wait until `count` pieces have reported that they started, and return their processes."""

        def told() -> list[int]:
            assert not self._results.done(), self._results.result()
            begun = [int(text) for path in self._folder.iterdir() if (text := path.read_text())]
            return begun if len(begun) >= count else []

        return until(told, f"{count} pieces begun", TIMEOUT)

    def results(self) -> list[Any]:
        """Let the pieces end, and return all results."""
        (self._folder / "go").touch()
        found = self._results.result(timeout=TIMEOUT)
        self._thread.shutdown()
        return found


def test_every_node_works_and_comes_to_the_same_as_one_machine(farm: Farm, tmp_path: Path) -> None:
    assert farm.workers == NODES
    under_way = Background(farm, waiting(tmp_path, NODES), tmp_path)
    assert len({parent(process) for process in under_way.processes(NODES)}) == NODES
    assert under_way.results() == ["p0", "p1", "p2"]
    assert farm.results(draws(10)) == [tasks.draw(0, 9, seed=seed) for seed in range(10)]


def test_a_killed_worker_loses_nothing(farm: Farm, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pieces = [Piece("dies", tasks.die, (tmp_path / "deaths", 2)), *draws(3)]
    assert farm.results(pieces)[0] == "alive after 2"
    assert farm.deaths == 2
    assert capfd.readouterr() == ("", "")


def test_a_piece_that_kills_every_worker_is_named(farm: Farm, tmp_path: Path) -> None:
    pieces = [Piece("game 7", tasks.die, (tmp_path / "deaths", 99)), *draws(3)]
    with pytest.raises(WorkFailed, match=r"game 7 \(its worker on the cluster died: .*, 3 times\)"):
        farm.results(pieces)
    assert len((tmp_path / "deaths").read_text()) == 3


def test_an_exception_is_told_as_here(farm: Farm, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(WorkFailed, match=r"couldn't be done: game 3 \(ValueError: no stones\)$"):
        farm.results([Piece("game 3", tasks.raise_error, ("no stones",))])
    assert "in raise_error" in capfd.readouterr().err


def test_a_lost_node_loses_nothing_and_another_one_is_used(
    cluster: Any, farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_cluster, "LOOK_SECONDS", 0.2)
    nodes = {node.all_processes["raylet"][0].process.pid: node for node in cluster.worker_nodes}
    under_way = Background(farm, waiting(tmp_path, 2 * NODES), tmp_path)
    processes = under_way.processes(NODES)
    lost = next(nodes[parent(process)] for process in processes if parent(process) in nodes)
    cluster.remove_node(lost, allow_graceful=False)
    cluster.add_node(**LOCAL)
    assert under_way.results() == [f"p{number}" for number in range(2 * NODES)]
    assert farm.deaths >= 1


def test_closing_a_run_ends_what_is_under_way(farm: Farm, tmp_path: Path) -> None:
    run = farm.run([Piece("waits", tasks.mark_and_wait, (tmp_path, "waits")), *draws(9)])
    next(run)
    told = tmp_path / "waits"
    process = int(until(lambda: told.exists() and told.read_text(), "the piece begun"))
    run.close()
    wait_for_end(process)
    assert farm.results(draws(2)) == [tasks.draw(0, 9, seed=seed) for seed in range(2)]


def test_other_versions_are_said_in_a_line(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    other = versions()._replace(kakomi="0.0.1", files="0123456789ab")
    monkeypatch.setattr(ray_cluster, "versions", lambda: other)
    with pytest.raises(
        FarmError, match=r"^\S+ has kakomi \S+, not 0\.0\.1; files of kakomi \w+, not 0123456789ab as"
    ):
        farm.results(draws(1))


def only_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module that this process has imported, but no other process can import."""
    folder = folder / "gone"
    folder.mkdir()
    (folder / "only_here.py").write_text("def do_there(*arguments): return 1\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "only_here", raising=False)
    module = importlib.import_module("only_here")
    shutil.rmtree(folder)
    return module


def test_a_function_that_a_machine_lacks_is_said_in_a_line(
    farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WorkFailed, match=r"game 1 \(ModuleNotFoundError: No module named 'only_here'\)"):
        farm.results([Piece("game 1", only_here(tmp_path, monkeypatch).do_there)])


def test_a_machine_without_kakomi_is_said_in_a_line(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_cluster, "do_there", only_here(tmp_path, monkeypatch).do_there)
    with (
        open_farm(ray=cluster.address) as farm,
        pytest.raises(
            FarmError, match=r"^a machine .* can't work for Kakomi: .*No module named 'only_here'\S*$"
        ),
    ):
        farm.results(draws(1))


def test_nothing_is_reported_to_anybody(farm: Farm) -> None:
    from ray._common.usage import usage_lib

    assert farm.workers and not usage_lib.usage_stats_enabled()


def match(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "kakomi",
        "match",
        "random",
        "simulations:20",
        "--game",
        "rin",
        "--size",
        "4",
    ]
    return subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_a_match_is_the_same_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    for name, where in (("here", ()), ("there", ("--ray", cluster.address))):
        run = match("--games", "6", "--json", "--records", name, *where, folder=tmp_path)
        printed, told = run.communicate(timeout=TIMEOUT)
        assert run.returncode == 0, told
        assert json.loads(printed)["games"] == 6 and "ray" not in told.lower()
    for record in sorted((tmp_path / "here").iterdir()):
        there = json.loads((tmp_path / "there" / record.name).read_text())
        assert json.loads(record.read_text())["turns"] == there["turns"]


def test_ctrl_c_stops_a_match_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    running = match("--games", "4000", "--out", "match.jsonl", "--ray", cluster.address, folder=tmp_path)
    log = tmp_path / "match.jsonl"

    def has_games() -> bool:
        assert running.poll() is None
        return log.exists() and len(log.read_bytes()) >= 1_500

    until(has_games, "some games of a match", TIMEOUT)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=TIMEOUT)
    assert running.returncode == 130
    assert "--out match.jsonl to continue" in told and "Traceback" not in told


def test_an_address_at_which_nobody_is_ends_with_one_line(tmp_path: Path) -> None:
    run = match("--games", "2", "--ray", "127.0.0.1:1", folder=tmp_path)
    _, told = run.communicate(timeout=TIMEOUT)
    assert run.returncode == 1
    assert told.startswith("kakomi: no Ray cluster answers at 127.0.0.1:1 (") and told.count("\n") == 1
