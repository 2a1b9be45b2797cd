"""Pages that say how a game is played."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.core import Description, IllegalAction
from kakomi.core.example import Example
from kakomi.core.i18n import lazy_message
from kakomi.server.boardview.fragments import is_partial, respond
from kakomi.server.games import find_description
from kakomi.server.language import why
from kakomi.server.rulebook.attempt import Attempt, attempt_at
from kakomi.server.rulebook.fragments import fragments_of
from kakomi.server.rulebook.presenters import ExamplePresenter
from kakomi.server.rulebook.prose import prose_of

_LONGEST = 400
"""Characters of what was played; no solution comes near."""


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of a game, its examples as they begin."""
    description = find_description(game)
    return render(request, "rulebook/rules.html", _context(description, {}))


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
        return HttpResponseBadRequest(why(error), content_type="text/plain; charset=utf-8")
    context = {} if is_partial(request) else _context(description, {name: presenter})
    return respond(request, fragments_of(presenter), "rulebook/rules.html", context)


def _answer(game: str, found: Example, asked: Mapping[str, str]) -> ExamplePresenter:
    """What a reader gets to see who has played something and now does another thing.

    Raises IllegalAction if what they say they have played is no way through the example.
    """
    played = asked.get("played", "")[:_LONGEST].split()
    attempt = attempt_at(game, found, played)
    match asked.get("do", ""):
        case "reset":
            return ExamplePresenter(game, attempt_at(game, found))
        case "again":
            return ExamplePresenter(game, attempt_at(game, found, attempt.again))
        case "show":
            return ExamplePresenter(game, attempt_at(game, found, attempt.shown_next))
    touched = asked.get("at", "")
    return (
        _touched(game, attempt, touched) if touched and attempt.is_open else ExamplePresenter(game, attempt)
    )


def _touched(game: str, attempt: Attempt, target: str) -> ExamplePresenter:
    """The attempt goes on, or stays and says why that isn't allowed."""
    action = attempt.action_at(target)
    try:
        return ExamplePresenter(game, attempt.then(action))
    except IllegalAction as error:
        return ExamplePresenter(game, attempt, refused=why(error))


def _context(description: Description, begun: Mapping[str, ExamplePresenter]) -> dict[str, object]:
    """What the whole page shows, with what has been played in some of its examples."""
    game = description.name
    examples = {
        found.name: fragments_of(begun.get(found.name) or ExamplePresenter(game, attempt_at(game, found)))
        for found in description.examples
    }
    prose = prose_of(game, get_language() or "en")
    parts = [(part, examples.get(part.example)) for part in prose.parts]
    others = [catalog.describe(name) for name in catalog.names()]
    return {"description": description, "prose": prose, "parts": parts, "games": others}
