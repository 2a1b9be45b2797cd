"""Whole games are analysed one after the other, by engines, and go on after a restart where they were."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable

from asgiref.sync import sync_to_async
from django.db import connection, models

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.records import game_of, read_json
from kakomi.server.analysis.engine_answers import EngineAnswers
from kakomi.server.analysis.models import Survey, dump_message
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.study.analysis import PositionLimits, analyse
from kakomi.study.analysis.searches import SIMULATIONS

EFFORT = PositionLimits(simulations=SIMULATIONS)
LOOK_SECONDS = 0.5
KEEP_SECONDS = 1.0
"""How often what was found is put on disk."""
ABANDONED_SECONDS = 15.0
"""A survey that no process has worked on for so long is taken over."""

_LOG = logging.getLogger(__name__)


class GameAnalysisWorker:
    """One for each process, which does one survey at a time."""

    def __init__(
        self, engines: Callable[[], EnginePool] = shared_pool, effort: PositionLimits = EFFORT
    ) -> None:
        self._engines = engines
        self._effort = effort
        self._rounds: asyncio.Task[None] | None = None
        self._stop = threading.Event()

    async def start(self) -> None:
        """Begin to look for surveys that are asked for."""
        self._rounds = asyncio.create_task(self._go_round())

    async def stop(self) -> None:
        """End; the next process that starts goes on with what is under way."""
        self._stop.set()
        if self._rounds:
            self._rounds.cancel()
            await asyncio.gather(self._rounds, return_exceptions=True)

    async def _go_round(self) -> None:
        while True:
            try:
                while not self._stop.is_set() and (number := await sync_to_async(_claimed)()):
                    await self.survey(number)
            except Exception:  # a database that is away comes back
                _LOG.exception("looking for surveys failed; it is tried again")
            await asyncio.sleep(LOOK_SECONDS)

    async def survey(self, number: int) -> None:
        """Do one, to its end or until somebody stops it."""
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
            _Work(number, self._engines(), self._effort, loop, self._stop).do()
        finally:
            connection.close()


class _Work:
    """A survey being done, in a thread of its own."""

    def __init__(
        self,
        number: int,
        engines: EnginePool,
        effort: PositionLimits,
        loop: asyncio.AbstractEventLoop,
        ended: threading.Event,
    ) -> None:
        self._survey = Survey.objects.get(pk=number)
        self._engines, self._effort, self._loop = engines, effort, loop
        self._ended = ended
        """Whether the site ends."""
        self._stop = threading.Event()
        self._kept_at = 0.0
        self._wake = threading.Event()
        self._progress = ("", 0, 0)

    def do(self) -> None:
        """Search, and put on disk what is found while the searching goes on."""
        searching = threading.Thread(target=self._search, name=f"kakomi-survey-{self._survey.pk}")
        searching.start()
        while searching.is_alive():
            searching.join(KEEP_SECONDS)
            if not self._keep() or self._ended.is_set():
                self._stop.set()
        self._keep()
        if self._survey.state != Survey.State.RUNNING:
            fields = {"state": self._survey.state, "trouble": self._survey.trouble}
            self._running().update(**fields)

    def _search(self) -> None:
        survey = self._survey
        record = read_json(survey.record.encode())
        game = game_of(record, catalog.game)
        answers = EngineAnswers(
            game,
            survey.answers,
            self._effort,
            self._engines,
            self._loop,
            asker=f"survey {survey.pk}",
            stop=self._stop,
            note=self._note,
        )
        try:
            analysis = analyse(record, game, self._effort, stop=self._stop, searches=answers)
        except Exception as error:
            if not self._stop.is_set():
                survey.state, survey.trouble = Survey.State.FAILED, dump_message(_in_words(error))
        else:
            if analysis.is_complete:
                survey.state = Survey.State.DONE

    def _note(self, what: str, done: int, total: int) -> None:
        self._progress = (what, done, total)

    def _keep(self) -> bool:
        """Put what is known on disk; False if the survey isn't wanted any more."""
        stage, done, total = self._progress
        fields = {"answers": dict(self._survey.answers), "stage": stage, "done": done, "total": total}
        return bool(self._running().update(**fields, seen_at=time.time()))

    def _running(self) -> "models.QuerySet[Survey]":
        same = Survey.objects.filter(pk=self._survey.pk, state=Survey.State.RUNNING)
        return same.filter(record=self._survey.record)


def _claimed() -> int | None:
    """A survey that nobody works on, now ours; None if there is none."""
    now = time.time()
    waiting = Survey.objects.filter(state=Survey.State.RUNNING, seen_at__lt=now - ABANDONED_SECONDS)
    for number in waiting.order_by("pk").values_list("pk", flat=True)[:5]:
        if waiting.filter(pk=number).update(seen_at=now):
            return number
    return None


def _in_words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, EnginePoolError):
        _LOG.error("a survey failed", exc_info=error)
        return lazy_message("something went wrong on this site; it is in its log")
    return error.reason
