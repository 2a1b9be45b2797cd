"""An example of the rules in fragments."""

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language

from kakomi.server.boardview.fragments import (
    Fragment,
    FragmentSet,
    board_fragment,
    changed_board,
    digested_fragment,
)
from kakomi.server.rulebook.presenters import ExamplePresenter


def fragments_of(example: ExamplePresenter) -> FragmentSet[ExamplePresenter]:
    """Those of an example as its reader sees it."""
    name = f"example-{example.name}"
    root = {
        "id": name,
        "class": f"example{' is-open' if example.attempt.is_open else ''}",
        "lang": get_language() or "en",
        "aria-labelledby": f"{name}-title",
        "data-said": example.announcement,
        "data-completed": example.is_completed,
    }
    return FragmentSet(example, root, _MAKERS, {"board": _changed_board})


def _attempt(example: ExamplePresenter) -> Fragment:
    """What the next request says of its sender's page, and where the reader touches the board."""
    field = '<input type="hidden" name="played" value="{}"><input type="hidden" name="at" value="">'
    shown = '<input type="hidden" name="shown" value="1">' if example.was_shown else ""
    return Fragment("attempt", format_html(field + shown, " ".join(example.attempt.played)))


def _task(example: ExamplePresenter) -> Fragment:
    done = " is-done" if example.attempt.number else ""
    return digested_fragment("task", format_html('<p class="task{}">{}</p>', done, example.first_task))


def _board(example: ExamplePresenter) -> Fragment:
    return board_fragment(example.board)


def _changed_board(example: ExamplePresenter, has: str) -> Fragment | None:
    return changed_board(example.board, has)


def _legend(example: ExamplePresenter) -> Fragment:
    return digested_fragment("legend", render_to_string("rulebook/_legend.html", {"example": example}))


def _answer(example: ExamplePresenter) -> Fragment:
    return digested_fragment("answer", render_to_string("rulebook/_answer.html", {"example": example}))


_MAKERS = {"attempt": _attempt, "task": _task, "board": _board, "legend": _legend, "answer": _answer}
