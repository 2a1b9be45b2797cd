"""The puzzles of a day, and a puzzle."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from kakomi.core import IllegalAction
from kakomi.core.attempt import action_at
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.boardview.fragments import respond
from kakomi.server.language import why
from kakomi.server.puzzles import selectors, services
from kakomi.server.puzzles.fragments import fragments_of
from kakomi.server.puzzles.models import ANSWER_LENGTH
from kakomi.server.puzzles.presenters import DayPresenter, PuzzleHead, PuzzlePresenter, heads_of
from kakomi.server.whole_numbers import whole_number
from kakomi.study.puzzles.puzzle import Puzzle


@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """The viewer's three puzzles of today, or of the day that the address names, if it has come."""
    today = selectors.today()
    day = selectors.shown_day(request.GET.get("day", ""), today)
    guest = guest_of(request)
    found = selectors.puzzles_for(guest, day)
    heads = heads_of(found, selectors.attempts_at(guest, found))
    shown = DayPresenter(day, today, heads, selectors.score_of(guest))
    return render(request, "puzzles/day.html", {"day": shown})


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, name: str) -> HttpResponse:
    """A puzzle after what its viewer has played and touched; by POST that is the answer."""
    found = selectors.find_puzzle(name)
    try:
        if request.method == "POST":
            services.answer(known_guest(request), found, request.POST.get("played", "")[:ANSWER_LENGTH])
            return redirect("puzzle", name)
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
    """What a viewer gets to see who has played something and now does another thing.

    Raises IllegalAction if what they say they have played can't be played.
    """
    if head.attempt:
        last = len(PuzzlePresenter(head).line)
        step = whole_number(asked.get("step", "1"), digits=3)
        return PuzzlePresenter(head, step=1 if step is None else min(step, last))
    actions = () if asked.get("do") == "reset" else tuple(asked.get("played", "")[:ANSWER_LENGTH].split())
    shown = PuzzlePresenter(head, actions)
    touched = asked.get("at", "") or asked.get("written", "").strip()
    return _touched(shown, touched) if touched and shown.is_open else shown


def _touched(shown: PuzzlePresenter, target: str) -> PuzzlePresenter:
    """What was played goes on, or stays and says why that isn't allowed."""
    try:
        action = action_at(shown.position, target)
        shown.position.play(action)
    except IllegalAction as error:
        return PuzzlePresenter(shown.head, shown.actions, refused=why(error))
    return PuzzlePresenter(shown.head, (*shown.actions, action))
