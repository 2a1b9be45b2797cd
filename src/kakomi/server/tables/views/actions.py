"""Somebody does something at a table."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.language import why
from kakomi.server.tables import models, services, turn
from kakomi.server.tables.commands import Deed
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.rematch import rematch
from kakomi.server.tables.views.detail import answer, found, is_part, shown_of
from kakomi.session import Refused

_LOG = logging.getLogger(__name__)


@require_POST
def act(request: HttpRequest, code: str) -> HttpResponse:
    """Do it, or say why not; either way the table as it stands then is the answer."""
    row = found(code)
    viewer = Viewer.of(row, guest_of(request))
    refusal, status = "", HTTPStatus.OK
    try:
        deed = Deed.of(request.POST)
        if deed.kind == "rematch":
            return _gone_to(request, _rematch(row, viewer))
        row = carry_out(row, viewer, deed)
    except services.Stale as error:
        refusal, status = why(error), HTTPStatus.CONFLICT
    except (Refused, IllegalAction) as error:
        refusal, status = why(error), HTTPStatus.UNPROCESSABLE_ENTITY
    except OperationalError:
        _LOG.exception("what was done at table %s could not be kept", code)
        refusal, status = not_kept(), HTTPStatus.INSUFFICIENT_STORAGE
    if not is_part(request) and not refusal:
        return redirect("table", code)
    if refusal:
        row, viewer = found(code), Viewer.of(row, viewer.guest)
    return answer(request, shown_of(request, row, viewer, refusal), status)


def not_kept() -> str:
    """What to say when the database takes nothing: its disk is full, or it is away."""
    return gettext(
        "This could not be saved, so it was not done: the site's disk may be full. Try again later."
    )


def carry_out(row: models.Table, viewer: Viewer, deed: Deed) -> models.Table:
    """Let a viewer do something; the table's row afterwards. Raises Stale, Refused or IllegalAction."""
    _expect_player(viewer)
    if viewer.free:
        raise Refused(lazy_message("not everybody is here yet"))
    if (do := _WITHIN_A_TURN.get(deed.kind)) is not None:
        number = viewer.speaking(services.table_of(row))
        assert number is not None
        return do(row, viewer.seats[number], deed)
    if deed.kind in ("offer", "takeback"):
        return _ask(row, viewer, deed)
    seat = _seat(row, viewer, deed)
    return services.add(row.code, [(deed.kind, deed.value)], seat=seat, base=deed.base, key=deed.key)[0]


def _seat(row: models.Table, viewer: Viewer, deed: Deed) -> int:
    """For which of their seats somebody does something."""
    table = services.table_of(row)
    number = viewer.speaking(table)
    if deed.kind in ("accept", "decline"):
        number = viewer.answering(table)
    elif deed.kind == "takeback" or deed.value == "takeback":
        number = viewer.undoing(table)
    elif deed.kind == "withdraw" and table.offer and table.offer.seat in viewer.own:
        number = table.offer.seat
    if number is None:
        raise Refused(lazy_message("there is no open offer for you to answer"))
    return number


def _ask(row: models.Table, viewer: Viewer, deed: Deed) -> models.Table:
    """Offer something, or take back; who plays both sides agrees with themselves at once."""
    seat = _seat(row, viewer, deed)
    row, table = services.add(row.code, [(deed.kind, deed.value)], seat=seat, base=deed.base, key=deed.key)
    while table.offer and (other := viewer.answering(table)) is not None:
        key = f"{deed.key}-{other}"
        row, table = services.add(row.code, [("accept", None)], seat=other, base=row.entries, key=key)
    return row


def _rematch(row: models.Table, viewer: Viewer) -> models.Table:
    _expect_player(viewer)
    return rematch(row)


def _expect_player(viewer: Viewer) -> None:
    if not viewer.is_player:
        raise Refused(lazy_message("you are watching: only players act"))


def _gone_to(request: HttpRequest, row: models.Table) -> HttpResponse:
    address = reverse("table", args=[row.code])
    return HttpResponseClientRedirect(address) if is_part(request) else redirect(address)


def _touch(row: models.Table, seat: models.Seat, deed: Deed) -> models.Table:
    return turn.extend(row, seat, deed.seen, str(deed.value), deed.key, deed.base)


def _untouch(row: models.Table, seat: models.Seat, deed: Deed) -> models.Table:
    return turn.shorten(row, seat, deed.seen, deed.base)


def _confirm(row: models.Table, seat: models.Seat, deed: Deed) -> models.Table:
    return turn.confirm(row, seat, deed.seen, deed.key, deed.base)


_WITHIN_A_TURN: dict[str, Callable[[models.Table, models.Seat, Deed], models.Table]] = {
    "touch": _touch,
    "untouch": _untouch,
    "confirm": _confirm,
}
"""What is not one entry of the log."""
