"""What mail does when a person is erased: nothing stays that came from their addresses, or names them."""

from collections.abc import Set

from kakomi.protocol.mail.reading import read_mail
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.post.models import Confirmation, ReceivedMail


def hear_of_erasure(names: Set[str], addresses: Set[str], **_named: object) -> None:
    """Delete the mails from the addresses of somebody who is erased, what they would still confirm, and what
    names them and waits to be confirmed by somebody else. All other mails are gone in seconds."""
    known, named = {address.lower() for address in addresses}, pattern_of(names | addresses)
    ReceivedMail.objects.filter(sender__in=known).delete()
    for row in ReceivedMail.objects.exclude(content=b"").order_by("pk").iterator():
        content, mail = bytes(row.content), read_mail(bytes(row.content))
        said = f"{content.decode(errors='replace')} {mail.subject} {mail.text}"
        is_parked = row.state == ReceivedMail.State.PARKED
        if any(address in said.lower() for address in known) or (is_parked and named and named.search(said)):
            row.delete()
    for kept in Confirmation.objects.filter(kind=Confirmation.Kind.SIGN_UP, guest=None).iterator():
        if kept.data.get("address", "").lower() in known:
            kept.delete()
