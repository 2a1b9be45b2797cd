"""What engines find for a coach at a table with one person: a win chance, a proof, a threat, a verdict.

They are found in this order. Every search has a limit in simulations and a seed, as in the analysis of the
whole game.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Hashable
from dataclasses import dataclass, replace

from kakomi import catalog
from kakomi.core import Position
from kakomi.records import Record, game_of, position_after
from kakomi.search import Report
from kakomi.server.analysis.analysis_view import proof_positions
from kakomi.server.analysis.game_analysis import (
    EFFORT,
    PROOF,
    THREAT,
    Kept,
    MissingAnswers,
    StoredAnswers,
    kept_in_memory,
    measured_in,
    stored_report,
)
from kakomi.server.analysis.live_analysis import AnalysisUpdate, LiveAnalysis, PositionQuery
from kakomi.server.analysis.selectors import game_count, record_at_table
from kakomi.server.tables import models
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table
from kakomi.solve import Proof
from kakomi.study.analysis import Move, analyse
from kakomi.study.analysis.analysis import Question, seed_of
from kakomi.study.analysis.move import Threat, null_move, standard_error


@dataclass(frozen=True)
class Situation:
    """What a coach has to judge."""

    record: Record
    position: Position
    player: int
    """Whom the coach helps."""
    own_turn: int | None
    """The number of that player's last turn, from 1; None before the first."""
    may_take_back: bool
    """Whether that turn can be taken back."""
    kept: Kept
    """What was found in this game before, to be added to."""

    @property
    def is_to_act(self) -> bool:
        """Whether the person is to begin a turn."""
        position = self.position
        return not position.is_over and position.to_move == self.player and not position.turn


def situation_of(row: models.Table, table: Table, viewer: Viewer) -> Situation | None:
    """The last game of a table's match; None while colours aren't settled, and for who has resigned."""
    number = game_count(row) - 1
    game = table.match.current_game
    if game.players is None or viewer.own[0] in game.resigned_seats:
        return None
    try:
        record = record_at_table(row, number)
    except Refused:
        return None
    player = game.players[viewer.own[0]]
    first = 2 if game.swapped else 1  # what was taken over by a swap was the bot's
    turns = enumerate(record.turns[: record.length], 1)
    own = [turn for turn, played in turns if played.player == player and turn >= first]
    return Situation(
        record,
        position_after(record, game_of(record, catalog.game)),
        player,
        own[-1] if own else None,
        any(table.may(seat, "takeback") for seat in viewer.own),
        kept_in_memory(row.code, number),
    )


class AdviceInterruptedError(Exception):
    """No more can be found; `update` says why."""

    def __init__(self, update: AnalysisUpdate) -> None:
        super().__init__(update.ended)
        self.update = update


@dataclass(frozen=True)
class Advice:
    """What a coach knows so far."""

    situation: Situation
    report: Report
    """On the position as it stands."""
    error: float
    """The standard error of the chances in it."""
    proof: Proof | None = None
    """What best play comes to from there, if the solver was asked."""
    threat: Threat | None = None
    has_looked_for_threat: bool = False
    moves: tuple[Move, ...] = ()
    """The last turn's actions, judged; none as long as they aren't."""

    @property
    def mistake(self) -> Move | None:
        """What lost most in the last turn, if a longer search is sure of it."""
        graded = [move for move in self.moves if move.grade]
        return max(graded, key=lambda move: move.loss, default=None)


class Coach:
    """Looks at one situation, for an `asker` who has one position looked at at a time."""

    def __init__(self, situation: Situation, asker: Hashable, live: LiveAnalysis) -> None:
        self._situation = situation
        self._game = situation.position.game
        self._asker = asker
        self._live = live
        self._stored = StoredAnswers(self._game, situation.kept)

    async def advice(self) -> AsyncGenerator[Advice, None]:
        """What is known, again whenever that is more. Raises AdviceInterruptedError."""
        situation, position = self._situation, self._situation.position
        report = await self._report(Question(position))
        chance, dispersion = report.chances[situation.player], measured_in(self._game, situation.kept)
        known = Advice(situation, report, standard_error(chance, report.samples, dispersion))
        if situation.own_turn is not None:
            known = replace(known, moves=(await self._judged(situation.own_turn))[0])
        yield known
        if not position.is_over and (budget := proof_positions(self._game)):
            known = replace(known, proof=await self._proof(position, budget))
            yield known
        if situation.is_to_act and (skipped := null_move(position)):
            threat = await asyncio.to_thread(Threat.of, skipped, await self._threat_report(skipped))
            known = replace(known, threat=threat)
        known = replace(known, has_looked_for_threat=True)
        yield known
        if situation.own_turn is None or known.moves:
            return
        moves, missing = await self._judged(situation.own_turn)
        while missing:
            for question in missing:
                await self._report(question)
            moves, missing = await self._judged(situation.own_turn)
        yield replace(known, moves=moves)

    async def _judged(self, turn: int) -> tuple[tuple[Move, ...], list[Question]]:
        """The actions of a turn as the analysis of a whole game judges them, or what that has yet to ask."""
        answers = MissingAnswers(self._game, self._situation.kept)
        turns, record = range(turn, turn + 1), self._situation.record
        found = await asyncio.to_thread(analyse, record, self._game, EFFORT, turns=turns, searches=answers)
        return ((), answers.missing) if answers.missing else (found.moves, [])

    async def _report(self, question: Question) -> Report:
        known = self._stored.known(question)
        if known is None:
            query = self._query(
                question, tuple(self._stored.texts(question)), self._situation.record.position
            )
            known = await self._searched(query)
            self._situation.kept[self._stored.key(question)] = known.to_json(self._game, most=1)
        return known

    async def _threat_report(self, skipped: Position) -> Report:
        """On a position that play didn't lead to, so that it is kept by its text."""
        text, kept = str(skipped), self._situation.kept
        key = f"{THREAT}{text}"
        if key in kept:
            return stored_report(kept[key], skipped)
        report = await self._searched(self._query(Question(skipped), (), text))
        kept[key] = report.to_json(self._game, most=1)
        return report

    async def _proof(self, position: Position, budget: int) -> Proof:
        text, kept = str(position), self._situation.kept
        key = f"{PROOF}{text}"
        if key in kept:
            return Proof.from_json(kept[key], self._game)
        place = (self._game.name, tuple(self._game.options.items()), (), text)
        update = await self._found(PositionQuery(*place, proof_positions=budget, is_searched=False))
        if update.proof is None:
            raise AdviceInterruptedError(update)
        kept[key] = update.proof.to_json(self._game)
        return update.proof

    def _query(self, question: Question, actions: tuple[str, ...], position: str) -> PositionQuery:
        limits = EFFORT.times(question.factor)
        options = tuple(self._game.options.items())
        seed = seed_of(EFFORT, question)
        return PositionQuery(self._game.name, options, actions, position, limits.simulations, seed)

    async def _searched(self, query: PositionQuery) -> Report:
        update = await self._found(query)
        if update.analysis is None:
            raise AdviceInterruptedError(update)
        return update.analysis

    async def _found(self, query: PositionQuery) -> AnalysisUpdate:
        """What engines find in the end."""
        async with contextlib.aclosing(self._live.watch(self._asker, query)) as watched:
            latest = [update async for update in watched][-1]
        if latest.ended != "done":
            raise AdviceInterruptedError(latest)
        return latest
