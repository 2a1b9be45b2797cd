"""What tests of engines share: matches, waiting, and an engine that does as it is told."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from kakomi import catalog
from kakomi.server.engines import EnginePool
from kakomi.session import Event, Match, MatchConfig, Seat

STUB = str(Path(__file__).with_name("engine_stub.py"))
PATIENCE_SECONDS = 120
"""The rules may have to be compiled first."""


def begun(name: str, bot: str = "2", terms: dict[str, Any] | None = None, **options: int) -> Match:
    game = catalog.game(name, **{**catalog.describe(name).quick, **options})
    return Match.begun(MatchConfig(game, **(terms or {})), [Seat(bot=bot)] * game.players)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, PATIENCE_SECONDS))


def decided(pool: EnginePool, match: Match, bot: str, seed: int = 5, client: str = "table") -> Event:
    assert match.to_act is not None
    future = pool.decide_soon(match, match.to_act, bot, seed, client=client)
    return future.result(PATIENCE_SECONDS)


async def until(happens: Callable[[], bool]) -> None:
    while not happens():
        await asyncio.sleep(0.01)
