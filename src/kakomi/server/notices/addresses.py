"""Whom the site may mail, and where: addresses that their owners have confirmed."""

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef

from kakomi.server.accounts.models import Guest

_CONFIRMED = EmailAddress.objects.filter(verified=True, primary=True, user__is_active=True)
MAILABLE = Exists(_CONFIRMED.filter(user__guest=OuterRef("guest")))
"""Of rows that belong to a guest: those whose guest has such an address."""


def mail_address(guest: Guest | int) -> str:
    """The address of a guest; empty if there is none that may be used."""
    pk = guest if isinstance(guest, int) else guest.pk
    return _CONFIRMED.filter(user__guest=pk).values_list("email", flat=True).first() or ""
