"""The coach's advice at a table with one person: a win chance, a proof, a threat, a verdict, in this order.

Every search has a limit on simulations and a seed, as in the analysis of a whole game.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Hashable
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec
import numpy as np
from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from kakomi import catalog
from kakomi.analysis import Move, analyse
from kakomi.analysis.analysis import Question, seed_of
from kakomi.analysis.move import Threat, null_move, standard_error
from kakomi.analysis.swing import CERTAIN, undecided
from kakomi.core import Game, Position
from kakomi.core.effects import turn_in_words
from kakomi.core.returns import percent
from kakomi.records import Record, game_of, position_after
from kakomi.search import Report
from kakomi.search.report import Ownership
from kakomi.server.analysis.game_analysis import (
    EFFORT,
    PROOF,
    THREAT,
    AnswersByKey,
    MissingAnswers,
    StoredAnswers,
    cached_answers,
    measured_dispersion_of,
    stored_answer,
)
from kakomi.server.analysis.game_analysis_presenter import TurnMark, better_turn
from kakomi.server.analysis.live_analysis import AnalysisUpdate, LiveAnalysis, PositionQuery
from kakomi.server.analysis.position_presenters import AnalysisView, proof_positions
from kakomi.server.analysis.selectors import game_count, record_at_table
from kakomi.server.boards.presenters import effect_words
from kakomi.server.engines.decisions import device_analysis
from kakomi.server.site.language import translate
from kakomi.server.tables import models
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table
from kakomi.solve import Proof


@dataclass(frozen=True)
class Situation:
    """What a coach judges: a game, and whom to help in it."""

    record: Record
    position: Position
    player: int
    """The player that the coach helps."""
    own_turn: int | None
    """The number of that player's last turn, from 1; None before the first."""
    may_take_back: bool
    """Whether that turn can be taken back."""
    answers: AnswersByKey
    """Earlier results in this game; the coach adds to them."""

    @property
    def is_to_act(self) -> bool:
        """Whether it is the person's turn, and they haven't begun it."""
        position = self.position
        return not position.is_over and position.to_move == self.player and not position.turn


def situation_of(row: models.Table, table: Table, viewer: Viewer) -> Situation | None:
    """The situation in a match's last game; None until colours are settled, or if the viewer has resigned."""
    number = game_count(row) - 1
    game = table.match.current_game
    if game.players is None or viewer.own[0] in game.resigned_seats:
        return None
    try:
        record = record_at_table(row, number)
    except Refused:
        return None
    player = game.players[viewer.own[0]]
    first = 2 if game.swapped else 1  # after a swap, the player's first turn was the bot's
    turns = enumerate(record.turns[: record.length], 1)
    own = [turn for turn, played in turns if played.player == player and turn >= first]
    return Situation(
        record,
        position_after(record, game_of(record, catalog.game)),
        player,
        own[-1] if own else None,
        any(table.may(seat, "takeback") for seat in viewer.own),
        cached_answers(row.code, number),
    )


class AdviceInterruptedError(Exception):
    """The engines stopped early; `update` says why."""

    def __init__(self, update: AnalysisUpdate) -> None:
        super().__init__(update.ended)
        self.update = update


@dataclass(frozen=True)
class Advice:
    """The coach's findings so far."""

    situation: Situation
    report: Report
    """On the current position."""
    error: float
    """The standard error of the player's chance in `report`."""
    undecided: str = ""
    """The point in the middle of the part of the board that is undecided; empty if there is no such part."""
    proof: Proof | None = None
    """The solver's proof for the current position, if it was run."""
    threat: Threat | None = None
    has_looked_for_threat: bool = False
    moves: tuple[Move, ...] = ()
    """The judged actions of the player's last turn; empty until judged."""

    @property
    def mistake(self) -> Move | None:
        """The costliest of the last turn's actions that a longer search confirmed as mistakes, if any."""
        graded = [move for move in self.moves if move.grade]
        return max(graded, key=lambda move: move.loss, default=None)


class Wanted(Exception):  # noqa: N818 -- not an error
    """A report that a browser's engine has yet to make."""

    def __init__(self, key: str, question: dict[str, Any]) -> None:
        super().__init__(key)
        self.key, self.question = key, question


class Coach:
    """Analyses a situation. A `client` has one position analysed at a time."""

    proves = True

    def __init__(self, situation: Situation, client: Hashable, live: LiveAnalysis) -> None:
        self._situation = situation
        self.game = situation.position.game
        self._client = client
        self._live = live
        self._stored = StoredAnswers(self.game, situation.answers)

    async def advice(self) -> AsyncGenerator[Advice, None]:
        """Yield the findings, again each time there are more. Raises `AdviceInterruptedError`."""
        situation, position = self._situation, self._situation.position
        question = Question(position)
        report = await self.report(question)
        chance = report.chances[situation.player]
        dispersion = measured_dispersion_of(self.game, situation.answers)
        fight = situation.answers.get(self._stored.key(question), {}).get("undecided", "")
        known = Advice(situation, report, standard_error(chance, report.samples, dispersion), fight)
        if situation.own_turn is not None:
            known = replace(known, moves=(await self._judged(situation.own_turn))[0])
        yield known
        if self.proves and not position.is_over and (budget := proof_positions(self.game)):
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
                await self.report(question)
            moves, missing = await self._judged(situation.own_turn)
        yield replace(known, moves=moves)

    async def _judged(self, turn: int) -> tuple[tuple[Move, ...], list[Question]]:
        """A turn's actions, judged as in a whole-game analysis, or the questions still missing for that."""
        answers = MissingAnswers(self.game, self._situation.answers)
        turns, record = range(turn, turn + 1), self._situation.record
        found = await asyncio.to_thread(analyse, record, self.game, EFFORT, turns=turns, searches=answers)
        return ((), answers.missing) if answers.missing else (found.moves, [])

    async def report(self, question: Question) -> Report:
        """The report on a position: a stored one, or else an engine's. Raises `AdviceInterruptedError`."""
        known = self._stored.known(question)
        if known is None:
            actions, start = tuple(self._stored.texts(question)), self._situation.record.position
            known = await self._searched(self._stored.key(question), question, actions, start)
        return known

    async def _threat_report(self, skipped: Position) -> Report:
        """The report on a position that wasn't reached by play, and so is cached by its text."""
        text, answers = str(skipped), self._situation.answers
        key = f"{THREAT}{text}"
        if key in answers:
            return Report.from_json(answers[key], self.game)
        return await self._searched(key, Question(skipped), (), text)

    async def _proof(self, position: Position, budget: int) -> Proof:
        text, answers = str(position), self._situation.answers
        key = f"{PROOF}{text}"
        if key in answers:
            return Proof.from_json(answers[key], self.game)
        place = (self.game.name, tuple(self.game.options.items()), (), text)
        update = await self._found(PositionQuery(*place, proof_positions=budget, is_searched=False))
        if update.proof is None:
            raise AdviceInterruptedError(update)
        answers[key] = update.proof.to_json(self.game)
        return update.proof

    async def _searched(
        self, key: str, question: Question, actions: tuple[str, ...], position: str
    ) -> Report:
        """The report that belongs under a key; the actions lead from a position to the question's."""
        limits = EFFORT.times(question.factor)
        options = tuple(self.game.options.items())
        seed = seed_of(EFFORT, question)
        place = (self.game.name, options, actions, position)
        query = PositionQuery(*place, limits.simulations, seed, playouts=question.playouts)
        update = await self._found(query)
        if update.analysis is None:
            raise AdviceInterruptedError(update)
        self._situation.answers[key] = stored_answer(update.analysis, self.game, question)
        return update.analysis

    async def _found(self, query: PositionQuery) -> AnalysisUpdate:
        """The engines' final update."""
        async with contextlib.aclosing(self._live.watch(self._client, query)) as watched:
            latest = [update async for update in watched][-1]
        if latest.ended != "done":
            raise AdviceInterruptedError(latest)
        return latest


class DeviceCoach(Coach):
    """A coach whose searches a browser makes, without proofs. Raises `Wanted` for each."""

    proves = False

    async def _searched(
        self, key: str, question: Question, actions: tuple[str, ...], position: str
    ) -> Report:
        del actions, position
        limits, seed = EFFORT.times(question.factor), seed_of(EFFORT, question)
        assert limits.simulations
        owners = question.has_owners or question == Question(self._situation.position)
        raise Wanted(key, {**device_analysis(question.position, seed, limits.simulations), "owners": owners})


class _SentReport(Report, frozen=True):
    """A report with what `Ownership.to_json` writes, if the question asked for owners."""

    owner: tuple[tuple[float, ...], ...] = ()
    lead: tuple[float, ...] = ()
    spread: tuple[float, ...] = ()
    playouts: int = 0

    def to_stored(self, game: Game) -> dict[str, Any]:
        """The report as a coach stores it. Raises ValueError if the owners don't fit the board."""
        if not self.playouts:
            return self.to_json(game)
        owned = Ownership.from_json(msgspec.structs.asdict(self))
        fits_players = {owned.lead.shape, owned.spread.shape} == {(game.players,)}
        fits_board = owned.owner.shape in ((0,), (game.geometry.points, game.players))
        if not fits_players or not fits_board or not all(np.isfinite(each).all() for each in owned[:3]):
            raise ValueError("owners have a share for each point and player, and leads one for each player")
        told = msgspec.structs.replace(self, owned=owned).to_json(game)
        return told | {"undecided": undecided(game, owned)}


def read_reports(body: bytes, game: Game) -> AnswersByKey:
    """Reports that a browser sends, by the keys under which they were wanted. Raises ValueError."""
    found = msgspec.json.decode(body, type=dict[str, _SentReport])
    for report in found.values():
        shares = (report.returns, *(line.returns for line in report.lines))
        actions = [action for line in report.lines for action in (line.action, *line.principal)]
        if len(report.lines) != 1 or not all(0 <= action < len(game.actions) for action in actions):
            raise ValueError("a report has one line of actions of the game")
        if not all(len(each) == game.players and all(-1 <= one <= 1 for one in each) for each in shares):
            raise ValueError("returns are from -1 to 1, one for each player")
    return {key: report.to_stored(game) for key, report in found.items()}


@dataclass(frozen=True)
class AdviceView:
    """Advice in the viewer's language, for a board rotated by `turned` steps."""

    advice: Advice
    turned: int
    is_here: bool = False
    """Whether the viewer's browser searched."""

    def as_data(self) -> dict[str, Any]:
        """The advice so far as data for the page's script, with sentences as HTML."""
        data: dict[str, Any] = {"chance": self._chance}
        if self.advice.has_looked_for_threat:
            data["threat"] = self._threat
        if self.advice.moves:
            data["verdict"] = self._verdict
        elif self.advice.situation.own_turn is not None:
            words = gettext("Checking your last move…")
            data["verdict"] = {"html": format_html('<span class="fine">{}</span>', words)}
        return data

    @property
    def _chance(self) -> dict[str, Any]:
        situation, report = self.advice.situation, self.advice.report
        bar = AnalysisView(situation.position, report)
        values = {
            "analysis": bar,
            "words": self._chance_words,
            "certainty": self._certainty,
            "territory": self._territory,
        }
        return {"html": render_to_string("analysis/_chance.html", values).strip()}

    @property
    def _chance_words(self) -> str:
        situation, report = self.advice.situation, self.advice.report
        chance = report.chances[situation.player]
        if situation.position.is_over:
            return gettext("The game is over.")
        if self._proof and self._proof.result is not None:
            return _proved_words(self._proof, situation.player)
        if report.is_proven and chance == 1:
            return gettext("You can force a win")
        if report.is_proven and chance == 0:
            return gettext("Lost with best play")
        if len(report.chances) > 2:
            said = gettext("{percent} for you (even: {even})")
            return said.format(percent=percent(chance), even=percent(1 / len(report.chances)))
        return gettext("{percent} for you").format(percent=percent(chance))

    @property
    def _certainty(self) -> str:
        """How certain the chance is; empty once the game is over."""
        situation, report = self.advice.situation, self.advice.report
        if situation.position.is_over:
            return ""
        if report.is_exact or (self._proof and self._proof.result is not None):
            return gettext("proven")
        said = gettext("± {points}, {count} simulations").format(
            points=max(1, round(100 * CERTAIN * self.advice.error)),
            count=number_format(report.simulations, force_grouping=True),
        )
        return f"{said} · {gettext('on your device')}" if self.is_here else said

    @property
    def _territory(self) -> str:
        """The player's lead, and where the board is undecided; empty once the game is over."""
        situation, owned, point = self.advice.situation, self.advice.report.owned, self.advice.undecided
        if situation.position.is_over or not owned:
            return ""
        lead = round(float(owned.lead[situation.player]))
        if not lead:
            said = gettext("The score is about even.")
        elif lead > 0:
            said = ngettext("You lead by about {count} point.", "You lead by about {count} points.", lead)
        else:
            said = ngettext(
                "You are about {count} point behind.", "You are about {count} points behind.", -lead
            )
        fight = gettext("The fight is around {point}.").format(point=point) if point else ""
        return f"{said.format(count=abs(lead))} {fight}".strip()

    @property
    def _proof(self) -> Proof | None:
        return self.advice.proof

    @property
    def _threat(self) -> dict[str, Any]:
        situation, threat = self.advice.situation, self.advice.threat
        if threat is None:
            words = gettext("No clear threats.") if situation.is_to_act else ""
            return {"html": words}
        names = [translate(name) for name in situation.position.game.player_names]
        effect = effect_words(threat.effect, names)
        if threat.wins:
            said = gettext("{player} threatens to win with {turn}.")
        elif effect:
            said = gettext("{player} threatens {turn}: {effect}.")
        else:
            said = gettext("{player} wants to play {turn}.")
        turn = _button("threat", threat.actions)
        html = format_html(said, player=names[threat.player], turn=turn, effect=effect)
        mark = TurnMark.of(situation.position, threat.actions, threat.effect, "!", self.turned)
        return {"html": html, **asdict(mark)}

    @property
    def _verdict(self) -> dict[str, Any]:
        mistake = self.advice.mistake
        if mistake is None:
            return {"html": gettext("Your last move: nothing clearly better found.")}
        better = better_turn(mistake)
        said = gettext("{turn} was better: {promise} instead of {chance}.")
        words = format_html(
            said,
            turn=_button("verdict", better),
            promise=percent(mistake.promise),
            chance=percent(mistake.after.chances[mistake.ply.player]),
        )
        if mistake.swing:
            words = format_html("{} {}", words, translate(mistake.swing.in_words))
        values = {"words": words, "may_take_back": self.advice.situation.may_take_back}
        html = render_to_string("analysis/_verdict.html", values).strip()
        mark = TurnMark.of_better(mistake, self.turned)
        return {"html": html, **asdict(mark)}


def _proved_words(proof: Proof, player: int) -> str:
    """The proven result for a player of a two-player game, in words."""
    assert proof.result is not None
    result = proof.result if proof.to_move == player else -proof.result
    margin = abs(proof.margin or 0)
    if not result:
        return gettext("A draw with best play")
    if not margin:
        return gettext("You can force a win") if result > 0 else gettext("Lost with best play")
    if result > 0:
        said = ngettext(
            "You can force a win by {margin} point", "You can force a win by {margin} points", margin
        )
    else:
        said = ngettext(
            "Lost by {margin} point with best play",
            "Lost by {margin} points with best play",
            margin,
        )
    return said.format(margin=margin)


def _button(shows: str, actions: tuple[str, ...]) -> SafeString:
    """A button with a turn, which the board shows while the button is hovered or focused."""
    button = '<button type="button" class="coach-turn" data-shows="{}">{}</button>'
    return format_html(button, shows, turn_in_words(actions))
