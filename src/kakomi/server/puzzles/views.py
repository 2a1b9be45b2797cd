"""The pages of a day's puzzles and of a single puzzle."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from kakomi.core import IllegalAction
from kakomi.core.attempt import action_at
from kakomi.puzzles import Puzzle
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.boards.fragments import respond
from kakomi.server.puzzles import selectors, services
from kakomi.server.puzzles.fragments import fragments_of
from kakomi.server.puzzles.models import ANSWER_LENGTH
from kakomi.server.puzzles.presenters import DayPresenter, PuzzleHead, PuzzlePresenter, heads_of
from kakomi.server.site.language import why
from kakomi.server.site.whole_numbers import whole_number


@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """The viewer's three puzzles of today, or of the query's `day`."""
    today = selectors.today()
    day = selectors.shown_day(request.GET.get("day", ""), today)
    guest = guest_of(request)
    found = selectors.puzzles_for(guest, day)
    heads = heads_of(found, selectors.attempts_at(guest, found))
    shown = DayPresenter(day, today, heads, selectors.score_of(guest))
    return render(request, "puzzles/day.html", {"day": shown})


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, name: str) -> HttpResponse:
    """A puzzle after the viewer's actions; a POST submits them as the answer."""
    found = selectors.find_puzzle(name)
    try:
        if request.method == "POST":
            turn = request.POST.get("played", "")[:ANSWER_LENGTH]
            first = services.answer(known_guest(request), found, turn)
            is_first = first.answer == " ".join(turn.split())
            return redirect(request.path if is_first else f"{request.path}?{urlencode({'tried': turn})}")
        shown = _shown(_head(request, found), request.GET)
        fragments = fragments_of(shown)
    except IllegalAction as error:
        return HttpResponseBadRequest(why(error), content_type="text/plain; charset=utf-8")
    return respond(request, fragments, "puzzles/puzzle.html", {})


def _head(request: HttpRequest, puzzle: Puzzle) -> PuzzleHead:
    guest = guest_of(request)
    (head,) = heads_of([puzzle], selectors.attempts_at(guest, [puzzle]))
    return head


def _shown(head: PuzzleHead, asked: Mapping[str, str]) -> PuzzlePresenter:
    """The puzzle after the actions so far and the requested next one.

    Somebody who has answered may try again, which counts for nothing. Raises `IllegalAction` if the actions
    so far are illegal.
    """
    if head.attempt and "again" not in asked:
        tried = asked.get("tried", "")[:ANSWER_LENGTH]
        head = replace(head, attempt=services.judged(head.puzzle, tried) if tried else head.attempt)
        last = len(PuzzlePresenter(head).line)
        step = whole_number(asked.get("step", "1"), digits=3)
        return PuzzlePresenter(head, (), 1 if step is None else min(step, last), "step" in asked, tried)
    head, is_again = replace(head, attempt=None), head.attempt is not None
    actions = () if asked.get("do") == "reset" else tuple(asked.get("played", "")[:ANSWER_LENGTH].split())
    shown = PuzzlePresenter(head, actions, is_again=is_again)
    touched = asked.get("at", "") or asked.get("written", "").strip()
    return _touched(shown, touched) if touched and shown.is_open else shown


def _touched(shown: PuzzlePresenter, target: str) -> PuzzlePresenter:
    """The puzzle after one more action, or unchanged with the reason why it is illegal."""
    try:
        action = action_at(shown.position, target)
        shown.position.play(action)
    except IllegalAction as error:
        return replace(shown, refused=why(error))
    return replace(shown, actions=(*shown.actions, action))
