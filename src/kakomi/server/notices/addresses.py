"""Whom the site may mail, and where: addresses that their owners have confirmed."""

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef

from kakomi.server.accounts.models import Guest
from kakomi.server.django_private import PreparedQuery

_CONFIRMED = EmailAddress.objects.filter(verified=True, primary=True, user__is_active=True)
_OF_GUEST = PreparedQuery(lambda guest: _CONFIRMED.filter(user__guest=guest).order_by("pk")[:1])
MAILABLE = Exists(_CONFIRMED.filter(user__guest=OuterRef("guest")))
"""Of rows that belong to a guest: those whose guest has such an address."""


def mail_address(guest: Guest | int) -> str:
    """The address of a guest; empty if there is none that may be used."""
    found = _OF_GUEST.first(guest if isinstance(guest, int) else guest.pk)
    return found.email if found else ""
