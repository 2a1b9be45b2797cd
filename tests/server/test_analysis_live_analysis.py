"""Live analysis of a node while someone watches: one position per person, stopped when they leave."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from kakomi import catalog, records
from kakomi.search import Line, Report
from kakomi.server.analysis import async_views, selectors, services
from kakomi.server.analysis.live_analysis import AnalysisUpdate, LiveAnalysis, PositionQuery
from kakomi.server.analysis.position_presenters import AnalysisView
from kakomi.server.engines import EnginePoolError
from kakomi.solve import Proof
from server.table_client import Person

START = PositionQuery("rin", (("size", 4),), ())
LATER = PositionQuery("rin", (("size", 4),), ("0,0",))


def found(*, is_proven: bool = False, seconds: float = 6.0) -> Report:
    one, two, three, other = map(catalog.game("rin", size=4).action, ("1,1", "2,2", "3,3", "1,2"))
    line = Line(one, 80, (0.5, -0.5), principal=(one, two, three))
    lines = (line, Line(other, 20, (0.0, 0.0), principal=(other,)))
    return Report(0, 100, seconds, (0.5, -0.5), lines, is_proven=is_proven)


class Engines:
    """A fake pool: gives prepared answers, and records queries and cancellations."""

    size = 2

    def __init__(
        self, *says: Report | Exception, proves: tuple[Proof, ...] = (), is_endless: bool = True
    ) -> None:
        self.says = says
        self.proves = proves
        self.is_endless = is_endless
        self.asked: list[tuple[str, ...]] = []
        self.working = 0

    async def prove(self, *asked: object, positions: int, **_: object) -> AsyncIterator:
        for proof in self.proves:
            await asyncio.sleep(0)
            yield replace(proof, positions=positions)

    async def analyse(
        self, game: str, options: object, actions: tuple[str, ...], *, position: str = "", **_: object
    ) -> AsyncIterator:
        self.asked.append((position, *actions) if position else tuple(actions))
        self.working += 1
        try:
            for each in self.says:
                if isinstance(each, Exception):
                    raise each
                await asyncio.sleep(0)
                yield each
            if self.is_endless:
                await asyncio.Event().wait()
        finally:
            self.working -= 1


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


async def heard(live: LiveAnalysis, client: str, asked: PositionQuery) -> list[AnalysisUpdate]:
    async with aclosing(live.watch(client, asked)) as watched:
        return [news async for news in watched]


def test_an_engine_works_only_while_somebody_watches() -> None:
    async def scenario() -> None:
        engines = Engines(found())
        live = LiveAnalysis(lambda: engines)
        async with aclosing(live.watch("ann", START)) as watched:
            assert (await anext(watched)).analysis == found()
            assert engines.working == 1
        await until(lambda: engines.working == 0)
        assert live.busy == 0

    asyncio.run(scenario())


def test_watchers_of_the_same_position_share_one_engine() -> None:
    async def scenario() -> None:
        engines = Engines(found())
        live = LiveAnalysis(lambda: engines)
        async with aclosing(live.watch("ann", START)) as one, aclosing(live.watch("ann", START)) as two:
            assert (await anext(one)).analysis == (await anext(two)).analysis == found()
            assert engines.asked == [()]
            await one.aclose()
            assert engines.working == 1, "the second one still watches"
        await until(lambda: engines.working == 0)

    asyncio.run(scenario())


def test_a_person_has_one_position_looked_at() -> None:
    async def scenario() -> None:
        engines = Engines(found())
        live = LiveAnalysis(lambda: engines)
        first = asyncio.create_task(heard(live, "ann", START))
        await until(lambda: engines.working == 1)
        async with (
            aclosing(live.watch("ann", LATER)) as second,
            aclosing(live.watch("bo", START)) as somebody_else,
        ):
            await anext(second)
            await anext(somebody_else)
            assert [news.ended for news in await first][-1] == "elsewhere"
            assert engines.working == live.busy == 2

    asyncio.run(scenario())


def test_what_others_cut_short_is_asked_for_again_until_it_is_proven() -> None:
    async def scenario() -> None:
        engines = Engines(found(), is_endless=False)
        live = LiveAnalysis(lambda: engines)
        told = await heard(live, "ann", START)
        assert len(engines.asked) == 20 and told[-1].ended == "done"
        proven = Engines(found(is_proven=True), is_endless=False)
        told = await heard(LiveAnalysis(lambda: proven), "ann", START)
        assert len(proven.asked) == 1 and told[-1] == AnalysisUpdate(found(is_proven=True), "done")

    asyncio.run(scenario())


def test_what_is_proved_comes_first_and_stays() -> None:
    async def scenario() -> None:
        proof = Proof(0, {3: 1}, 16, 1)
        engines = Engines(found(is_proven=True), proves=(proof,), is_endless=False)
        asked = replace(START, proof_positions=500)
        told = await heard(LiveAnalysis(lambda: engines), "ann", asked)
        proved = replace(proof, positions=500)
        assert [update.proof for update in told] == [proved] * len(told)
        assert told[0].analysis is None and told[-1].analysis == found(is_proven=True)

    asyncio.run(scenario())


def test_an_engine_that_fails_is_said() -> None:
    async def scenario() -> None:
        engines = Engines(EnginePoolError("an engine rejected the request: no"))
        told = await heard(LiveAnalysis(lambda: engines), "ann", START)
        assert told == [AnalysisUpdate(None, "failed", "an engine rejected the request: no")]

    asyncio.run(scenario())


def events_of(text: str) -> list[tuple[str, dict]]:
    blocks = [block.splitlines() for block in text.strip().split("\n\n") if block.startswith("event:")]
    return [(kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for kind, data in blocks]


def streamed(person: Person, path: str) -> list[tuple[str, dict]]:
    """The events of a stream that ends."""

    async def scenario() -> str:
        client = AsyncClient()
        client.cookies = person.client.cookies
        response: Any = await client.get(path)
        assert response["Content-Type"] == "text/event-stream"
        return b"".join([part async for part in response.streaming_content]).decode()

    return events_of(async_to_sync(scenario)())


@pytest.mark.django_db
def test_lines_stream_to_the_page_as_a_list_and_as_badges(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = Engines(found(is_proven=True), is_endless=False)
    live = LiveAnalysis(lambda: engines)
    monkeypatch.setattr(async_views, "shared_live_analysis", lambda: live)
    ann = Person("Ann")
    study = services.create(ann.guest, records.recorded(catalog.game("rin", size=4), ["0,0"]))
    *_, (kind, data) = streamed(ann, f"/analysis/study/{study.code}/engine?node=0")
    assert (kind, data["reason"]) == ("end", "done")
    assert "75 %" in data["lines"] and 'data-play="1,1"' in data["lines"] and "2,2" in data["lines"]
    assert data["hints"].count("<use") == 2 and "50 %" in data["hints"] and "\0" not in data["hints"]
    assert "100 simulations" in data["state"]
    assert engines.asked == [()] and engines.working == 0


@pytest.mark.django_db
def test_the_page_is_told_on_the_way_and_why_it_ended_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Person("Ann")
    study = services.create(ann.guest, records.recorded(catalog.game("rin", size=4), ["0,0"]))
    address = f"/analysis/study/{study.code}/engine?node=0"

    def told(*updates: AnalysisUpdate) -> list[tuple[str, str | None, str]]:
        async def watch(*_: object) -> AsyncIterator[AnalysisUpdate]:
            for update in updates:
                yield update

        live = SimpleNamespace(watch=watch)
        monkeypatch.setattr(async_views, "shared_live_analysis", lambda: live)
        return [(kind, data.get("reason"), data["state"]) for kind, data in streamed(ann, address)]

    first, last = told(AnalysisUpdate(found()), AnalysisUpdate(found(), "elsewhere"))
    assert first == ("found", None, "100 simulations, 6 s")
    assert last == ("end", "elsewhere", "The engine is now analysing another position for you.")
    failed = told(AnalysisUpdate(None, "failed", "an engine rejected the request: no"))
    assert failed == [("end", "failed", "Engine error: an engine rejected the request: no")]
    ann.client.cookies["django_language"] = "de"
    assert told(AnalysisUpdate(None, "elsewhere"))[0][2].startswith("Die Engine")


@pytest.mark.django_db
def test_lines_that_are_decided_say_so() -> None:
    won, lost = found().lines
    decided = Report(
        0,
        100,
        1.0,
        (1.0, -1.0),
        (msgspec.structs.replace(won, wins=True), msgspec.structs.replace(lost, loses=True)),
    )
    view = AnalysisView(catalog.game("rin", size=4).start(), decided)
    lines = view.as_data(0, can_play=False)["lines"]
    assert "wins" in lines and "loses" in lines and lines.index("wins") < lines.index("loses")


@pytest.mark.django_db
def test_nothing_is_searched_in_a_game_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        async_views, "shared_live_analysis", lambda: pytest.fail("there is nothing to look at")
    )
    game = catalog.game("rive", size=2)
    position, actions = game.start(), []
    while not position.is_over:
        actions.append(position.legal()[0])
        position = position.play(actions[-1])
    ann = Person("Ann")
    study = services.create(ann.guest, records.recorded(game, actions))
    end = selectors.record_of(study).length
    [(kind, data)] = streamed(ann, f"/analysis/study/{study.code}/engine?node={end}")
    assert (kind, data["reason"]) == ("end", "over")


@pytest.mark.django_db
def test_engines_are_told_where_a_study_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = Engines(found(is_proven=True), is_endless=False)
    live = LiveAnalysis(lambda: engines)
    monkeypatch.setattr(async_views, "shared_live_analysis", lambda: live)
    ann, text = Person("Ann"), "b3/4/4/4 w left_in_turn=2"
    study = services.create(ann.guest, records.recorded(catalog.game("rin", size=4), ["0,1"], position=text))
    streamed(ann, f"/analysis/study/{study.code}/engine?node=1")
    assert engines.asked == [(text, "0,1")]
