"""Try again: a turning point is replayed, and an engine judges the move that is played instead."""

import json
from collections.abc import Hashable
from dataclasses import dataclass, replace

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.analysis import Grade, Move
from kakomi.analysis.analysis import INSTEAD, LONGER, Question
from kakomi.core import IllegalAction, Position
from kakomi.core.attempt import action_at
from kakomi.core.i18n import lazy_message
from kakomi.core.returns import percent
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis.coach import AdviceInterruptedError, Coach, DeviceCoach, Situation, Wanted
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter, turn_with_achievements
from kakomi.server.analysis.live_analysis import shared_live_analysis
from kakomi.server.analysis.permissions import explains_running_games, find_study
from kakomi.server.analysis.selectors import read_record, record_of
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.boards.fragments import (
    Fragment,
    FragmentSet,
    board_fragment,
    changed_board,
    digested_fragment,
    respond,
)
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.boards.sharing import unlisted
from kakomi.server.site.language import translate, why
from kakomi.server.site.whole_numbers import whole_number


def verdict_on(move: Move, action: int, chance: float) -> str:
    """How an action compares with a mistake, by the chance that it leaves the player: `same`, `worse`,
    `better` (but clearly worse than the best action) or `best`."""
    if action == move.ply.action:
        return "same"
    if action == move.best[0] or move.promise - chance < Grade.INACCURACY.value:
        return "best"
    gain = chance - move.after.chances[move.ply.player]
    return "better" if gain >= Grade.INACCURACY.value else "worse"


async def judged(attempt: "Attempt", client: Hashable, by: type[Coach] = Coach) -> float:
    """The player's chance after the action tried, as an engine judges it. Raises `AdviceInterruptedError`, or
    for a `DeviceCoach` `Wanted`."""
    analysis, after, player = attempt.analysis, attempt.after, attempt.move.ply.player
    assert analysis.row is not None
    record, answers = read_record(analysis.row.record), dict(analysis.row.answers)
    situation = Situation(record, after, player, None, may_take_back=False, answers=answers)
    report = await by(situation, client, shared_live_analysis()).report(Question(after, LONGER, INSTEAD))
    return report.chances[player]


@dataclass(frozen=True)
class Attempt:
    """A turning point, and what the viewer has tried instead."""

    analysis: GameAnalysisPresenter
    move: Move
    preferences: ViewPreferences
    action: str = ""
    """The action tried; empty before that, or if it is illegal."""
    chance: float = 0.0
    """The player's chance after it."""
    question: str = ""
    """What the engine in the viewer's browser is asked, before there is a verdict."""
    refusal: str = ""
    """Why nothing was judged."""
    is_shown: bool = False
    """Whether the viewer gave up and sees the better move."""

    @property
    def after(self) -> Position:
        """The position after the action tried. Raises IllegalAction."""
        return self.move.ply.before.play(self.action)

    @cached_property
    def verdict(self) -> str:
        if not self.action:
            return ""
        return verdict_on(self.move, self.move.ply.before.game.action(self.action), self.chance)

    @property
    def is_open(self) -> bool:
        """Whether the board accepts another move."""
        return not self.is_shown and self.verdict != "best"

    @cached_property
    def board(self) -> BoardPresenter:
        """The position before the mistake, or after the better move once it is found or shown."""
        best = self.move.ply.before.game.action_texts[self.move.best[0]]
        shown = self.after if not self.is_open and self.action else self.move.ply.before
        if self.is_shown:
            shown = shown.play(best)
        return BoardPresenter(shown, self.preferences, prefix="try-board", may_play=self.is_open)

    @property
    def feedback(self) -> str:
        """What became of the last action."""
        if self.refusal or not self.verdict:
            return self.refusal
        said = {
            "same": gettext("{turn} was played in the game. Try another move."),
            "worse": gettext("{turn} is no better: {chance} instead of {played}. Try another move."),
            "better": gettext(
                "{turn} is better: {chance} instead of {played}. But there is a stronger move."
            ),
            "best": gettext("Right, {turn} is better: {chance} instead of {played}."),
        }[self.verdict]
        return said.format(
            turn=turn_with_achievements(self.move.ply.before, [self.action]),
            chance=percent(self.chance),
            played=percent(self.move.after.chances[self.move.ply.player]),
        )

    @property
    def next(self) -> int | None:
        """The ply of the next turning point."""
        later = (move.ply.before.ply for move in self.analysis.highlights)
        return next((ply for ply in later if ply > self.move.ply.before.ply), None)


@require_safe
@explains_running_games
async def page(request: HttpRequest, code: str, ply: int) -> HttpResponse:
    """A turning point to replay; `at` or `written` is the move tried there, and `show` gives up.

    With `engine`, the engine in the viewer's browser judges the move: empty asks for the question, otherwise
    it is the player's chance in thousandths.
    """
    attempt, client = await sync_to_async(_attempt)(request, code, ply)
    given = whole_number(request.GET.get("engine"))
    engine = DeviceCoach if "engine" in request.GET else Coach
    if attempt.action:
        try:
            chance = await judged(attempt, client, engine) if given is None else min(1.0, given / 1000)
            attempt = replace(attempt, chance=chance)
        except Wanted as wanted:
            question = json.dumps({**wanted.question, "player": attempt.move.ply.player})
            attempt = replace(attempt, action="", question=question)
        except AdviceInterruptedError as error:
            refusal = translate(error.update.error) or gettext("The engine is busy. Please try again.")
            attempt = replace(attempt, action="", refusal=refusal)
    response = await sync_to_async(respond)(request, _fragments(attempt), "analysis/try.html", {})
    return unlisted(response)


def _attempt(request: HttpRequest, code: str, ply: int) -> tuple[Attempt, Hashable]:
    """The turning point with the move tried, and a key for the viewer. Raises `Http404`."""
    study, guest = find_study(request, code), guest_of(request)
    analysis = GameAnalysisPresenter.of(study, record_of(study))
    move = next((move for move in analysis.highlights if move.ply.before.ply == ply), None)
    if move is None:
        raise Http404(lazy_message("There is no turning point {ply} in this study.", ply=ply))
    preferences = ViewPreferences.saved(request.session, study.game) or ViewPreferences()
    attempt = Attempt(analysis, move, preferences, is_shown="show" in request.GET)
    client = f"guest {guest.pk}" if guest else f"address {request.META.get('REMOTE_ADDR', '')}"
    if touched := request.GET.get("at") or request.GET.get("written", "").strip():
        try:
            attempt = replace(attempt, action=action_at(move.ply.before, touched))
            _ = attempt.after
        except IllegalAction as error:
            attempt = replace(attempt, action="", refusal=why(error))
    return attempt, client


def _fragments(attempt: Attempt) -> FragmentSet[Attempt]:
    root = {
        "id": "try",
        "class": f"example try{' is-open' if attempt.is_open else ''}",
        "aria-labelledby": "try-title",
        "data-said": attempt.feedback,
        "data-question": attempt.question or False,
    }
    makers = {"board": lambda shown: board_fragment(shown.board), "answer": _answer}
    return FragmentSet(attempt, root, makers, {"board": lambda shown, has: changed_board(shown.board, has)})


def _answer(attempt: Attempt) -> Fragment:
    point = attempt.analysis.turning_point(attempt.move)
    html = render_to_string("analysis/_try_answer.html", {"attempt": attempt, "point": point})
    return digested_fragment("answer", html)
