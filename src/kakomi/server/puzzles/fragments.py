"""The fragments of a puzzle."""

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
from kakomi.server.puzzles.presenters import PuzzlePresenter


def fragments_of(puzzle: PuzzlePresenter) -> FragmentSet[PuzzlePresenter]:
    """The fragments of a puzzle for its viewer."""
    root = {
        "id": "puzzle",
        "class": f"example puzzle{' is-open' if puzzle.is_open else ''}",
        "lang": get_language() or "en",
        "aria-labelledby": "puzzle-title",
        "data-said": puzzle.feedback,
    }
    return FragmentSet(puzzle, root, _MAKERS, {"board": _changed_board})


def _attempt(puzzle: PuzzlePresenter) -> Fragment:
    """Hidden fields of the form: the actions played so far, and the place that is clicked next."""
    fields = '<input type="hidden" name="played" value="{}"><input type="hidden" name="at" value="">'
    again = '<input type="hidden" name="again" value="1">' if puzzle.is_again else ""
    return Fragment("attempt", format_html(f"{fields}{again}", puzzle.so_far))


def _board(puzzle: PuzzlePresenter) -> Fragment:
    return board_fragment(puzzle.board)


def _changed_board(puzzle: PuzzlePresenter, has: str) -> Fragment | None:
    return changed_board(puzzle.board, has)


def _answer(puzzle: PuzzlePresenter) -> Fragment:
    template = "puzzles/_answered.html" if puzzle.attempt else "puzzles/_turn.html"
    return digested_fragment("answer", render_to_string(template, {"puzzle": puzzle}))


_MAKERS = {"attempt": _attempt, "board": _board, "answer": _answer}
