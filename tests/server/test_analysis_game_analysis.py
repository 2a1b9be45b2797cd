"""Analysis of a whole game: searched by engines, stored progressively, resumed after a restart."""

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from kakomi import catalog, records
from kakomi.analysis import PositionLimits, analyse
from kakomi.analysis.analysis import Question, Searches
from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.search import Line, Report
from kakomi.search.report import Ownership
from kakomi.server.analysis import game_analysis, services
from kakomi.server.analysis.game_analysis import GameAnalysisWorker, StoredAnswers
from kakomi.server.analysis.models import GameAnalysis, Study, dump_message, load_message
from kakomi.server.engines import EnginePoolError
from server.table_client import PART, Person

pytestmark = pytest.mark.django_db(transaction=True)

EFFORT = PositionLimits(simulations=100)


class Engines:
    """A fake pool: (3,3) is a blunder, after which White will own the whole board."""

    size = 3

    def __init__(self, most: int = 10_000) -> None:
        self.asked = 0
        self.most = most

    async def analyse(
        self,
        game: str,
        options: dict[str, int],
        actions: list[str],
        *,
        position: str = "",
        playouts: int,
        **limits: object,
    ) -> AsyncIterator[Report]:
        if self.asked >= self.most:
            raise EnginePoolError(lazy_message("an engine exited with code {number}", number=1))
        self.asked += 1
        await asyncio.sleep(0)
        found = catalog.game(game, **options)
        reached = found.position(position) if position else found.start()
        for text in actions:
            reached = reached.play(text)
        first = 0.05 if "3,3" in actions else 0.5
        action = found.action(next(text for text in reached.legal() if text != "3,3"))
        returns = (2 * first - 1, 1 - 2 * first)
        line = Line(action, 5_000, returns, principal=(action,))
        loses = "3,3" in actions
        lead, owner = np.array([-16.0, 16.0] if loses else [16.0, -16.0]), np.eye(2)[[int(loses)] * 16]
        owned = Ownership(owner, lead, np.zeros(2), playouts)
        yield Report(reached.to_move, 5_000, 0.1, returns, (line,), owned=owned)


def studied(owner: Person) -> Study:
    played = ["0,0", "1,1", "2,2", "3,3", "1,2", "2,1", "0,1"]
    return services.create(owner.guest, records.recorded(catalog.game("rin", size=4), played))


def ask(person: Person, study: Study, do: str = "start") -> HttpResponse:
    return person.client.post(f"/analysis/study/{study.code}/game-analysis", {"do": do}, headers=PART)


def worked(engines: Engines, until: str) -> GameAnalysis:
    """The analysis, after a worker has run until it is in the state `until`."""

    async def scenario() -> None:
        worker = GameAnalysisWorker(lambda: engines, EFFORT)
        await worker.start()
        try:
            async with asyncio.timeout(30):
                while not await GameAnalysis.objects.filter(state=until).aexists():
                    await asyncio.sleep(0.02)
        finally:
            await worker.stop()

    asyncio.run(scenario())
    return GameAnalysis.objects.get()


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analysis, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(game_analysis, "SAVE_SECONDS", 0.02)


def test_a_game_is_analysed_and_its_turning_points_are_shown() -> None:
    ann = Person("Ann")
    study = studied(ann)
    assert "Waiting for an engine" in ask(ann, study).content.decode()
    engines = Engines()
    analysis = worked(engines, "done")
    assert engines.asked == len(analysis.answers) > 8
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "Turning points" in page and re.search(r"3,3\?\?</a> Black dropped from 50 % to 5 %", page)
    assert '<svg xmlns="http://www.w3.org/2000/svg" id="chances"' in page and 'data-node="3"' in page
    assert "It cost about 32 points of the score, most of all around 1,1." in page
    assert 'data-at="3" data-region="0,0 0,1 ' in page and "lead in points" in page
    assert [bool(answer["owner"]) for answer in analysis.answers.values()].count(True) == 2
    assert not re.search(r"\sstyle=|<style", page)
    assert "every 1s" not in page and "Analyse the game" not in page


def test_a_game_that_begins_at_a_position_is_analysed_from_there() -> None:
    ann, text = Person("Ann"), "4/1b2/4/4 w left_in_turn=2"
    game = catalog.game("rin", size=4)
    study = services.create(ann.guest, records.recorded(game, ["0,0", "0,1", "3,2"], position=text))
    ask(ann, study)
    engines = Engines()
    analysis = worked(engines, "done")
    assert len(analysis.answers) == engines.asked > 2, "each position has an answer of its own"
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert 'id="chances"' in page and 'data-node="2"' in page[page.index('id="chart"') :]


def test_after_a_restart_nothing_is_searched_twice() -> None:
    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    first = Engines(most=4)
    worked(first, "failed")
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "exited with code 1" in page
    ann.client.cookies["django_language"] = "de"
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "eine Engine endete mit dem Code 1" in page
    kept = len(GameAnalysis.objects.get().answers)
    assert kept == 4
    ask(ann, study)
    second = Engines()
    analysis = worked(second, "done")
    assert second.asked == len(analysis.answers) - kept


def test_an_analysis_that_its_process_left_is_taken_over() -> None:
    ann = Person("Ann")
    ask(ann, studied(ann))
    GameAnalysis.objects.update(seen_at=time.time())
    assert game_analysis._claimed() is None, "another process works on it"
    GameAnalysis.objects.update(seen_at=time.time() - 60)
    assert game_analysis._claimed() == GameAnalysis.objects.get().pk
    assert game_analysis._claimed() is None


def test_who_asks_twice_changes_nothing_and_answers_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    GameAnalysis.objects.update(done=3, answers={str(number): None for number in range(9)})
    ask(ann, study)
    assert GameAnalysis.objects.get().done == 3, "it goes on"
    ask(ann, study, "stop")
    ask(ann, study)
    assert len(GameAnalysis.objects.get().answers) == 9
    ask(ann, study, "stop")
    monkeypatch.setattr("kakomi.server.analysis.services.MOST_PLIES", 7)
    GameAnalysis.objects.update(answers={str(number): None for number in range(29)})
    ask(ann, study)
    assert GameAnalysis.objects.get().answers == {}, "most are of positions that nobody asks about any more"


def test_a_fault_of_ours_ends_an_analysis_with_a_word(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(Engines):
        async def analyse(self, *_: object, **__: object) -> AsyncIterator[Report]:
            raise RuntimeError("no room")
            yield

    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    assert worked(Faulty(), "failed").trouble
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "something went wrong; see the site’s log" in page
    assert "no room" in caplog.text and "no room" not in page


def test_an_analysis_is_stopped_and_goes_on_where_it_was() -> None:
    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    page = ask(ann, study, "stop").content.decode()
    assert "Go on" in page and GameAnalysis.objects.get().state == "stopped"
    ask(ann, study)
    assert worked(Engines(), "done").state == "done"


def test_a_changed_main_line_is_told_and_the_common_part_still_leads_somewhere() -> None:
    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    worked(Engines(), "done")
    form = {"kind": "remove", "node": 3, "version": 1}
    ann.client.post(f"/analysis/study/{study.code}/edit", form, headers=PART)
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "The main line has changed since" in page and "Analyse the game" in page
    chart = page[page.index('id="chart"') :]
    assert 'data-node="2"' in chart and 'data-node="3"' not in chart


def test_only_the_owner_asks_and_not_for_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bo = Person("Ann"), Person("Bo")
    study = studied(ann)
    for stranger in (bo.client, Client()):
        answer = stranger.post(f"/analysis/study/{study.code}/game-analysis", {"do": "start"}, headers=PART)
        assert answer.status_code == 422
    empty = services.create(ann.guest, records.Record(game="rin", options={"size": 4}))
    assert ask(ann, empty).status_code == 422
    monkeypatch.setattr("kakomi.server.analysis.services.MOST_PLIES", 3)
    assert ask(ann, study).status_code == 422
    monkeypatch.undo()
    for _ in range(2):
        assert ask(ann, studied(ann)).status_code == 200
    refused = ask(ann, study)
    assert refused.status_code == 422 and "two of your games" in refused.content.decode()
    assert not GameAnalysis.objects.filter(study=study).exists()


def test_kept_answers_make_the_same_analysis_as_searches() -> None:
    game = catalog.game("rive", size=2)
    record = records.recorded(game, ["b2", "a1"])

    class Noting(StoredAnswers):
        """Searches by itself, and stores the results as a worker does."""

        def answers(self, what: str, questions: Sequence[Question]) -> list:
            found = searches.answers(what, questions)
            for question, report in zip(questions, found, strict=True):
                self.stored[self.key(question)] = json.loads(json.dumps(report.to_json(game, 1)))
            return super().answers(what, questions)

    searches = Searches(game, EFFORT, threads=1, tell=lambda *_: None, stop=threading.Event())
    kept: dict = {}
    noted = analyse(record, game, EFFORT, searches=Noting(game, kept))
    again = analyse(record, game, EFFORT, searches=StoredAnswers(game, kept))
    assert again.reports == noted.reports
    for (moment, one), (other_moment, other) in zip(
        noted.reports, analyse(record, game, EFFORT).reports, strict=True
    ):
        assert moment == other_moment and one.principal == other.principal
        assert one.chances == pytest.approx(other.chances, abs=1e-4)


def test_why_an_analysis_failed_is_said_in_the_readers_language() -> None:
    how = lazy_message("an engine was killed by signal {number}", number=9)
    failure = lazy_join(
        ": ", [lazy_message("{most} engines failed: {failure}", most=3, failure=how), "oh {no}"]
    )
    with translation.override("de"):
        assert load_message(dump_message(failure)) == (
            "3 Engines sind gescheitert: eine Engine wurde durch Signal 9 beendet: oh {no}"
        )
        assert load_message("an engine was lost") == "an engine was lost"
        assert load_message("") == ""
    assert load_message(dump_message(failure)) == failure
    assert load_message(dump_message("as it is")) == "as it is"
