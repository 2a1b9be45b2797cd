"""What mail does when a person is erased: nothing that came from their addresses stays."""

from collections.abc import Set

from kakomi.server.post.models import Confirmation, ReceivedMail


def hear_of_erasure(addresses: Set[str], **_named: object) -> None:
    """Delete the mails from the addresses of who is erased, and what they would still confirm."""
    known = {address.lower() for address in addresses}
    ReceivedMail.objects.filter(sender__in=known).delete()
    for row in ReceivedMail.objects.exclude(content=b"").order_by("pk").iterator():
        content = bytes(row.content).lower()
        if any(address.encode() in content for address in known):
            row.delete()
    for kept in Confirmation.objects.filter(kind=Confirmation.Kind.SIGN_UP, guest=None).iterator():
        if kept.data.get("address", "").lower() in known:
            kept.delete()
