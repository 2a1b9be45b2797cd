"""The pages of rules and courses."""

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
from kakomi.server.boards.fragments import is_partial, respond
from kakomi.server.rules.courses import Course
from kakomi.server.rules.fragments import fragments_of
from kakomi.server.rules.presenters import ExamplePresenter
from kakomi.server.rules.prose import prose_of
from kakomi.server.rules.services import complete_lesson, course_of
from kakomi.server.site.games import find_description
from kakomi.server.site.language import why

_LONGEST = 400
"""The maximum number of characters of played actions; all solutions are much shorter."""


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """All games, with their rules and courses."""
    guest = guest_of(request)
    return render(request, "rules/learn.html", {"courses": [course_of(guest, it) for it in catalog.names()]})


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a game, with its examples in their initial state."""
    description = find_description(game)
    return render(request, "rules/rules.html", _rules_context(request, description, {}))


@require_safe
def text(request: HttpRequest, game: str) -> HttpResponse:
    """The rules without their examples, for pages that show them beside a board."""
    description = find_description(game)
    titles = {example.name: example.title for example in description.examples}
    prose = prose_of(game, get_language() or "en")
    parts = [(part, titles.get(part.example, "")) for part in prose.parts]
    return render(request, "rules/_text.html", {"description": description, "prose": prose, "parts": parts})


@require_safe
def example(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """An example after the reader's latest input, as fragments or as the whole page."""
    description = find_description(game)
    found = next((example for example in description.examples if example.name == name), None)
    if found is None:
        raise Http404(lazy_message("Example not found in the rules of {title}.", title=description.title))
    try:
        presenter = _answer(game, found, request.GET)
    except IllegalAction as error:
        return _refused(error)
    context = {} if is_partial(request) else _rules_context(request, description, {name: presenter})
    return respond(request, fragments_of(presenter), "rules/rules.html", context)


@require_safe
def course(request: HttpRequest, game: str) -> HttpResponse:
    """A game's course, with the guest's progress."""
    found = _course(request, game)
    return render(request, "rules/course.html", {"course": found, "description": found.description})


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, game: str, name: str) -> HttpResponse:
    """A lesson after the reader's latest input. A POST completes it."""
    found = _course(request, game)
    try:
        example = found.lessons[found.number(name) - 1].example
    except KeyError:
        raise Http404(
            lazy_message("Lesson not found in the {title} course.", title=found.description.title)
        ) from None
    try:
        if request.method == "POST":
            return _complete(request, found, example)
        presenter = _answer(game, example, request.GET)
    except IllegalAction as error:
        return _refused(error)
    context = {} if is_partial(request) else _lesson_context(found, name)
    return respond(request, fragments_of(presenter), "rules/lesson.html", context)


def _course(request: HttpRequest, game: str) -> Course:
    """A guest's course of a game. Raises Http404 if the game has none."""
    description = find_description(game)
    found = course_of(guest_of(request), game)
    if not found.lessons:
        raise Http404(lazy_message("{title} has no course.", title=description.title))
    return found


def _complete(request: HttpRequest, course: Course, example: Example) -> HttpResponse:
    """Record a lesson as completed and redirect to the next one.

    Raises IllegalAction if the posted actions don't complete it.
    """
    game = course.description.name
    attempt = _attempt(game, example, request.POST.get("played", "")[:_LONGEST].split())
    if attempt.step is not None:
        raise IllegalAction(lazy_message("this lesson isn't completed yet"))
    guest = known_guest(request)
    complete_lesson(guest, game, example.name)
    if is_partial(request):
        context = {"course": course_of(guest, game), "current": example.name}
        return render(request, "rules/_progress.html", context)
    following = course.after(example.name)
    return redirect("lesson", game, following.name) if following else redirect("course", game)


def _refused(error: IllegalAction) -> HttpResponse:
    return HttpResponseBadRequest(why(error), content_type="text/plain; charset=utf-8")


def _answer(game: str, found: Example, form: Mapping[str, str]) -> ExamplePresenter:
    """The example after the actions played so far and the latest input.

    Raises IllegalAction if those actions aren't possible in the example.
    """
    played = form.get("played", "")[:_LONGEST].split()
    shown = ExamplePresenter(game, _attempt(game, found, played), was_shown="shown" in form)
    match form.get("do", ""):
        case "reset":
            return ExamplePresenter(game, _attempt(game, found))
        case "again":
            return replace(shown, attempt=_attempt(game, found, shown.attempt.again))
        case "show" if shown.attempt.step:
            return replace(shown, attempt=_attempt(game, found, shown.attempt.shown_next), was_shown=True)
    touched = form.get("at", "") or form.get("written", "").strip()
    return _touched(shown, touched) if touched and shown.attempt.is_open else shown


def _attempt(game: str, example: Example, played: Sequence[str] = ()) -> Attempt:
    """The attempt after some actions. Raises IllegalAction if they can't be played."""
    return attempt_at(catalog.game(game, **example.options), example, played)


def _touched(shown: ExamplePresenter, target: str) -> ExamplePresenter:
    """Play an input, or keep the attempt with the reason why it isn't allowed."""
    action = shown.attempt.action_at(target)
    try:
        return replace(shown, attempt=shown.attempt.then(action))
    except IllegalAction as error:
        return replace(shown, refused=why(error))


def _rules_context(
    request: HttpRequest, description: Description, begun: Mapping[str, ExamplePresenter]
) -> dict[str, object]:
    """The context of the whole page of rules, with the examples that have been begun."""
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
    """The context of the whole page of a lesson: the preceding text, and its place in the course."""
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
