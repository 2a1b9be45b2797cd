"""Bots think in other processes: correct decisions, fair scheduling, and recovery from failures of
engines."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from kakomi import catalog
from kakomi.bots import make_bot, strongest_search
from kakomi.kernel import Mode, use_mode
from kakomi.search import PlainSearch, Report
from kakomi.server.engines import EnginePool, EnginePoolError, seed_of_decision
from kakomi.server.engines.pool import is_compiled
from kakomi.server.engines.processes import Precompiler
from kakomi.session import Event, Match, act_for_bot
from kakomi.solve import Solver
from server.engine_pools import PATIENCE_SECONDS, STUB, begun, decided, run, until
from waiting import is_alive, wait_for_end

LONG = "simulations:100000000"
"""A bot that thinks for longer than any test waits."""
A_WHILE = "simulations:60000"
"""A bot that reports progress several times and finishes soon."""
SMALL = {"size": 4}


def here(match: Match, bot: str, seed: int = 5) -> Event:
    """The same decision, made in this process."""
    event = act_for_bot(match, make_bot(bot, seed=seed_of_decision(match, seed))).last
    assert event
    return event


@pytest.fixture(scope="module")
def pool() -> Iterator[EnginePool]:
    with EnginePool(2) as pool:
        yield pool


@pytest.mark.parametrize("name", catalog.names())
def test_a_decision_is_what_the_bot_would_do(pool: EnginePool, name: str) -> None:
    match = begun(name)
    for _ in range(3):
        event = decided(pool, match, "2")
        assert event == here(match, "2")
        match = match.apply(event)


def test_it_does_not_matter_what_was_asked_before(pool: EnginePool) -> None:
    match = begun("rin")
    assert [decided(pool, match, "1", seed=9) for _ in range(3)] == [here(match, "1", seed=9)] * 3


def test_negotiation_is_decided_too(pool: EnginePool) -> None:
    match = begun("lin", "1", {"negotiate": True}, size=5)
    for kind in ("komi", "colour", "play"):
        event = decided(pool, match, "1")
        assert event == here(match, "1") and event.kind == kind
        match = match.apply(event)


@pytest.mark.parametrize(("opening", "kind"), [("c3", "swap"), ("a1", "play")])
def test_the_other_side_is_taken_over_if_it_is_better(pool: EnginePool, opening: str, kind: str) -> None:
    match = begun("lin", terms={"swap": True}, size=5).play(0, opening)
    event = decided(pool, match, "simulations:300")
    assert event == here(match, "simulations:300")
    if opening == "c3":
        assert event.kind == kind


def test_two_tables_at_once_and_progress(pool: EnginePool) -> None:
    async def both() -> list[Event]:
        match, told = begun("rin"), []

        async def decide(client: str) -> Event:
            return await pool.decide(match, 0, A_WHILE, 5, client=client, on_progress=told.append)

        found = await asyncio.gather(decide("one"), decide("other"))
        assert told and all(0 <= progress <= 1 for progress in told)
        return found

    one, other = run(both())
    assert one == other
    assert len(pool.pids) == 2


def test_what_the_engine_refuses_is_an_error(pool: EnginePool) -> None:
    with pytest.raises(EnginePoolError, match="there is no bot 'best'"):
        decided(pool, begun("rin"), "best")


def test_a_killed_engine_costs_nothing_but_time() -> None:
    match = begun("rin")
    killed: list[int] = []
    with EnginePool(1) as pool:

        def kill(_: float) -> None:
            if not killed:
                killed.extend(pool.pids)
                os.kill(killed[0], signal.SIGKILL)

        future = pool.decide_soon(match, 0, A_WHILE, 5, client="table", on_progress=kill)
        event = future.result(PATIENCE_SECONDS)
        assert killed and pool.pids and pool.pids != killed
    assert event == here(match, A_WHILE)


def test_a_cancelled_decision_frees_its_engine(pool: EnginePool) -> None:
    async def cancelled() -> None:
        told = asyncio.Event()
        task = asyncio.create_task(
            pool.decide(begun("rin"), 0, LONG, 5, client="table", on_progress=lambda _: told.set())
        )
        await told.wait()
        before = pool.pids
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: pool.busy == 0)
        assert pool.pids == before

    run(cancelled())


def test_a_cancelled_question_does_not_wait_any_longer(pool: EnginePool) -> None:
    futures = [pool.decide_soon(begun("rin"), 0, LONG, 5, client="table") for _ in range(3)]

    async def cancelled() -> None:
        await until(lambda: (pool.busy, pool.waiting) == (2, 1))
        futures[2].cancel()
        await until(lambda: (pool.busy, pool.waiting) == (2, 0))
        for future in futures[:2]:
            future.cancel()
        await until(lambda: pool.busy == 0)

    run(cancelled())


def test_an_analysis_streams_and_stops(pool: EnginePool) -> None:
    async def watched() -> list[Report]:
        found = []
        async with aclosing(pool.analyse("rin", {"size": 8}, ["3,3"], client="guest", lines=3)) as reports:  # type: ignore[type-var]
            async for analysis in reports:
                found.append(analysis)
                if len(found) == 3:
                    break
        await until(lambda: pool.busy == 0)
        return found

    first, _, last = run(watched())
    assert first.simulations < last.simulations
    assert len(last.lines) == 3 and last.action == last.lines[0].action
    assert sum(last.chances) == pytest.approx(1, abs=1e-3) and last.to_move == 1


@pytest.mark.parametrize("limit", [{"seconds": 0.5}, {"simulations": 500}])
def test_an_analysis_ends_at_its_limit(pool: EnginePool, limit: dict[str, Any]) -> None:
    async def found() -> list[Report]:
        return [each async for each in pool.analyse("rin", {"size": 8}, [], client="guest", **limit)]

    last = run(found())[-1]
    assert last.simulations == limit.get("simulations", last.simulations) > 0


def test_an_analysis_of_what_cannot_be_is_an_error(pool: EnginePool) -> None:
    async def found() -> None:
        async for _ in pool.analyse("rin", SMALL, ["9,9"], client="guest"):
            pass

    with pytest.raises(EnginePoolError, match="'9,9' isn't an action"):
        run(found())


def test_an_analysis_makes_room_for_a_move_and_goes_on() -> None:
    async def watched(pool: EnginePool) -> None:
        match = begun("rin")
        async with aclosing(pool.analyse("rin", {"size": 8}, [], client="guest")) as reports:  # type: ignore[type-var]
            await anext(reports)
            event = await pool.decide(match, 0, "1", 5, client="table")
            assert event == here(match, "1")
            await anext(reports)
            await anext(reports)
            assert pool.busy == 1

    with EnginePool(1) as pool:
        run(watched(pool))


def test_a_bot_accepts_a_draw_unless_it_is_ahead(pool: EnginePool) -> None:
    ahead = begun("lin", size=5, komi=0)
    behind = begun("lin", size=5, komi=24)

    async def answers(match: Match) -> list[bool]:
        return [await pool.accepts_draw(match, seat, 5, client="table") for seat in (0, 1)]

    assert run(answers(ahead)) == [False, True]
    assert run(answers(behind)) == [True, False]
    assert run(answers(begun("lin", "1", {"negotiate": True}, size=5))) == [False, False]


def test_a_game_is_compiled_ahead(
    pool: EnginePool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kakomi.server.engines.pool.is_compiled", lambda game: False)
    with use_mode(Mode.ADAPTIVE):
        for name in ("rin", "chess", "rin"):
            pool.prepare(name)
    compiled = pool._precompiler._under_way
    run(until(lambda: "rin" in compiled))
    run(until(lambda: not {"rin", "chess"} & compiled.keys()))
    assert re.search(r"chess can't be compiled: .*'chess'.*; bots of this game begin late", caplog.text)
    assert "rin can't" not in caplog.text


SITE = f"""
import time
from kakomi import catalog
from kakomi.server.engines import EnginePool
from kakomi.session import Match, Seat, MatchConfig
match = Match.begun(MatchConfig(catalog.game("rin", size=8)), [Seat()] * 2)
pool = EnginePool(2)
tell = lambda thought: print(*pool.pids, flush=True)
pool.decide_soon(match, 0, "{LONG}", 1, client="a", on_progress=tell)
time.sleep(600)
"""


def test_engines_end_with_a_site_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SITE], stdout=subprocess.PIPE, text=True) as site:
        assert site.stdout
        (pid,) = map(int, site.stdout.readline().split())
        assert is_alive(pid)
        site.kill()
    wait_for_end(pid)


def test_what_is_compiled_is_loaded_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, game = tmp_path / "log", catalog.game("rin")
    for kind in (PlainSearch, strongest_search):
        kind(game, memory_mb=1).warm()
    Solver(game.start(), memory_mb=1).warm()
    assert is_compiled("rin")
    monkeypatch.setattr(Precompiler, "compile", lambda self, name: pytest.fail(f"{name} is compiled again"))
    with EnginePool(1, command=[sys.executable, STUB, str(log)]) as pool, use_mode(Mode.ADAPTIVE):
        pool.prepare("rin")
        run(until(lambda: log.exists() and "setup rin" in log.read_text()))
