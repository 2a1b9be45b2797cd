"""Analyse whole games with the engines, one at a time per process, resuming after a restart.

The search results of a game's positions are stored in the database with its analysis, and cached in memory.
"""

import asyncio
import contextlib
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from asgiref.sync import sync_to_async
from cachetools import LRUCache
from django.db import connection, models

from kakomi import catalog
from kakomi.analysis import PositionLimits, analyse
from kakomi.analysis.analysis import SIMULATIONS, Question, seed_of
from kakomi.analysis.move import measured_dispersion
from kakomi.analysis.swing import undecided
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import game_of
from kakomi.search import Report
from kakomi.server.analysis.models import GameAnalysis, dump_message
from kakomi.server.analysis.selectors import read_record
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.site.database import FailureLog, is_away, outside_requests
from kakomi.server.site.jobs import Work
from kakomi.server.site.pacing import TRAFFIC

POLL_SECONDS = 0.5
SAVE_SECONDS = 1.0
"""The interval between writes of results to the database."""
ABANDONED_SECONDS = 15.0
"""Another process takes over an analysis that no process has worked on for this long."""

Note = Callable[[str, int, int], None]
"""Called after every answer, in any thread, with the stage, the number of answers, and their total."""

_LOG = logging.getLogger(__name__)
EFFORT = PositionLimits(simulations=SIMULATIONS)
"""The limits of every stored search, the same for all so that any analysis can reuse the results."""
CACHED_GAMES = 200
"""Games at tables. A fully searched game takes a few hundred kilobytes."""
AnswersByKey = dict[str, Any]
"""The key of a question -> a report with its best line, as JSON data."""
THREAT = "threat "
"""Key prefix of positions that weren't played."""
PROOF = "proof "
"""Key prefix of the solver's proofs."""
_CACHE: LRUCache[tuple[str, int], AnswersByKey] = LRUCache(CACHED_GAMES)
_LOCK = threading.Lock()


def cached_answers(code: str, number: int) -> AnswersByKey:
    """This process's cached answers for a game (from 0) at a table, to be added to. An LRU cache of games."""
    with _LOCK:
        return _CACHE.setdefault((code, number), {})


def measured_dispersion_of(game: Game, stored: AnswersByKey) -> float:
    """The dispersion measured from positions that were searched twice; at least 1."""
    twice = [(f"0{key[1:]}", key) for key in stored if key.startswith("1:")]
    return measured_dispersion(
        (Report.from_json(stored[first], game), Report.from_json(stored[again], game))
        for first, again in twice
        if first in stored
    )


def stored_answer(report: Report, game: Game, question: Question) -> dict[str, Any]:
    """A report as it is stored: with its best line, and with the owners of points where a swing needs them.
    Elsewhere the middle of the part of the board that is undecided stands for them."""
    data = report.to_json(game, most=1)
    if report.owned and not question.has_owners:
        data |= {"owner": [], "undecided": undecided(game, report.owned)}
    return data


def cached_search_answers(code: str, number: int) -> AnswersByKey:
    """This process's cached search results for the positions of a table's game."""
    known = cached_answers(code, number).copy()  # a coach may be adding to it
    return {key: found for key, found in known.items() if not key.startswith((THREAT, PROOF))}


class StoredAnswers:
    """Stored answers only, without any searching: enough to draw a partial analysis."""

    def __init__(self, game: Game, stored: AnswersByKey) -> None:
        self._game = game
        self.stored = stored

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report for each question; None where there is no stored answer."""
        del what
        return [self.known(question) for question in questions]

    def known(self, question: Question) -> Report | None:
        """What is known without a search."""
        if question.position.is_over:
            return Report.of_result(question.position)
        found = self.stored.get(self.key(question))
        if found is None or (question.has_owners and not found.get("owner")):
            return None
        return Report.from_json(found, self._game)

    def key(self, question: Question) -> str:
        """The key that a question's answer is stored under."""
        said = " ".join(self.texts(question))
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        return f"{question.attempt}:{question.factor}:{digest}"

    def texts(self, question: Question) -> list[str]:
        """The actions that lead to a question's position."""
        return [self._game.action_texts[action] for action in question.position.played()]


class MissingAnswers(StoredAnswers):
    """Collects in `missing` the questions without a stored answer."""

    def __init__(self, game: Game, stored: AnswersByKey) -> None:
        super().__init__(game, stored)
        self.missing: list[Question] = []

    def known(self, question: Question) -> Report | None:
        """What is known without a search."""
        found = super().known(question)
        if found is None:
            self.missing.append(question)
        return found


class EngineAnswers(StoredAnswers):
    """Has engines answer what has no stored answer. Call `answers` in a thread other than `loop`'s."""

    def __init__(
        self,
        game: Game,
        position: str,
        stored: AnswersByKey,
        effort: PositionLimits,
        engines: EnginePool,
        loop: asyncio.AbstractEventLoop,
        *,
        client: str,
        stop: threading.Event,
        note: Note,
    ) -> None:
        """`position` is the text of the starting position; empty for the game's own."""
        super().__init__(game, stored)
        self._position = position
        self._effort = effort
        self._engines = engines
        self._loop = loop
        self._client = client
        self._stop = stop
        self._note = note

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report for each question; None for those not answered before a stop.

        Raises an `ExceptionGroup` of the engines' errors.
        """
        if not self._stop.is_set():
            asking = asyncio.run_coroutine_threadsafe(self._ask(what, questions), self._loop)
            asking.result()
        return super().answers(what, questions)

    async def _ask(self, what: str, questions: Sequence[Question]) -> None:
        wanted = [question for question in questions if self.known(question) is None]
        done = len(questions) - len(wanted)
        self._note(what, done, len(questions))
        places = asyncio.Semaphore(max(1, self._engines.size - 1))

        async def answered(question: Question) -> None:
            nonlocal done
            async with places:
                if not self._stop.is_set():
                    self.stored[self.key(question)] = await self._answer(question)
                    done += 1
                    self._note(what, done, len(questions))

        async with asyncio.TaskGroup() as group:
            for question in wanted:
                group.create_task(answered(question))

    async def _answer(self, question: Question) -> dict[str, Any]:
        game, effort = self._game, self._effort.times(question.factor)
        searching = self._engines.analyse(
            game.name,
            game.options,
            self.texts(question),
            position=self._position,
            client=self._client,
            lines=1,
            simulations=effort.simulations,
            seed=seed_of(self._effort, question),
            playouts=question.playouts,
        )
        latest = None
        async with contextlib.aclosing(searching) as findings:
            async for found in findings:
                latest = found
                if self._stop.is_set():
                    break
        assert latest is not None
        return stored_answer(latest, game, question)


class GameAnalysisWorker:
    """The process's worker, which does one analysis at a time."""

    def __init__(
        self, engines: Callable[[], EnginePool] = shared_pool, effort: PositionLimits = EFFORT
    ) -> None:
        self._engines = engines
        self._effort = effort
        self._polling: asyncio.Task[None] | None = None
        self._stop = threading.Event()

    async def start(self) -> None:
        """Start polling for requested analyses."""
        self._polling = asyncio.create_task(self._poll())

    async def stop(self) -> None:
        """Stop. Another process resumes the current analysis."""
        self._stop.set()
        if self._polling:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)

    async def _poll(self) -> None:
        failures = FailureLog(_LOG)
        while True:
            with failures.attempt("looking for analyses"):
                while not self._stop.is_set() and (number := await sync_to_async(_claimed)()):
                    await self.analyse(number)
            await asyncio.sleep(TRAFFIC.interval(POLL_SECONDS))

    async def analyse(self, number: int) -> None:
        """Do one analysis until it ends or is stopped."""
        loop = asyncio.get_running_loop()
        work = asyncio.ensure_future(asyncio.to_thread(self._work, number, loop))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            self._stop.set()
            with contextlib.suppress(Exception):
                await work
            raise

    def _work(self, number: int, loop: asyncio.AbstractEventLoop) -> None:
        try:
            _AnalysisRun(number, self._engines(), self._effort, loop, self._stop).do()
        finally:
            connection.close()


class _AnalysisRun:
    """A running analysis, in its own thread."""

    def __init__(
        self,
        number: int,
        engines: EnginePool,
        effort: PositionLimits,
        loop: asyncio.AbstractEventLoop,
        ended: threading.Event,
    ) -> None:
        self._row = GameAnalysis.objects.get(pk=number)
        self._engines, self._effort, self._loop = engines, effort, loop
        self._ended = ended
        """Whether the process is shutting down."""
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._progress = ("", 0, 0)

    def do(self) -> None:
        """Search, and store the results periodically in the meantime."""
        searching = threading.Thread(target=self._search, name=f"kakomi-analysis-{self._row.pk}")
        searching.start()
        while searching.is_alive():
            searching.join(SAVE_SECONDS)
            if not self._save_if_possible() or self._ended.is_set():
                self._stop.set()
        self._save()
        if self._row.state != GameAnalysis.State.RUNNING:
            fields = {"state": self._row.state, "trouble": self._row.trouble}
            self._running().update(**fields)

    def _search(self) -> None:
        row = self._row
        record = read_record(row.record)
        game = game_of(record, catalog.game)
        answers = EngineAnswers(
            game,
            record.position,
            row.answers,
            self._effort,
            self._engines,
            self._loop,
            client=f"game analysis {row.pk}",
            stop=self._stop,
            note=self._note,
        )
        try:
            analysis = analyse(record, game, self._effort, stop=self._stop, searches=answers)
        except Exception as error:
            if not self._stop.is_set():
                row.state, row.trouble = GameAnalysis.State.FAILED, dump_message(_reason(error))
        else:
            if analysis.is_complete:
                row.state = GameAnalysis.State.DONE

    def _note(self, what: str, done: int, total: int) -> None:
        self._progress = (what, done, total)

    def _save_if_possible(self) -> bool:
        try:
            return self._save()
        except Exception as error:
            if not is_away(error):
                self._stop.set()
                raise
            return True  # the next write includes it

    @outside_requests
    def _save(self) -> bool:
        """Write the answers and progress to the database. False if the analysis was stopped or replaced."""
        stage, done, total = self._progress
        fields = {"answers": dict(self._row.answers), "stage": stage, "done": done, "total": total}
        return bool(self._running().update(**fields, seen_at=time.time()))

    def _running(self) -> "models.QuerySet[GameAnalysis]":
        same = GameAnalysis.objects.filter(pk=self._row.pk, state=GameAnalysis.State.RUNNING)
        return same.filter(record=self._row.record)


def _abandoned(now: float) -> "models.QuerySet[GameAnalysis]":
    return GameAnalysis.objects.filter(state=GameAnalysis.State.RUNNING, seen_at__lt=now - ABANDONED_SECONDS)


_ABANDONED = Work(_abandoned)


@outside_requests
def _claimed() -> int | None:
    """Claim an abandoned or new analysis and return its primary key; None if there is none."""
    now = time.time()
    waiting = _abandoned(now) if _ABANDONED.is_there(now) else GameAnalysis.objects.none()
    for number in waiting.order_by("pk").values_list("pk", flat=True)[:5]:
        if waiting.filter(pk=number).update(seen_at=now):
            return number
    return None


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, EnginePoolError):
        _LOG.error("an analysis failed", exc_info=error)
        return lazy_message("something went wrong; see the site’s log")
    return error.reason
