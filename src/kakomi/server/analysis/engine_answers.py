"""Engines answer the questions of a whole game's analysis, and what they said is kept."""

import asyncio
import contextlib
import hashlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from kakomi.core import Game, Position
from kakomi.core.returns import return_of
from kakomi.search import Line, Report
from kakomi.server.engines import EnginePool
from kakomi.study.analysis import PositionLimits
from kakomi.study.analysis.searches import Question, seed_of

Kept = dict[str, Any]
"""Question -> a report with its best line, as data that JSON can hold."""
Note = Callable[[str, int, int], None]
"""AnalysisView after every answer what is being done, how many are answered, and of how many; any thread."""


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
        played = question.position.actions_since(self._game.start()) or []
        return [self._game.action_texts[action] for action in played]


class EngineAnswers(StoredAnswers):
    """Asks engines for what isn't known yet. `answers` is called in a thread, the asking done on a loop."""

    def __init__(
        self,
        game: Game,
        kept: Kept,
        effort: PositionLimits,
        engines: EnginePool,
        loop: asyncio.AbstractEventLoop,
        *,
        asker: str,
        stop: threading.Event,
        note: Note,
    ) -> None:
        super().__init__(game, kept)
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
        effort = self._effort.times(question.factor)
        searching = self._engines.analyse(
            self._game.name,
            self._game.options,
            self.texts(question),
            asker=self._asker,
            lines=1,
            simulations=effort.simulations,
            seed=seed_of(self._effort, question),
        )
        latest = None
        async with contextlib.aclosing(searching) as findings:  # type: ignore[type-var]
            async for found in findings:
                latest = found
                if self._stop.is_set():
                    break
        assert latest is not None
        return latest.to_json(self._game, most=1)


def stored_report(data: dict[str, Any], position: Position) -> Report:
    """A report that was kept of a position, by this version or by one before 0.5."""
    if "returns" in data:
        return Report.from_json(data, position.game)
    return _earlier_report(data, position)


def _earlier_report(data: dict[str, Any], position: Position) -> Report:
    """What versions before 0.5 kept: `chances`, the `simulations` that they are the mean of (0 if they are
    exact), the `best` line as numbers, and the `promise` of its first action to the player to act, with
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
