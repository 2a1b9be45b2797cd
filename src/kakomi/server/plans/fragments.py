"""The fragments of a planning page. An open page states which it has, and gets only the changed ones."""

from collections.abc import Mapping

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from kakomi.server.boards.board_look import look_of
from kakomi.server.boards.fragments import (
    Fragment,
    FragmentSet,
    Maker,
    board_fragment,
    changed_board,
    empty_fragment,
    fragment,
)
from kakomi.server.plans.presenters import PlanPresenter


def fragments_of(request: HttpRequest, shown: PlanPresenter) -> FragmentSet[PlanPresenter]:
    """The fragments of a plan for its owner."""
    address = reverse("plan", args=[shown.row.code])
    root = {
        "id": "plan",
        "class": "table planning",
        "aria-label": shown.position.game.description.title,
        "data-address": address,
        "data-effects": reverse("plan_effects", args=[shown.row.code]),
        "data-events": reverse("events", args=[shown.row.code]),
        "data-here": reverse("sign_of_life", args=[shown.row.code]),
        "data-news": shown.row.news,
        "data-version": shown.current.version,
        "data-at": shown.here.at,
        "data-begun": " ".join(shown.here.begun),
        "data-armed": shown.current.is_armed,
        "data-said": " ".join(part for part in (shown.refusal, shown.prompt) if part),
        "data-legal": shown.preferences.is_dotted,
        "data-look": look_of(request).words,
    }
    return FragmentSet(shown, root, _MAKERS, {"board": _changed_board})


def _command(shown: PlanPresenter) -> Fragment:
    field = '<input type="hidden" name="{}" value="{}">'
    fields = {
        "at": shown.here.at,
        "begun": " ".join(shown.here.begun),
        "version": shown.current.version,
        "entries": shown.table.entries,
    }
    return Fragment("command", mark_safe("".join(format_html(field, *item) for item in fields.items())))


def _board(shown: PlanPresenter) -> Fragment:
    return board_fragment(shown.board)


def _changed_board(shown: PlanPresenter, has: str) -> Fragment | None:
    return changed_board(shown.board, has)


def _turn(shown: PlanPresenter) -> Fragment:
    return fragment("turn", "tables/_table_turn.html", prompt=shown.prompt, is_yours=shown.is_own)


def _answer(shown: PlanPresenter) -> Fragment:
    if not shown.refusal:
        return empty_fragment("answer")
    return fragment("answer", "plans/_answer.html", refusal=shown.refusal, game=shown.row.game)


def _actions(shown: PlanPresenter) -> Fragment:
    return fragment(
        "actions",
        "plans/_actions.html",
        off_board=shown.off_board,
        is_begun=bool(shown.here.begun),
        may_remove=bool(shown.here.path) and not shown.here.begun,
    )


def _state(shown: PlanPresenter) -> Fragment:
    current = shown.current
    return fragment(
        "state",
        "plans/_state.html",
        is_armed=current.is_armed,
        has_answers=current.tree.has_answers,
        end="" if current.is_armed else shown.end,
    )


def _lines(shown: PlanPresenter) -> Fragment:
    seats = tuple((place.number, place.title) for place in shown.seats)
    return fragment(
        "lines",
        "plans/_lines.html",
        lines=shown.lines,
        here=shown.here.at,
        seats=seats,
        address=reverse("plan", args=[shown.row.code]),
    )


_MAKERS: Mapping[str, Maker[PlanPresenter]] = {
    "command": _command,
    "board": _board,
    "turn": _turn,
    "answer": _answer,
    "actions": _actions,
    "state": _state,
    "lines": _lines,
}
