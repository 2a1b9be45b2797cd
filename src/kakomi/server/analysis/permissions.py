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
from kakomi.server.tables.permissions import Viewer, is_left_alone
from kakomi.session import Refused

View = Callable[..., Any]


def hides_running_games(view: View) -> View:
    """A view, or an asynchronous one, that answers with a kind page where a running game hides what is asked
    for."""

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
    """The study with a code, for the sender of a request. Raises Http404 or GameStillRunning."""
    guest = guest_of(request)
    study = selectors.find_study(code, guest)
    expect_may_analyse(study.table, study.leg, guest)
    return study


def expect_may_analyse(table: Table | None, number: int, guest: Guest | None) -> None:
    """Raises GameStillRunning if the guest plays this game, without help, and it isn't over."""
    if table is None or not is_left_alone(table, Viewer.of(table, guest)):
        return
    if not selectors.game_at_table(table, number).is_over:
        raise GameStillRunning(table)


def is_owner(study: Study, guest: Guest | None) -> bool:
    """Whether a study is the guest's."""
    return guest is not None and study.owner_id == guest.pk


def may_edit(study: Study, guest: Guest | None) -> bool:
    """Whether the guest may change a study as it stands."""
    return is_owner(study, guest) and not study.is_deleted


def expect_may_be_listed(study: Study) -> None:
    """Raises Refused for a study that the public list can't show."""
    if study.is_deleted:
        raise Refused(lazy_message("this study was deleted: restore it first"))
    if not study.title:
        raise Refused(lazy_message("give the study a name first: it is what the list shows"))
    if study.table and not selectors.game_at_table(study.table, study.leg).is_over:
        raise Refused(lazy_message("this game is still being played: list the study once it is over"))


def expect_owner(study: Study, guest: Guest | None) -> None:
    """Raises Refused for a study of somebody else."""
    if not is_owner(study, guest):
        raise Refused(lazy_message("only its owner can change a study: copy it to your own studies"))
