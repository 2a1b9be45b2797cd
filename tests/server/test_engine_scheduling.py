"""Who is served by which engine and when, by an engine that does as it is told."""

import sys
from pathlib import Path

import pytest

from kakomi.kernel import Mode, use_mode
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.session import Event
from server.engine_pools import PATIENCE_SECONDS, STUB, begun, decided, run, until
from waiting import is_alive


def test_nothing_is_compiled_ahead_where_rules_are_compiled_anyway(tmp_path: Path) -> None:
    with EnginePool(1, command=[sys.executable, STUB, str(tmp_path / "log")]) as pool:
        pool.prepare("rin")
        assert decided(pool, begun("rin"), "any") == Event(0, "play", "0,0")
        assert "rin" not in pool._precompiler._under_way
    assert "setup" not in (tmp_path / "log").read_text()


def test_askers_take_turns(tmp_path: Path) -> None:
    log, gate = tmp_path / "log", tmp_path / "gate"
    match = begun("rin")
    with EnginePool(1, command=[sys.executable, STUB, str(log)]) as pool:
        asked = [("a", f"gate:{gate}"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1")]
        futures = [pool.decide_soon(match, 0, bot, 5, client=client) for client, bot in asked]
        run(until(lambda: (pool.busy, pool.waiting) == (1, 4)))
        gate.touch()
        for future in futures:
            future.result(PATIENCE_SECONDS)
    assert log.read_text().split()[1:] == ["b1", "c1", "a2", "a3"]


def test_engines_load_games_ahead(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with EnginePool(2, command=[sys.executable, STUB, str(log)]) as pool:
        with use_mode(Mode.ADAPTIVE):
            pool.prepare("rin")
        loaded = "setup rin\nsearch:simulations=1\n"
        run(until(lambda: log.exists() and log.read_text() == loaded * 2))
        assert decided(pool, begun("rin"), "any") == Event(0, "play", "0,0")


def test_one_engine_is_started_for_whoever_comes_and_takes_the_first_job(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with EnginePool(2, command=[sys.executable, STUB, str(log)]) as pool:
        with use_mode(Mode.ADAPTIVE):
            for _ in range(2):
                pool.wake()
        assert decided(pool, begun("rin"), "any") == Event(0, "play", "0,0")
        assert len(pool.pids) == 1
    assert log.read_text().splitlines() == ["setup lin", "search:simulations=1", "any"]


def test_after_three_engines_it_is_an_error(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with EnginePool(2, command=[sys.executable, STUB, str(log)]) as pool:
        told = "3 engines failed: an engine exited with code 1: out of luck"
        with pytest.raises(EnginePoolError, match=told):
            decided(pool, begun("rin"), "die")
        with pytest.raises(EnginePoolError, match="not today"):
            decided(pool, begun("rin"), "refuse")
        assert decided(pool, begun("rin"), "any") == Event(0, "play", "0,0")
    assert log.read_text().split() == ["die"] * 3 + ["refuse", "any"]


def test_an_engine_that_can_t_be_started() -> None:
    with EnginePool(1, command=["/no/such/program"]) as pool:
        with use_mode(Mode.ADAPTIVE):
            pool.prepare("rin")  # finds out nothing that a decision won't say
        with pytest.raises(EnginePoolError, match="can't be started"):
            decided(pool, begun("rin"), "1")


def test_closing_ends_everything(tmp_path: Path) -> None:
    command = [sys.executable, STUB, str(tmp_path / "log")]
    pool = EnginePool(1, command=command)
    futures = [pool.decide_soon(begun("rin"), 0, "gate:never", 5, client="table") for _ in range(2)]
    run(until(lambda: len(pool.pids) == 1))
    (pid,) = pool.pids
    pool.close()
    assert not is_alive(pid)
    for future in futures:
        with pytest.raises(EnginePoolError, match="the engines have been shut down"):
            future.result(PATIENCE_SECONDS)
    with pytest.raises(EnginePoolError, match="the engines have been shut down"):
        decided(pool, begun("rin"), "1")
