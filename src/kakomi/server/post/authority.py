"""By whose right a mail speaks.

The secret address that it was sent to says so for certain. Else its sender is who has confirmed the address
that it comes from, and is asked there to confirm what is to be changed, unless the one relay that is believed
knows that it is forged. Whatever stands in a subject proves nothing.
"""

from dataclasses import dataclass

from allauth.account.models import EmailAddress

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.selectors import game_of
from kakomi.server.post.authentication import Verdict, verdict
from kakomi.server.post.models import ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, Token, token_among
from kakomi.server.tables import models as tables


@dataclass(frozen=True)
class Authority:
    """Who a mail comes from, and how sure that is."""

    guest: Guest | None = None
    """None: a stranger, or somebody of whom nothing proves who they are."""
    token: Token | None = None
    """What the secret address says that it was sent to; expired ones too."""
    verdict: Verdict = Verdict.UNKNOWN
    is_confirmed: bool = False
    is_in_time: bool = False
    """Whether the secret address held when the mail came."""

    @property
    def is_proved(self) -> bool:
        """Whether whoever wrote it has read a mail to this guest, not too long ago."""
        return self.is_confirmed or (self.token is not None and self.is_in_time)

    @property
    def is_vouched_for(self) -> bool:
        """Whether anything but its own `From` says whose it is."""
        is_genuine = self.guest is not None and self.verdict == Verdict.GENUINE
        return self.token is not None or self.is_confirmed or is_genuine

    @property
    def table(self) -> tables.Table | None:
        """The table that it answers, or the one that the challenge which it answers has become."""
        if seek := self.seek:
            return game_of(seek, self.guest) if self.guest else None
        if self.token is None or self.token.purpose != Purpose.TABLE:
            return None
        return tables.Table.objects.filter(pk=self.token.subject).first()

    @property
    def seek(self) -> Seek | None:
        """The challenge or the seek that it answers."""
        if self.token is None or self.token.purpose != Purpose.ACCOUNT or not self.token.subject:
            return None
        return Seek.objects.filter(pk=self.token.subject).first()

    def may_act_at(self, row: tables.Table) -> bool:
        """Whether it may act at a table at once, for the seats that its guest has there."""
        if self.may_act:
            return True
        token = self.token
        is_of_table = token is not None and (token.purpose, token.subject) == (Purpose.TABLE, row.pk)
        return self.guest is not None and self.is_proved and is_of_table

    @property
    def may_act(self) -> bool:
        """Whether it may do at once what concerns no single table: an address for one table, or for one thing
        to be confirmed, is good for no more than that."""
        if self.guest is None or not self.is_proved:
            return False
        return self.is_confirmed or (self.token is not None and self.token.purpose == Purpose.ACCOUNT)

    def seen(self, row: tables.Table) -> int | None:
        """How long a table's log was that its sender has seen; None if nothing says so."""
        token = self.token
        is_of_table = token is not None and token.purpose == Purpose.TABLE and token.subject == row.pk
        return token.state if is_of_table and token else None


def authority_of(row: ReceivedMail, mail: IncomingMail) -> Authority:
    """The authority of a mail."""
    token = token_among((row.recipient, *mail.recipients))
    if token is not None and token.purpose != Purpose.BOUNCE:
        guest = _active(token.guest)
        if guest is not None or not token.guest:
            is_in_time = token.holds_at(row.received_at)
            return Authority(guest, token, is_confirmed=row.is_confirmed, is_in_time=is_in_time)
    found = verdict(mail.headers, mail.sender, configuration().post_relay)
    guest = guest_of_address(mail.sender) if found != Verdict.FORGED and _has_one_sender(mail) else None
    return Authority(guest, None, found, is_confirmed=row.is_confirmed and guest is not None)


def _has_one_sender(mail: IncomingMail) -> bool:
    """Whether it says once whom it comes from: of two a server may have looked at the other."""
    return len(mail.header("from")) == 1


def _active(number: int) -> Guest | None:
    known = Guest.objects.filter(pk=number, is_erased=False, user__is_active=True)
    return known.first() if number else None


def guest_of_address(address: str) -> Guest | None:
    """Whose confirmed address this is; None for a stranger's."""
    known = EmailAddress.objects.filter(email__iexact=address, verified=True, user__is_active=True)
    found = known.select_related("user__guest").first() if address else None
    return found.user.guest if found else None
