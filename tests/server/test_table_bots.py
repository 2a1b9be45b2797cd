"""Bots at a table: asked for a draw they answer, and while they think it shows."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from kakomi.server.operations.background_tasks import BackgroundTasks
from kakomi.server.realtime.ephemeral import PRESENCE, EphemeralMessages
from kakomi.server.tables.seats import THINKING, BotProgress, BotProgressCache
from kakomi.server.tables.services import Sitter
from kakomi.session import Event
from server.table_client import Person, now, opened


class Thinker:
    """A pool whose bots know what they want."""

    def __init__(self, accepts: bool) -> None:
        self.accepts = accepts

    async def accepts_draw(self, *_: object, **__: object) -> bool:
        return self.accepts

    async def decide(self, match, seat, *_, on_progress, **__):  # type: ignore[no-untyped-def]
        on_progress(0.5)
        await asyncio.sleep(0)
        return Event(seat, "play", match.position.legal()[0])

    def close(self) -> None:
        pass


async def kept_until(keeper: BackgroundTasks, holds) -> None:  # type: ignore[no-untyped-def]
    """Let a keeper work until something holds."""
    await keeper.start()
    try:
        async with asyncio.timeout(20):
            while not await sync_to_async(holds)():
                await asyncio.sleep(0.02)
    finally:
        await keeper.stop()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("accepts", [True, False])
def test_a_bot_answers_an_offer_even_if_it_is_not_its_turn(accepts: bool) -> None:
    ann = Person("Ann")
    row = opened(ann, Sitter(bot="1"), size=6)
    ann.do(row, "offer draw")
    asyncio.run(kept_until(BackgroundTasks(Thinker(accepts)), lambda: now(row).offer is None))  # type: ignore[arg-type]
    assert now(row).is_over == accepts and now(row).history[-1].seat == 1
    if not accepts:
        assert "White declines the draw. " in ann.look(row)


@pytest.mark.django_db(transaction=True)
def test_a_bot_plays_when_it_is_its_turn() -> None:
    ann = Person("Ann")
    row = opened(ann, Sitter(bot="1"), game="ren", size=4)
    ann.do(row, "touch a1")
    asyncio.run(kept_until(BackgroundTasks(Thinker(True)), lambda: now(row).to_act == 0))  # type: ignore[arg-type]
    assert len(now(row).match.position.stones()) == 2


def test_thoughts_are_kept_and_not_told_too_often() -> None:
    async def hear() -> list[object]:
        messages = EphemeralMessages()
        thoughts, heard = BotProgressCache(messages), []
        listening = messages.messages("table", 7)
        assert (await anext(listening))[PRESENCE] == {7}
        for progress in (0.1, 0.2, 0.3):
            thoughts.note("table", BotProgress(1, progress))
        heard.append(await anext(listening))
        assert thoughts.at("table") == BotProgress(1, 0.3)
        thoughts.forget("table")
        assert thoughts.at("table") is None
        await listening.aclose()
        assert messages.present("table") == frozenset()
        return heard

    assert asyncio.run(hear()) == [{THINKING: BotProgress(1, 0.1)}]
