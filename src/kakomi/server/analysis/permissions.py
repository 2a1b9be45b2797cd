"""Who may analyse which game, and who may change a study."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import selectors
from kakomi.server.analysis.commands import GameStillRunning
from kakomi.server.analysis.models import Study
from kakomi.server.tables.models import Table
from kakomi.server.tables.permissions import Viewer, may_have_no_help
from kakomi.session import Refused

View = Callable[..., Any]


def explains_running_games(view: View) -> View:
    """Decorate a view, synchronous or not, to respond to `GameStillRunning` with a page that explains it."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> Any:
        try:
            return view(request, *args, **named)
        except GameStillRunning as running:
            return _hidden(request, running)

    @wraps(view)
    async def answer_later(request: HttpRequest, *args: Any, **named: Any) -> Any:
        try:
            return await view(request, *args, **named)
        except GameStillRunning as running:
            return await sync_to_async(_hidden)(request, running)

    return answer_later if iscoroutinefunction(view) else answer


def _hidden(request: HttpRequest, running: GameStillRunning) -> HttpResponse:
    context = {"table": running.table}
    return render(request, "analysis/hidden.html", context, status=HTTPStatus.FORBIDDEN)


def find_study(request: HttpRequest, code: str) -> Study:
    """The study with a code, for the request's guest. Raises `Http404` or `GameStillRunning`."""
    guest = guest_of(request)
    study = selectors.find_study(code, guest)
    require_may_analyse(study.table, study.game_number, guest)
    return study


def require_may_analyse(table: Table | None, number: int, guest: Guest | None) -> None:
    """Raise `GameStillRunning` if the guest plays this game, may have no help in it, and it isn't over."""
    if table is None or not may_have_no_help(table, Viewer.of(table, guest)):
        return
    if not selectors.game_at_table(table, number).is_over:
        raise GameStillRunning(table)


def is_owner(study: Study, guest: Guest | None) -> bool:
    """Whether the guest owns a study."""
    return guest is not None and study.owner_id == guest.pk


def may_edit(study: Study, guest: Guest | None) -> bool:
    """Whether the guest may edit a study: it is theirs and isn't deleted."""
    return is_owner(study, guest) and not study.is_deleted


def require_may_be_listed(study: Study) -> None:
    """Raise `Refused` for a study that can't be in the public list."""
    if study.is_deleted:
        raise Refused(lazy_message("this study has been deleted: restore it first"))
    if not study.title:
        raise Refused(lazy_message("name the study before making it public"))
    if study.table and not selectors.game_at_table(study.table, study.game_number).is_over:
        raise Refused(lazy_message("this game is still in progress: make the study public once it’s over"))


def require_owner(study: Study, guest: Guest | None) -> None:
    """Raise `Refused` unless the guest owns the study."""
    if not is_owner(study, guest):
        raise Refused(lazy_message("only the owner can change this study: copy it to your studies"))
