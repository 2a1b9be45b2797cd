"""Whole games are analysed one after the other, by engines, and go on after a restart where they were.

Searches of a game's positions are kept in the database with its analysis, and in memory.
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
from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.core.returns import return_of
from kakomi.records import game_of
from kakomi.search import Line, Report
from kakomi.server.analysis.models import Survey, dump_message
from kakomi.server.analysis.selectors import read_record
from kakomi.server.database import FailureLog, is_away, outside_requests
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.job_questions import Work
from kakomi.server.pacing import TRAFFIC
from kakomi.study.analysis import PositionLimits, analyse
from kakomi.study.analysis.analysis import SIMULATIONS, Question, seed_of
from kakomi.study.analysis.move import measured_dispersion

LOOK_SECONDS = 0.5
KEEP_SECONDS = 1.0
"""How often what was found is put on disk."""
ABANDONED_SECONDS = 15.0
"""An analysis that no process has worked on for so long is taken over."""

Note = Callable[[str, int, int], None]
"""Told after every answer what is being done, how many are answered, and of how many; in any thread."""

_LOG = logging.getLogger(__name__)


EFFORT = PositionLimits(simulations=SIMULATIONS)
"""Of every search that is kept, so that whoever asks the same finds it."""


GAMES_IN_MEMORY = 200
"""Games at tables; one takes some hundred kilobytes when each of its positions was searched."""


Kept = dict[str, Any]
"""Question -> a report with its best line, as data that JSON can hold."""


THREAT = "threat "
"""What the keys begin with of positions that weren't played."""


PROOF = "proof "
"""What the keys begin with of what the solver proved."""


_GAMES: LRUCache[tuple[str, int], Kept] = LRUCache(GAMES_IN_MEMORY)


_LOCK = threading.Lock()


def kept_in_memory(code: str, number: int) -> Kept:
    """What this process knows of a game at a table, from 0; to be added to. Games used last stay."""
    with _LOCK:
        return _GAMES.setdefault((code, number), {})


def measured_in(game: Game, kept: Kept) -> float:
    """The dispersion that the positions show which were searched twice; at least 1."""
    twice = [(f"0{key[1:]}", key) for key in kept if key.startswith("1:")]
    return measured_dispersion(
        (Report.from_json(kept[first], game), Report.from_json(kept[again], game))
        for first, again in twice
        if first in kept
    )


def answers_known(code: str, number: int) -> Kept:
    """What searches of this process know of the positions of a game at a table."""
    known = kept_in_memory(code, number).copy()  # a coach may add to it meanwhile
    return {key: found for key, found in known.items() if not key.startswith((THREAT, PROOF))}


class StoredAnswers:
    """What was answered before, and nothing else: enough to draw an analysis as far as it came."""

    def __init__(self, game: Game, kept: Kept) -> None:
        self._game = game
        self.kept = kept

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report for each question that was answered."""
        del what
        return [self.known(question) for question in questions]

    def known(self, question: Question) -> Report | None:
        """What is known without a search."""
        if question.position.is_over:
            return Report.of_result(question.position)
        found = self.kept.get(self.key(question))
        return None if found is None else stored_report(found, question.position)

    def key(self, question: Question) -> str:
        """What a question is kept as."""
        said = " ".join(self.texts(question))
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        return f"{question.attempt}:{question.factor}:{digest}"

    def texts(self, question: Question) -> list[str]:
        """What was played up to a question's position."""
        return [self._game.action_texts[action] for action in question.position.played()]


class MissingAnswers(StoredAnswers):
    """Notes the questions that nobody has answered yet."""

    def __init__(self, game: Game, kept: Kept) -> None:
        super().__init__(game, kept)
        self.missing: list[Question] = []

    def known(self, question: Question) -> Report | None:
        """What is known without a search."""
        found = super().known(question)
        if found is None:
            self.missing.append(question)
        return found


def stored_report(data: dict[str, Any], position: Position) -> Report:
    """A report that was kept of a position, by this version or by one that kept estimates."""
    if "returns" in data:
        return Report.from_json(data, position.game)
    return _earlier_report(data, position)


def _earlier_report(data: dict[str, Any], position: Position) -> Report:
    """What versions up to 0.4.0.dev0 kept: `chances`, the `simulations` that they are the mean of (0 if they
    are exact), the `best` line as numbers, and the `promise` of its first action to the player to act, with
    `promise_visits` (0 if it is proven)."""
    players, mover, promise = position.game.players, position.to_move, data["promise"]
    others = (1 - promise) / (players - 1)
    chances = [promise if player == mover else others for player in range(players)]
    best = tuple(data["best"])
    line = Line(
        best[0],
        data["promise_visits"],
        tuple(return_of(chance, players) for chance in chances),
        wins=promise == 1 and not data["promise_visits"],
        principal=best,
    )
    returns = tuple(return_of(chance, players) for chance in data["chances"])
    return Report(mover, data["simulations"], 0.0, returns, (line,), is_proven=not data["simulations"])


class EngineAnswers(StoredAnswers):
    """Asks engines for what isn't known yet. `answers` is called in a thread, the asking done on a loop."""

    def __init__(
        self,
        game: Game,
        position: str,
        kept: Kept,
        effort: PositionLimits,
        engines: EnginePool,
        loop: asyncio.AbstractEventLoop,
        *,
        asker: str,
        stop: threading.Event,
        note: Note,
    ) -> None:
        """`position` is the text of where the game began, if that is not its own start."""
        super().__init__(game, kept)
        self._position = position
        self._effort = effort
        self._engines = engines
        self._loop = loop
        self._asker = asker
        self._stop = stop
        self._note = note

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report for each question; None for those that were not reached before a stop.

        Raises ThinkingFailed.
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
                    self.kept[self.key(question)] = await self._answer(question)
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
            asker=self._asker,
            lines=1,
            simulations=effort.simulations,
            seed=seed_of(self._effort, question),
        )
        latest = None
        async with contextlib.aclosing(searching) as findings:
            async for found in findings:
                latest = found
                if self._stop.is_set():
                    break
        assert latest is not None
        return latest.to_json(game, most=1)


class GameAnalysisWorker:
    """One for each process, which does one analysis at a time."""

    def __init__(
        self, engines: Callable[[], EnginePool] = shared_pool, effort: PositionLimits = EFFORT
    ) -> None:
        self._engines = engines
        self._effort = effort
        self._rounds: asyncio.Task[None] | None = None
        self._stop = threading.Event()

    async def start(self) -> None:
        """Begin to look for analyses that are asked for."""
        self._rounds = asyncio.create_task(self._go_round())

    async def stop(self) -> None:
        """End; the next process that starts goes on with what is under way."""
        self._stop.set()
        if self._rounds:
            self._rounds.cancel()
            await asyncio.gather(self._rounds, return_exceptions=True)

    async def _go_round(self) -> None:
        failures = FailureLog(_LOG)
        while True:
            with failures.attempt("looking for analyses"):
                while not self._stop.is_set() and (number := await sync_to_async(_claimed)()):
                    await self.analyse(number)
            await asyncio.sleep(TRAFFIC.interval(LOOK_SECONDS))

    async def analyse(self, number: int) -> None:
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
            _GameAnalysis(number, self._engines(), self._effort, loop, self._stop).do()
        finally:
            connection.close()


class _GameAnalysis:
    """An analysis being done, in a thread of its own."""

    def __init__(
        self,
        number: int,
        engines: EnginePool,
        effort: PositionLimits,
        loop: asyncio.AbstractEventLoop,
        ended: threading.Event,
    ) -> None:
        self._row = Survey.objects.get(pk=number)
        self._engines, self._effort, self._loop = engines, effort, loop
        self._ended = ended
        """Whether the site ends."""
        self._stop = threading.Event()
        self._kept_at = 0.0
        self._wake = threading.Event()
        self._progress = ("", 0, 0)

    def do(self) -> None:
        """Search, and put on disk what is found while the searching goes on."""
        searching = threading.Thread(target=self._search, name=f"kakomi-analysis-{self._row.pk}")
        searching.start()
        while searching.is_alive():
            searching.join(KEEP_SECONDS)
            if not self._keep_for_now() or self._ended.is_set():
                self._stop.set()
        self._keep()
        if self._row.state != Survey.State.RUNNING:
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
            asker=f"game analysis {row.pk}",
            stop=self._stop,
            note=self._note,
        )
        try:
            analysis = analyse(record, game, self._effort, stop=self._stop, searches=answers)
        except Exception as error:
            if not self._stop.is_set():
                row.state, row.trouble = Survey.State.FAILED, dump_message(_in_words(error))
        else:
            if analysis.is_complete:
                row.state = Survey.State.DONE

    def _note(self, what: str, done: int, total: int) -> None:
        self._progress = (what, done, total)

    def _keep_for_now(self) -> bool:
        try:
            return self._keep()
        except Exception as error:
            if not is_away(error):
                self._stop.set()
                raise
            return True  # the next time it is kept as well

    @outside_requests
    def _keep(self) -> bool:
        """Put what is known on disk; False if the analysis isn't wanted any more."""
        stage, done, total = self._progress
        fields = {"answers": dict(self._row.answers), "stage": stage, "done": done, "total": total}
        return bool(self._running().update(**fields, seen_at=time.time()))

    def _running(self) -> "models.QuerySet[Survey]":
        same = Survey.objects.filter(pk=self._row.pk, state=Survey.State.RUNNING)
        return same.filter(record=self._row.record)


def _abandoned(now: float) -> "models.QuerySet[Survey]":
    return Survey.objects.filter(state=Survey.State.RUNNING, seen_at__lt=now - ABANDONED_SECONDS)


_ABANDONED = Work(_abandoned)


@outside_requests
def _claimed() -> int | None:
    """An analysis that nobody works on, now ours; None if there is none."""
    now = time.time()
    waiting = _abandoned(now) if _ABANDONED.is_there(now) else Survey.objects.none()
    for number in waiting.order_by("pk").values_list("pk", flat=True)[:5]:
        if waiting.filter(pk=number).update(seen_at=now):
            return number
    return None


def _in_words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, EnginePoolError):
        _LOG.error("an analysis failed", exc_info=error)
        return lazy_message("something went wrong on this site; it is in its log")
    return error.reason
