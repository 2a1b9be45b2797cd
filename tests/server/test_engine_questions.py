"""Questions that reach no engine, and what is told of engines: without a process."""

import asyncio
from types import SimpleNamespace

import pytest

from kakomi.protocol.exceptions import (
    EngineError,
    EngineExitError,
    EngineTimeoutError,
    OutputClosedError,
    ProtocolError,
)
from kakomi.server.engines import EnginePool, processes, scheduler
from kakomi.session import Refused
from server.engine_pools import begun, run


def test_only_the_seat_to_act_is_asked() -> None:
    with pytest.raises(Refused, match="it isn't seat 1's turn but seat 0's"):
        EnginePool(1).decide_soon(begun("rin"), 1, "2", 5, client="table")


def test_nobody_is_asked_in_a_match_that_is_over() -> None:
    with pytest.raises(Refused, match="the match is over"):
        EnginePool(1).decide_soon(begun("rin").resign(0), 0, "2", 5, client="table")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (EngineTimeoutError("genmove", 5), "an engine didn’t respond to genmove"),
        (ProtocolError("it wrote 'hm'", "'hm'"), "an engine wrote 'hm'"),
        (
            ProtocolError("it wrote a line without end", ""),
            "can’t be reached: it wrote a line without end",
        ),
        (OutputClosedError("hello"), "reached: it closed its output instead of answering hello"),
        (EngineExitError(-9, ""), "an engine was killed by signal 9"),
    ],
)
def test_what_is_the_matter_with_an_engine_is_said(error: EngineError, said: str) -> None:
    assert str(processes._translatable(error)).endswith(said)


def test_who_takes_no_report_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("no room")

    async def scenario() -> None:
        job = SimpleNamespace(on_report=fail, answer=asyncio.get_running_loop().create_future())
        scheduler._reporter(job)({"progress": 0.5})  # type: ignore[arg-type]

    run(scenario())
    assert "a report was not taken" in caplog.text and "no room" in caplog.text
