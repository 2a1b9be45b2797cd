"""The page fragments of an example."""

from collections.abc import Callable, Mapping

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language

from kakomi.server.boards.fragments import (
    Fragment,
    FragmentSet,
    board_fragment,
    changed_board,
    digested_fragment,
)
from kakomi.server.rules.presenters import ExamplePresenter


def fragments_of(example: ExamplePresenter) -> FragmentSet[ExamplePresenter]:
    """The fragments of an example for its reader."""
    name = f"example-{example.name}"
    root = {
        "id": name,
        "class": f"example{' is-open' if example.attempt.is_open else ''}",
        "lang": get_language() or "en",
        "aria-labelledby": f"{name}-title",
        "data-said": example.announcement,
        "data-completed": example.is_completed,
    }
    return FragmentSet(
        example, root, _MAKERS, {"board": lambda example, has: changed_board(example.board, has)}
    )


def _attempt(example: ExamplePresenter) -> Fragment:
    """The hidden fields that send the state of the page and the touched point with the next request."""
    field = '<input type="hidden" name="played" value="{}"><input type="hidden" name="at" value="">'
    shown = '<input type="hidden" name="shown" value="1">' if example.was_shown else ""
    return Fragment("attempt", format_html(field + shown, " ".join(example.attempt.played)))


def _task(example: ExamplePresenter) -> Fragment:
    done = " is-done" if example.attempt.number else ""
    return digested_fragment("task", format_html('<p class="task{}">{}</p>', done, example.first_task))


def _legend(example: ExamplePresenter) -> Fragment:
    return digested_fragment("legend", render_to_string("rules/_legend.html", {"example": example}))


def _answer(example: ExamplePresenter) -> Fragment:
    return digested_fragment("answer", render_to_string("rules/_answer.html", {"example": example}))


_MAKERS: Mapping[str, Callable[[ExamplePresenter], Fragment]] = {
    "attempt": _attempt,
    "task": _task,
    "board": lambda example: board_fragment(example.board),
    "legend": _legend,
    "answer": _answer,
}
