"""The coach for a person alone against bots: when it is offered, whom it helps, and what it says."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from kakomi import catalog
from kakomi.analysis.analysis import SIMULATIONS
from kakomi.core.i18n import lazy_message
from kakomi.search import Line, Report
from kakomi.search.report import Ownership
from kakomi.server.analysis import coach_views, game_analysis
from kakomi.server.analysis.coach import AdviceInterruptedError, Coach, situation_of
from kakomi.server.analysis.live_analysis import LiveAnalysis, PositionQuery
from kakomi.server.analysis.models import GameAnalysis
from kakomi.server.engines import EnginePoolError
from kakomi.server.tables import models, services
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.services import Sitter
from kakomi.solve import Proof
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="1", name="level 1")


class Engines:
    """A fake pool: positions are even unless (3,3) was played, after which White owns most points; the best
    action is the first other one."""

    size = 2

    def __init__(self, error: str = "") -> None:
        self.error = error
        self.proves: int | None = None
        """The proven result for Black, the first player; None for no proof."""
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
        loses = "3,3" in actions
        lead = np.zeros(found.players)
        lead[0] = -3.0 if loses else 5.0
        owner = np.full((found.geometry.points, found.players), 1 / found.players)
        owner[7:] = np.eye(found.players)[int(loses)]
        owned = Ownership(owner, lead, np.ones(found.players), 1000)
        yield Report(reached.to_move, simulations, 0.1, returns, (line,), owned=owned)


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    game_analysis._CACHE.clear()


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Engines:
    return with_engines(monkeypatch, Engines())


def with_engines(monkeypatch: pytest.MonkeyPatch, engines: Engines) -> Engines:
    monkeypatch.setattr(coach_views, "shared_live_analysis", lambda: LiveAnalysis(lambda: engines))
    return engines


def play(row: models.Table, *turns: str) -> None:
    """Play turns, each by the seat to act."""
    for turn in turns:
        table = now(row)
        deed = [("play", action) for action in turn.split()]
        services.add(row.code, deed, seat=table.to_act, base=row.entries, key=f"p{row.entries}")
    now(row)


def sent(person: Person, row: models.Table, body: object = "", query: str = "") -> tuple[int, dict[str, Any]]:
    """The status and the content of the response to a page."""

    async def scenario() -> tuple[int, bytes]:
        client = AsyncClient()
        client.cookies = person.client.cookies
        response = await client.post(f"/table/{row.code}/coach{query}", body, content_type="application/json")
        return response.status_code, response.content

    code, content = async_to_sync(scenario)()
    return code, json.loads(content) if code == 200 else {}


def advice(person: Person, row: models.Table) -> tuple[dict[str, str], dict[str, str]]:
    """The last text of each part that the site's engines find, and the rest of the last response."""
    words: dict[str, str] = {}
    news: dict[str, Any] = {"step": 0}
    while "step" in news:
        code, news = sent(person, row, query=f"?step={news['step']}")
        assert code == 200, code
        words |= {part: shown["html"] for part, shown in news.pop("advice", {}).items()}
    return words, news


def status(person: Person, row: models.Table) -> int:
    return sent(person, row, {})[0]


def coached(person: Person, row: models.Table) -> str:
    """Whether the page has a coach (`on`), or offers one (`proposed`)."""
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
    assert coached(bob, first) == "", "the offer disappears at the end"
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
    assert words["threat"].startswith("White wants to play <button")
    assert 'data-shows="threat">0,0</button>.' in words["threat"]
    assert "You lead by about 5 points. The fight is around " in words["chance"]
    assert "verdict" not in words and end == {}
    play(row, "0,0", "1,1 2,2", "3,3 1,2")
    words, _ = advice(ann, row)
    assert "<b>5 % for you</b>" in words["chance"] and words["threat"] == ""
    assert "You are about 3 points behind." in words["chance"]
    play(row, "2,1 1,3")
    words, _ = advice(ann, row)
    assert 'data-shows="verdict">0,1 0,2</button> was better: 50 % instead of 5 %.' in words["verdict"]
    assert "It cost about 8 points of the score, most of all around " in words["verdict"]
    assert 'value="takeback">Take back</button>' in words["verdict"]
    ann.client.cookies["django_language"] = "de"
    assert "war besser: 50 % statt 5 %" in advice(ann, row)[0]["verdict"]


@pytest.mark.parametrize(
    ("proves", "margin", "black", "white"),
    [
        (1, 3, "You can force a win by 3 points", "Lost by 3 points with best play"),
        (1, None, "You can force a win", "Lost with best play"),
        (0, 0, "A draw with best play", "A draw with best play"),
        (-1, -1, "Lost by 1 point with best play", "You can force a win by 1 point"),
    ],
)
def test_what_is_proved_is_told_as_such(
    engines: Engines, proves: int, margin: int | None, black: str, white: str
) -> None:
    engines.proves, engines.margin = proves, margin
    ann = Person("Ann")
    for seats, said in (((ann, BOT), black), ((BOT, ann), white)):
        words, _ = advice(ann, opened(*seats, size=4))
        assert f"<b>{said}</b>" in words["chance"] and "proven" in words["chance"]


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
    assert advice(ann, row)[0]["verdict"] == "Your last move: nothing clearly better found."
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
    assert advice(ann, row) == ({}, {"state": "The coach helps when it’s your turn."})
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
    assert advice(ann, row) == ({}, {"state": "Engine error: no engine is left"})


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
        assert live.busy == 0 and situation.answers == {}

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
    ann.client.post(f"/analysis/table/{row.code}", {"do": "start"})
    answers = GameAnalysis.objects.get().answers
    assert len(answers) == sum(not position for position, *_ in engines.asked) > 2


def report(to_move: int, action: int, chance: float = 0.5) -> dict[str, Any]:
    """A report as the page's script sends it."""
    returns = [1 - 2 * chance, 2 * chance - 1] if to_move else [2 * chance - 1, 1 - 2 * chance]
    line = {"action": action, "visits": 9, "returns": returns, "principal": [action]}
    report = {"to_move": to_move, "simulations": 5000, "seconds": 0.1, "returns": returns, "lines": [line]}
    return {**report, "owner": [[0.5, 0.5]] * 16, "lead": [-2.0, 2.0], "spread": [4.0, 4.0], "playouts": 1024}


def test_the_browser_searches_and_the_coach_says_what_follows(engines: Engines) -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    play(row, "0,0", "1,1 2,2")
    found: dict[str, Any] = {}
    questions = []
    for _ in range(20):
        _, news = sent(ann, row, found)
        if "wanted" not in news:
            break
        questions.append(news["question"])
        found[news["wanted"]] = report(news["question"]["to_move"], 5)
    assert {question["simulations"] for question in questions} >= {SIMULATIONS}
    assert "<b>50 % for you</b>" in news["advice"]["chance"]["html"]
    assert "5,000 simulations · on your device" in news["advice"]["chance"]["html"]
    assert "You are about 2 points behind." in news["advice"]["chance"]["html"]
    assert [question["owners"] for question in questions].count(True) == 1, "of the position on the board"
    assert news["advice"]["verdict"]["html"] == "Your last move: nothing clearly better found."
    assert engines.asked == [], "the site's engines have nothing to do"
    assert not game_analysis.cached_answers(row.code, 0), "a browser's findings are for its own page"


def test_the_browsers_findings_are_checked(engines: Engines) -> None:
    del engines
    ann = Person("Ann")
    row = opened(ann, BOT, size=4)
    _, first = sent(ann, row, {})
    good, key = report(0, 5), first["wanted"]
    assert sent(ann, row, {key: good})[0] == 200
    line = good["lines"][0]
    for bad in (
        {**good, "lines": []},
        {**good, "returns": [0.0]},
        {**good, "returns": [7.0, -7.0]},
        {**good, "lines": [{**line, "action": 10_000}]},
        {**good, "lines": [{**line, "principal": [-1]}]},
        {**good, "owner": good["owner"][1:]},
        {**good, "owner": [[0.5]] * 16},
        {**good, "lead": [1.0]},
        {**good, "spread": [[1.0], 1.0]},
        {"to_move": 0},
        "nonsense",
    ):
        assert sent(ann, row, {key: bad})[0] == 422, bad
    assert sent(ann, row, [1])[0] == 422
    assert sent(Person("Eve"), row, {})[0] == 403
