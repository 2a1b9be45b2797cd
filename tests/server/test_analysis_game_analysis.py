"""Win chances over a whole game: searched by engines, kept as they come, gone on with after a restart."""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from msgspec import to_builtins

from kakomi import catalog, records
from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.protocol.responses import AnalysisReport, LineReport
from kakomi.server.analysis import game_analysis_job, services
from kakomi.server.analysis.engine_answers import StoredAnswers
from kakomi.server.analysis.game_analysis_job import GameAnalysisWorker
from kakomi.server.analysis.models import Study, Survey, dump_message, load_message
from kakomi.server.engines import EnginePoolError
from kakomi.study.analysis import PositionLimits, analyse
from kakomi.study.analysis.estimate import estimate_of
from kakomi.study.analysis.searches import Question, Searches
from server.table_client import PART, Person

pytestmark = pytest.mark.django_db(transaction=True)

EFFORT = PositionLimits(simulations=100)


class Engines:
    """Stands in for a pool: each position is worth what its number of actions says, and (3,3) is a gift."""

    size = 3

    def __init__(self, most: int = 10_000) -> None:
        self.asked = 0
        self.most = most

    async def analyse(
        self, game: str, options: dict[str, int], actions: list[str], **limits: object
    ) -> AsyncIterator[AnalysisReport]:
        if self.asked >= self.most:
            raise EnginePoolError(lazy_message("an engine ended with exit code {number}", number=1))
        self.asked += 1
        await asyncio.sleep(0)
        position = catalog.game(game, **options).start()
        for text in actions:
            position = position.play(text)
        first = 0.05 if "3,3" in actions else 0.5
        action = next(text for text in position.legal() if text != "3,3")
        chances, returns = (first, 1 - first), (2 * first - 1, 1 - 2 * first)
        line = LineReport(action, 5_000, returns, chances, False, False, (action,))
        yield AnalysisReport(
            action, position.to_move, 5_000, 0.1, returns, chances, False, False, (action,), (line,)
        )


def studied(owner: Person) -> Study:
    played = ["0,0", "1,1", "2,2", "3,3", "1,2", "2,1", "0,1"]
    return services.create(owner.guest, records.recorded(catalog.game("rin", size=4), played))


def ask(person: Person, study: Study, do: str = "start") -> HttpResponse:
    return person.client.post(f"/analysis/study/{study.code}/survey", {"do": do}, headers=PART)


def worked(engines: Engines, until: str) -> Survey:
    """The survey after a process has run until it is in this state."""

    async def scenario() -> None:
        surveyor = GameAnalysisWorker(lambda: engines, EFFORT)
        await surveyor.start()
        try:
            async with asyncio.timeout(30):
                while not await Survey.objects.filter(state=until).aexists():
                    await asyncio.sleep(0.02)
        finally:
            await surveyor.stop()

    asyncio.run(scenario())
    return Survey.objects.get()


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_analysis_job, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(game_analysis_job, "KEEP_SECONDS", 0.02)


def test_a_game_is_surveyed_and_its_turning_points_are_shown() -> None:
    ann = Person("Ann")
    study = studied(ann)
    assert "Waiting for an engine" in ask(ann, study).content.decode()
    engines = Engines()
    survey = worked(engines, "done")
    assert engines.asked == len(survey.answers) > 8
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "Where it turned" in page and re.search(r"3,3\?\?</a> <span>Black went from 50 % to 5 %", page)
    assert '<svg xmlns="http://www.w3.org/2000/svg" id="chances"' in page and 'data-node="3"' in page
    assert not re.search(r"\sstyle=|<style", page)
    assert "every 1s" not in page and "Analyse the whole game" not in page


def test_after_a_restart_nothing_is_searched_twice() -> None:
    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    first = Engines(most=4)
    worked(first, "failed")
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "exit code 1" in page
    ann.client.cookies["django_language"] = "de"
    page = ann.client.get(f"/analysis/study/{study.code}").content.decode()
    assert "eine Engine endete mit dem Code 1" in page
    kept = len(Survey.objects.get().answers)
    assert kept == 4
    ask(ann, study)
    second = Engines()
    survey = worked(second, "done")
    assert second.asked == len(survey.answers) - kept


def test_a_survey_that_its_process_left_is_taken_over() -> None:
    ann = Person("Ann")
    ask(ann, studied(ann))
    Survey.objects.update(seen_at=time.time())
    assert game_analysis_job._claimed() is None, "another process works on it"
    Survey.objects.update(seen_at=time.time() - 60)
    assert game_analysis_job._claimed() == Survey.objects.get().pk
    assert game_analysis_job._claimed() is None


def test_a_survey_is_stopped_and_goes_on_where_it_was() -> None:
    ann = Person("Ann")
    study = studied(ann)
    ask(ann, study)
    page = ask(ann, study, "stop").content.decode()
    assert "Go on" in page and Survey.objects.get().state == "stopped"
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
    assert "The main line was changed since" in page and "Analyse the whole game" in page
    chart = page[page.index('id="chart"') :]
    assert 'data-node="2"' in chart and 'data-node="3"' not in chart


def test_only_the_owner_asks_and_not_for_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bo = Person("Ann"), Person("Bo")
    study = studied(ann)
    for stranger in (bo.client, Client()):
        answer = stranger.post(f"/analysis/study/{study.code}/survey", {"do": "start"}, headers=PART)
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
    assert not Survey.objects.filter(study=study).exists()


def test_kept_answers_make_the_same_analysis_as_searches() -> None:
    game = catalog.game("rive", size=2)
    record = records.recorded(game, ["b2", "a1"])

    class Noting(StoredAnswers):
        """Searches for itself, and keeps what it finds as a survey does."""

        def answers(self, what: str, questions: list[Question]) -> list:
            found = searches.answers(what, questions)
            for question, estimate in zip(questions, found, strict=True):
                self.kept[self.key(question)] = to_builtins(estimate)
            return super().answers(what, questions)

    searches = Searches(game, EFFORT, threads=1, tell=lambda *_: None, stop=threading.Event())
    kept: dict = {}
    noted = analyse(record, game, EFFORT, searches=Noting(game, kept))
    again = analyse(record, game, EFFORT, searches=StoredAnswers(game, kept))
    assert again.estimates == noted.estimates == analyse(record, game, EFFORT).estimates


def test_an_estimate_is_what_a_search_in_this_process_says() -> None:
    game = catalog.game("rin", size=4)
    line = LineReport("1,1", 90, (0.2, -0.2), (0.6, 0.4), False, False, ("1,1", "2,2"))
    found = AnalysisReport(
        "1,1", 0, 100, 0.1, (0.1, -0.1), (0.55, 0.45), False, False, ("1,1", "2,2"), (line,)
    )
    estimate = estimate_of(found.read(game), game.start())
    assert estimate.chances == (0.55, 0.45) and estimate.simulations == 100
    assert estimate.promise == pytest.approx(0.6) and estimate.promise_visits == 90
    assert [game.action_texts[action] for action in estimate.best] == ["1,1", "2,2"]


def test_why_a_survey_failed_is_said_in_the_readers_language() -> None:
    how = lazy_message("an engine was ended by signal {number}", number=9)
    failure = lazy_join(
        ": ", [lazy_message("{most} engines were lost over it: {failure}", most=3, failure=how), "oh {no}"]
    )
    with translation.override("de"):
        assert load_message(dump_message(failure)) == (
            "3 Engines gingen daran zugrunde: eine Engine wurde durch Signal 9 beendet: oh {no}"
        )
        assert load_message("an engine was lost") == "an engine was lost"
        assert load_message("") == ""
    assert load_message(dump_message(failure)) == failure
    assert load_message(dump_message("as it is")) == "as it is"
