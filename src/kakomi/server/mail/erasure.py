"""Erase a person from received mail: delete mails from their addresses, and those that name them."""

from collections.abc import Set

from kakomi.protocol.mail.reading import read_mail
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.mail.models import Confirmation, ReceivedMail


def on_guest_erased(names: Set[str], addresses: Set[str], **_named: object) -> None:
    """Delete mails from or naming these addresses, their pending sign-ups, and parked mails with these names.

    Other mails need no check, because their content is deleted within seconds.
    """
    known, named = {address.lower() for address in addresses}, pattern_of(names | addresses)
    ReceivedMail.objects.filter(sender__in=known).delete()
    for row in ReceivedMail.objects.exclude(content=b"").order_by("pk").iterator():
        content, mail = bytes(row.content), read_mail(bytes(row.content))
        text = f"{content.decode(errors='replace')} {mail.subject} {mail.text}"
        is_parked = row.state == ReceivedMail.State.PARKED
        if any(address in text.lower() for address in known) or (is_parked and named and named.search(text)):
            row.delete()
    for kept in Confirmation.objects.filter(kind=Confirmation.Kind.SIGN_UP, guest=None).iterator():
        if kept.data.get("address", "").lower() in known:
            kept.delete()
