"""Erasure of a person by staff: one asks, another one confirms within some days, else it lapses."""

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.database import writing
from kakomi.server.exceptions import Conflict
from kakomi.server.moderation.models import ErasureRequest
from kakomi.server.moderation.permissions import expect_other
from kakomi.server.moderation.services import note, was_done
from kakomi.server.people.erasure import forget
from kakomi.server.tables.receivers import leave_tables
from kakomi.session import Refused
from kakomi.session.time_control import DAY

CONFIRM_DAYS = 7


def standing_request(guest: Guest) -> ErasureRequest | None:
    """The request for somebody's erasure that has not lapsed."""
    since = clock.now() - CONFIRM_DAYS * DAY
    return ErasureRequest.objects.filter(about=guest, at__gt=since).select_related("asked_by").first()


def ask(guest: Guest, by: User, reason: str, key: str) -> None:
    """Ask that somebody be erased. Raises Refused where that can't be, Conflict where somebody has asked."""
    with writing():
        row = _locked(guest)
        if was_done(by, key):
            return
        expect_other(by, row)
        _expect_erasable(row, reason)
        if standing_request(row) is not None:
            raise Conflict(lazy_message("Somebody has asked for this erasure already."))
        ErasureRequest.objects.filter(about=row).delete()
        ErasureRequest.objects.create(about=row, asked_by=by, reason=reason, at=clock.now())
        note(by, row, "erasure asked", reason, key)


def withdraw(guest: Guest, by: User, reason: str, key: str) -> None:
    """Take a request back, one's own or another's. Raises Conflict if there is none."""
    with writing():
        row = _locked(guest)
        if was_done(by, key):
            return
        if ErasureRequest.objects.filter(about=row).delete()[0] == 0:
            raise Conflict(lazy_message("Nobody asks for this erasure any more."))
        note(by, row, "erasure withdrawn", reason, key)


def confirm(guest: Guest, by: User, key: str) -> None:
    """Erase somebody as another one of staff has asked. It can't be undone.

    Raises Refused for one's own request, Conflict where nobody asks or the request has lapsed.
    """
    with writing():
        row = _locked(guest)
        if was_done(by, key):
            return
        expect_other(by, row)
        asked = standing_request(row)
        if asked is None:
            raise Conflict(
                lazy_message("Nobody asks for this erasure any more, or it was asked too long ago.")
            )
        if asked.asked_by_id == by.pk:
            raise Refused(lazy_message("You have asked for this yourself: somebody else has to confirm it."))
        _expect_erasable(row, asked.reason)
        reason, asker = asked.reason, asked.asked_by_id
        forget(row)
        note(by, row, "erasure", reason, key, {"asked_by": asker})
    leave_tables()


def _locked(guest: Guest) -> Guest:
    return Guest.objects.select_for_update().get(pk=guest.pk)


def _expect_erasable(guest: Guest, reason: str) -> None:
    user = User.objects.filter(guest=guest).first()
    if guest.is_erased:
        raise Conflict(lazy_message("This person has been erased."))
    if user is not None and user.is_staff:
        raise Refused(lazy_message("Staff are not erased: take their rights away first."))
    names = {guest.name, guest.handle or "", user.email if user else ""} - {""}
    if any(name.casefold() in reason.casefold() for name in names):
        raise Refused(lazy_message("The reason stays in the log: write it without the person’s name."))
