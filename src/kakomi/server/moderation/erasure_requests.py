"""Erasure of a person by staff: one requests it, and another confirms it within some days, or it lapses."""

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.moderation.models import ErasureRequest
from kakomi.server.moderation.permissions import check_not_own
from kakomi.server.moderation.services import is_logged, log_action
from kakomi.server.people.erasure import forget
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.exceptions import Conflict
from kakomi.server.tables.receivers import leave_tables
from kakomi.session import Refused
from kakomi.session.time_control import DAY

CONFIRM_DAYS = 7


def standing_request(guest: Guest) -> ErasureRequest | None:
    """The current request for a person's erasure, unless it has lapsed."""
    since = clock.now() - CONFIRM_DAYS * DAY
    return ErasureRequest.objects.filter(about=guest, at__gt=since).select_related("asked_by").first()


def ask(guest: Guest, by: User, reason: str, key: str) -> None:
    """Request a person's erasure. Raises Refused if it isn't allowed, Conflict if requested or done."""
    with writing():
        row = _locked(guest)
        if is_logged(by, key):
            return
        check_not_own(by, row)
        _expect_erasable(row, reason)
        if standing_request(row) is not None:
            raise Conflict(lazy_message("This deletion has already been requested."))
        ErasureRequest.objects.filter(about=row).delete()
        ErasureRequest.objects.create(about=row, asked_by=by, reason=reason, at=clock.now())
        log_action(by, row, "erasure asked", reason, key)


def withdraw(guest: Guest, by: User, reason: str, key: str) -> None:
    """Withdraw a request, one's own or another's. Raises Conflict if there is none."""
    with writing():
        row = _locked(guest)
        if is_logged(by, key):
            return
        if ErasureRequest.objects.filter(about=row).delete()[0] == 0:
            raise Conflict(lazy_message("This deletion request has been withdrawn."))
        log_action(by, row, "erasure withdrawn", reason, key)


def confirm(guest: Guest, by: User, key: str) -> None:
    """Erase a person at another staff member's request. It can't be undone.

    Raises Refused for one's own request, and Conflict if there is no request or it has lapsed.
    """
    with writing():
        row = _locked(guest)
        if is_logged(by, key):
            return
        check_not_own(by, row)
        asked = standing_request(row)
        if asked is None:
            raise Conflict(lazy_message("This deletion request has expired or been withdrawn."))
        if asked.asked_by_id == by.pk:
            raise Refused(lazy_message("You requested this yourself: another moderator has to confirm it."))
        _expect_erasable(row, asked.reason)
        reason, asker = asked.reason, asked.asked_by_id
        forget(row)
        log_action(by, row, "erasure", reason, key, {"asked_by": asker})
    leave_tables()


def _locked(guest: Guest) -> Guest:
    return Guest.objects.select_for_update().get(pk=guest.pk)


def _expect_erasable(guest: Guest, reason: str) -> None:
    user = User.objects.filter(guest=guest).first()
    if guest.is_erased:
        raise Conflict(lazy_message("This account has been deleted."))
    if user is not None and user.is_staff:
        raise Refused(lazy_message("Moderators’ accounts can’t be deleted: remove their rights first."))
    names = {guest.name, guest.handle or "", user.email if user else ""} - {""}
    if any(name.casefold() in reason.casefold() for name in names):
        raise Refused(lazy_message("The reason stays in the log: leave out the player’s name."))
