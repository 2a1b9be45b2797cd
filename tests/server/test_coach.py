"""A coach for who plays alone against bots: when it is proposed, whom it helps, and what it says."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.search import Line, Report
from kakomi.server.analysis import game_analysis
from kakomi.server.analysis.live_analysis import LiveAnalysis, PositionQuery
from kakomi.server.analysis.models import Survey
from kakomi.server.coach import views
from kakomi.server.coach.coaching import AdviceInterruptedError, Coach, situation_of
from kakomi.server.engines import EnginePoolError
from kakomi.server.tables import models, services
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.services import Sitter
from kakomi.solve import Proof
from kakomi.study.analysis.analysis import SIMULATIONS
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="1", name="level 1")


class Engines:
    """Stands in for a pool: positions are even, unless (3,3) was played; the best is the first other."""

    size = 2

    def __init__(self, error: str = "") -> None:
        self.error = error
        self.proves: int | None = None
        """What is proved for Black, who comes first."""
        self.margin: int | None = None
        self.pause: asyncio.Event | None = None
        self.asked: list[tuple[str, tuple[str, ...], int, int]] = []

    async def prove(self, *place: object, positions: int, **_: object) -> AsyncIterator[Proof]:
        yield Proof(0, {}, 16, self.proves, self.margin, positions=positions)

    async def analyse(
        self,
        game: str,
        options: dict[str, int],
        actions: tuple[str, ...],
        *,
        position: str = "",
        simulations: int,
        seed: int,
        **_: object,
    ) -> AsyncIterator[Report]:
        if self.error:
            raise EnginePoolError(lazy_message(self.error))
        self.asked.append((position, actions, simulations, seed))
        await (self.pause.wait() if self.pause else asyncio.sleep(0))
        found = catalog.game(game, **options)
        reached = found.position(position) if position else found.start()
        for text in actions:
            reached = reached.play(text)
        best = [found.action(next(text for text in reached.legal() if text != "3,3"))]
        while (after := reached.play_action(best[-1])).turn:
            reached = after
            best.append(found.action(next(text for text in reached.legal() if text != "3,3")))
        first = 0.05 if "3,3" in actions else 0.5
        returns = (2 * first - 1, 1 - 2 * first) if found.players == 2 else (0.0,) * found.players
        line = Line(best[0], simulations, returns, principal=tuple(best))
        yield Report(reached.to_move, simulations, 0.1, returns, (line,))


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    game_analysis._GAMES.clear()


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Engines:
    return with_engines(monkeypatch, Engines())


def with_engines(monkeypatch: pytest.MonkeyPatch, engines: Engines) -> Engines:
    monkeypatch.setattr(views, "shared_live_analysis", lambda: LiveAnalysis(lambda: engines))
    return engines


def play(row: models.Table, *turns: str) -> None:
    """What whoever is to act plays, one turn after the other."""
    for turn in turns:
        table = now(row)
        deed = [("play", action) for action in turn.split()]
        services.add(row.code, deed, seat=table.to_act, base=row.entries, key=f"p{row.entries}")
    now(row)


def advice(person: Person, row: models.Table) -> tuple[dict[str, str], dict[str, str]]:
    """The last words on each part, and how the stream ends."""

    async def scenario() -> tuple[int, str]:
        client = AsyncClient()
        client.cookies = person.client.cookies
        response: Any = await client.get(f"/table/{row.code}/coach")
        if response.status_code != 200:
            return response.status_code, ""
        return 200, b"".join([part async for part in response.streaming_content]).decode()

    status, text = async_to_sync(scenario)()
    assert status == 200, status
    words: dict[str, str] = {}
    end: dict[str, str] = {}
    for block in text.split("\n\n"):
        kind, _, data = block.partition("\ndata: ")
        if kind == "event: advice":
            words |= {part: shown["html"] for part, shown in json.loads(data).items()}
        elif kind == "event: end":
            end = json.loads(data)
    return words, end


def status(person: Person, row: models.Table) -> int:
    async def scenario() -> int:
        client = AsyncClient()
        client.cookies = person.client.cookies
        return int((await client.get(f"/table/{row.code}/coach")).status_code)

    return async_to_sync(scenario)()


def coached(person: Person, row: models.Table) -> str:
    """Whether the page has a coach, or proposes one."""
    page = person.look(row)
    return "on" if "data-coach=" in page else "proposed" if 'id="coach-on"' in page else ""


def switch(person: Person, row: models.Table, **fields: str) -> None:
    answer = person.client.post(f"/table/{row.code}/look", {"turned": "0", **fields}, headers=PART)
    assert answer.status_code == 200


def test_a_coach_is_proposed_in_a_first_game_until_somebody_answers() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    assert coached(ann, row) == "proposed"
    switch(ann, row, overlay="immune", coach="proposed")
    assert coached(ann, row) == "proposed", "another switch is no answer"
    switch(ann, row, coach="on")
    assert coached(ann, row) == "on" and coached(ann, opened(ann, BOT, size=4)) == "on"
    assert coached(ann, opened(ann, BOT, game="ren")) == "proposed", "each game has its own"
    switch(ann, row)
    assert coached(ann, row) == ""
    ann.do(row, "resign")
    assert coached(ann, row) == "", "it stays as it was put"
    bob = Person("Bob")
    first = opened(bob, BOT, size=4)
    bob.do(first, "resign")
    assert coached(bob, first) == "proposed", "nothing on the page moves at the end"
    assert coached(bob, opened(bob, BOT, size=4)) == ""


def test_who_declines_is_not_asked_again() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    page = ann.look(row)
    assert 'form="look" name="coach" value="off"' in page and 'name="coach" value="proposed"' in page
    answer = ann.client.post(
        f"/table/{row.code}/look",
        "coach=proposed&coach=off",
        headers=PART,
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 200 and coached(ann, row) == ""


def test_nobody_is_helped_against_people_or_at_the_table_of_others(engines: Engines) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    against = opened(ann, bob, size=4)
    alone = opened(ann, BOT, size=4)
    beside = opened(ann, ann, size=4)
    switch(ann, against, coach="on")
    switch(bob, against, coach="on")
    assert [coached(ann, row) for row in (against, alone, beside)] == ["", "on", ""]
    assert coached(bob, alone) == ""
    assert 'id="look-coach"' in ann.look(alone) and 'id="look-coach"' not in ann.look(against)
    assert [status(ann, row) for row in (against, beside)] == [403, 403] and status(bob, alone) == 403
    invited = opened(ann, Sitter(), game="rin", size=4)
    assert status(ann, invited) == 403
    assert engines.asked == []


def test_what_the_coach_says(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    words, end = advice(ann, row)
    assert "<b>50 % for you</b>" in words["chance"] and "5,000 simulations" in words["chance"]
    assert words["threat"].startswith("White would like to play <button")
    assert 'data-shows="threat">0,0</button>.' in words["threat"]
    assert "verdict" not in words and end == {}
    play(row, "0,0", "1,1 2,2", "3,3 1,2")
    words, _ = advice(ann, row)
    assert "<b>5 % for you</b>" in words["chance"] and words["threat"] == ""
    play(row, "2,1 1,3")
    words, _ = advice(ann, row)
    assert 'data-shows="verdict">0,1 0,2</button> was better: 50 % instead of 5 %.' in words["verdict"]
    assert 'value="takeback">Take back</button>' in words["verdict"]
    ann.client.cookies["django_language"] = "de"
    assert "war besser: 50 % statt 5 %" in advice(ann, row)[0]["verdict"]


@pytest.mark.parametrize(
    ("proves", "margin", "black", "white"),
    [
        (1, 3, "You can win by 3 points for sure", "Lost by 3 points, unless somebody errs"),
        (1, None, "You can win for sure", "Lost, unless somebody errs"),
        (0, 0, "A draw, unless somebody errs", "A draw, unless somebody errs"),
        (-1, -1, "Lost by 1 point, unless somebody errs", "You can win by 1 point for sure"),
    ],
)
def test_what_is_proved_is_told_as_such(
    engines: Engines, proves: int, margin: int | None, black: str, white: str
) -> None:
    engines.proves, engines.margin = proves, margin
    ann = Person("Ann")
    for seats, said in (((ann, BOT), black), ((BOT, ann), white)):
        words, _ = advice(ann, opened(*seats, size=4))
        assert f"<b>{said}</b>" in words["chance"] and "this is proven" in words["chance"]


def test_every_search_has_a_limit_and_a_seed_and_is_made_once(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    play(row, "0,0", "1,1 2,2", "3,3 1,2", "2,1 1,3")
    first = advice(ann, row)
    asked = list(engines.asked)
    assert len(asked) == len(set(asked)) > 5
    assert {simulations for _, _, simulations, _ in asked} == {SIMULATIONS, 4 * SIMULATIONS}
    assert advice(ann, row) == first and engines.asked == asked, "a page that is loaded again costs nothing"


def test_a_good_turn_is_called_so_and_what_was_taken_back_is_not_judged(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    play(row, "0,0", "1,1 2,2")
    assert advice(ann, row)[0]["verdict"] == "Your last turn: nothing clearly better was found."
    ann.do(row, "takeback")
    assert "verdict" not in advice(ann, row)[0]


def test_stones_that_were_taken_over_are_nobodys_mistake(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(BOT, ann, size=4, swap=True)
    play(row, "3,3")
    ann.do(row, "swap")
    play(row, "0,0 1,1")
    assert "verdict" not in advice(ann, row)[0]


def test_there_is_nothing_to_say_before_colours_are_settled(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="lin", size=5, negotiate=True)
    assert advice(ann, row) == ({}, {"state": "The coach speaks while you have stones to play."})
    assert engines.asked == []


def test_among_several_bots_one_is_told_what_would_be_even(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, BOT, game="rings", size=2, players=3)
    words, _ = advice(ann, row)
    assert "33 % for you (even: 33 %)" in words["chance"] and words["threat"].startswith("White")


def test_a_game_that_is_over_is_judged_to_its_end(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="rive", size=2)
    while not now(row).is_over:
        play(row, now(row).match.position.legal()[0])
    words, end = advice(ann, row)
    assert "The game is over." in words["chance"] and words["threat"] == "" and end == {}


def test_a_coach_that_is_interrupted_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    with_engines(monkeypatch, Engines(error="no engine is left"))
    assert advice(ann, row) == ({}, {"state": "The engine failed: no engine is left"})


def test_engines_work_only_while_somebody_listens(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    situation = situation_of(row, now(row), Viewer.of(row, ann.guest))

    async def scenario() -> None:
        engines.pause = asyncio.Event()
        live = LiveAnalysis(lambda: engines)
        listening = asyncio.create_task(anext(Coach(situation, "ann", live).advice()))
        async with asyncio.timeout(5):
            while not engines.asked:
                await asyncio.sleep(0.001)
        assert live.busy == 1
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        assert live.busy == 0 and situation.kept == {}

    asyncio.run(scenario())


def test_who_has_another_position_looked_at_is_told_so(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    situation = situation_of(row, now(row), Viewer.of(row, ann.guest))

    async def scenario() -> str:
        engines.pause = asyncio.Event()
        live = LiveAnalysis(lambda: engines)
        coach = asyncio.create_task(anext(Coach(situation, "ann", live).advice()))
        async with asyncio.timeout(5):
            while not engines.asked:
                await asyncio.sleep(0.001)
            study = asyncio.create_task(anext(live.watch("ann", PositionQuery("rin", (("size", 4),), ()))))
            (interrupted,) = await asyncio.gather(coach, return_exceptions=True)
            study.cancel()
            await asyncio.gather(study, return_exceptions=True)
        assert isinstance(interrupted, AdviceInterruptedError)
        return interrupted.update.ended

    assert asyncio.run(scenario()) == "elsewhere"


def test_the_analysis_of_the_game_begins_with_what_the_coach_has_found(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    play(row, "0,0", "1,1 2,2")
    advice(ann, row)
    ann.do(row, "resign")
    ann.client.post(f"/analysis/table/{row.code}/turning-points")
    answers = Survey.objects.get().answers
    assert len(answers) == sum(not position for position, *_ in engines.asked) > 2
