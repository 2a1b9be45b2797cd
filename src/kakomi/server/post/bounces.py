"""Mails that come back: they are counted, never answered, and after some of them somebody is mailed no more.

They come to an address that only our mails have, so nobody else's mail server can silence anybody.
"""

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.notices.addresses import mail_address
from kakomi.server.notices.digests import stop_mail
from kakomi.server.notices.models import Mailing
from kakomi.server.post import inbox
from kakomi.server.post.models import Correspondent, ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, is_bounce_address, token_among

MOST_BOUNCES = 3
"""So many that came back for good, without a sign of life between them: then mail stops, and play goes on."""


def is_bounce(row: ReceivedMail, mail: IncomingMail) -> bool:
    """Whether a mail came to the address for bounces."""
    return any(is_bounce_address(address) for address in (row.recipient, *mail.recipients) if address)


def take_bounce(row: ReceivedMail, mail: IncomingMail) -> None:
    """Count a mail that came back."""
    token = token_among((row.recipient, *mail.recipients))
    if token is None or token.purpose != Purpose.BOUNCE or not token.holds_at(row.received_at):
        inbox.ignore(row, "no mail of ours that could come back")
        return
    permanent = next((bounce for bounce in mail.bounces if bounce.is_permanent), None)
    with writing():
        if (locked := inbox.lock(row)) is None:
            return
        if permanent:
            _count(token.guest, permanent.reason or permanent.status)
        locked.guest = Guest.objects.filter(pk=token.guest).first()
        inbox.settle(locked, ReceivedMail.State.DONE, "a mail came back")


def _count(guest: int, why: str) -> None:
    address = mail_address(guest)
    Correspondent.objects.get_or_create(guest_id=guest)
    known = Correspondent.objects.select_for_update().get(guest=guest)
    known.bounces = known.bounces + 1 if known.bounced_to == address else 1
    known.bounced_to = address
    if known.bounces == MOST_BOUNCES:
        Mailing.objects.get_or_create(guest_id=guest)
        stop_mail(Mailing.objects.select_for_update().get(guest=guest), why, known.bounces)
    known.save()


def note_sign_of_life(guest: Guest) -> None:
    """Forget what came back, as somebody has answered a mail."""
    Correspondent.objects.filter(guest=guest, bounces__gt=0).update(bounces=0)
