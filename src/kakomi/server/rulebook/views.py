"""Pages that say how a game is played."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from kakomi import catalog
from kakomi.core import Description, IllegalAction
from kakomi.core.attempt import Attempt, attempt_at
from kakomi.core.example import Example
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.boardview.fragments import is_partial, respond
from kakomi.server.games import find_description
from kakomi.server.language import why
from kakomi.server.rulebook.course import Course
from kakomi.server.rulebook.fragments import fragments_of
from kakomi.server.rulebook.presenters import ExamplePresenter
from kakomi.server.rulebook.prose import prose_of
from kakomi.server.rulebook.selectors import course_of
from kakomi.server.rulebook.services import complete_lesson

_LONGEST = 400
"""Characters of what was played; no solution comes near."""


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a game, its examples as they begin."""
    description = find_description(game)
    return render(request, "rulebook/rules.html", _rules_context(request, description, {}))


@require_safe
def text(request: HttpRequest, game: str) -> HttpResponse:
    """The rules without their examples, for a page that has them beside a board."""
    description = find_description(game)
    titles = {example.name: example.title for example in description.examples}
    prose = prose_of(game, get_language() or "en")
    parts = [(part, titles.get(part.example, "")) for part in prose.parts]
    return render(
        request, "rulebook/_text.html", {"description": description, "prose": prose, "parts": parts}
    )


@require_safe
def example(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """An example after what the reader has played and touched: the part of the page, or all of it."""
    description = find_description(game)
    found = next((example for example in description.examples if example.name == name), None)
    if found is None:
        raise Http404(
            lazy_message("The rules of {title} have no example of that name.", title=description.title)
        )
    try:
        presenter = _answer(game, found, request.GET)
    except IllegalAction as error:
        return _refused(error)
    context = {} if is_partial(request) else _rules_context(request, description, {name: presenter})
    return respond(request, fragments_of(presenter), "rulebook/rules.html", context)


@require_safe
def course(request: HttpRequest, game: str) -> HttpResponse:
    """A game's course, with what the guest has completed."""
    found = _course(request, game)
    return render(request, "rulebook/course.html", {"course": found, "description": found.description})


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """A lesson as its reader has it before them; by POST it is completed."""
    found = _course(request, game)
    try:
        example = found.lessons[found.number(name) - 1].example
    except KeyError:
        raise Http404(
            lazy_message("The course of {title} has no lesson of that name.", title=found.description.title)
        ) from None
    try:
        if request.method == "POST":
            return _complete(request, found, example)
        presenter = _answer(game, example, request.GET)
    except IllegalAction as error:
        return _refused(error)
    context = {} if is_partial(request) else _lesson_context(found, name)
    return respond(request, fragments_of(presenter), "rulebook/lesson.html", context)


def _course(request: HttpRequest, game: str) -> Course:
    """A guest's course of a game that has one."""
    description = find_description(game)
    found = course_of(guest_of(request), game)
    if not found.lessons:
        raise Http404(lazy_message("{title} has no course.", title=description.title))
    return found


def _complete(request: HttpRequest, course: Course, example: Example) -> HttpResponse:
    """Remember a lesson of which the sender says how it was done, and lead to the next one.

    Raises IllegalAction if that is no way through the lesson.
    """
    game = course.description.name
    attempt = _attempt(game, example, request.POST.get("played", "")[:_LONGEST].split())
    if attempt.step is not None:
        raise IllegalAction(lazy_message("this lesson isn't completed yet"))
    guest = known_guest(request)
    complete_lesson(guest, game, example.name)
    if is_partial(request):
        context = {"course": course_of(guest, game), "current": example.name}
        return render(request, "rulebook/_progress.html", context)
    following = course.after(example.name)
    return redirect("lesson", game, following.name) if following else redirect("course", game)


def _refused(error: IllegalAction) -> HttpResponse:
    return HttpResponseBadRequest(why(error), content_type="text/plain; charset=utf-8")


def _answer(game: str, found: Example, asked: Mapping[str, str]) -> ExamplePresenter:
    """What a reader gets to see who has played something and now does another thing.

    Raises IllegalAction if what they say they have played is no way through the example.
    """
    played = asked.get("played", "")[:_LONGEST].split()
    shown = ExamplePresenter(game, _attempt(game, found, played), was_shown="shown" in asked)
    match asked.get("do", ""):
        case "reset":
            return ExamplePresenter(game, _attempt(game, found))
        case "again":
            return replace(shown, attempt=_attempt(game, found, shown.attempt.again))
        case "show" if shown.attempt.step:
            return replace(shown, attempt=_attempt(game, found, shown.attempt.shown_next), was_shown=True)
    touched = asked.get("at", "") or asked.get("written", "").strip()
    return _touched(shown, touched) if touched and shown.attempt.is_open else shown


def _attempt(game: str, example: Example, played: Sequence[str] = ()) -> Attempt:
    """An attempt at an example of a game. Raises IllegalAction if that can't be played."""
    return attempt_at(catalog.game(game, **example.options), example, played)


def _touched(shown: ExamplePresenter, target: str) -> ExamplePresenter:
    """The attempt goes on, or stays and says why that isn't allowed."""
    action = shown.attempt.action_at(target)
    try:
        return replace(shown, attempt=shown.attempt.then(action))
    except IllegalAction as error:
        return replace(shown, refused=why(error))


def _rules_context(
    request: HttpRequest, description: Description, begun: Mapping[str, ExamplePresenter]
) -> dict[str, object]:
    """What the whole page of rules shows, with what has been played in some of its examples."""
    game = description.name
    course = course_of(guest_of(request), game)
    examples = {
        found.name: fragments_of(begun.get(found.name) or ExamplePresenter(game, _attempt(game, found)))
        for found in description.examples
    }
    prose = prose_of(game, get_language() or "en")
    completed = {lesson.name for lesson in course.lessons if lesson.is_completed}
    parts = [(part, examples.get(part.example), part.example in completed) for part in prose.parts]
    others = [catalog.describe(name) for name in catalog.names()]
    return {"description": description, "prose": prose, "parts": parts, "games": others, "course": course}


def _lesson_context(course: Course, name: str) -> dict[str, object]:
    """What the whole page of a lesson shows: the rules up to its example, and its place in the course."""
    description = course.description
    prose = prose_of(description.name, get_language() or "en")
    return {
        "description": description,
        "course": course,
        "current": name,
        "number": course.number(name),
        "before": course.before(name),
        "after": course.after(name),
        "prose": prose,
        "text": prose.before(name),
    }
