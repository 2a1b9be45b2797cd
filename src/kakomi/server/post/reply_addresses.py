"""Secret addresses: `play+TOKEN@host`. Whoever writes there has read the mail that it was sent with.

A token names a person and what they may do, until when, and ends in an HMAC over all of that. It also stops
being good when the person's mail address changes, or when they make a new private link and so sign out every
browser. Letters are lower case, and mail servers that change the case of an address do no harm.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from django.conf import settings

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.django_private import PreparedQuery
from kakomi.server.notices.preferences import mail_address

HOUR = 3600.0
MAC_BYTES = 12
"""96 bits: nobody guesses one by mail."""
LONGEST = 60
"""Characters of a token; with the name before it an address has 64 before its @ at most (RFC 5321)."""


class Purpose(IntEnum):
    """What a token is good for."""

    TABLE = 1
    """Acting at one table; its state is the length of the log that was seen."""
    ACCOUNT = 2
    """All that one does by mail beside a table: seeks, challenges, settings. Its subject is the challenge or
    seek that the mail is about; 0 for none."""
    CONFIRMATION = 3
    """Confirming one thing, whose number the subject is."""
    BOUNCE = 4
    """Nothing but coming back."""


LIFETIMES = {
    Purpose.TABLE: 60 * 24 * HOUR,
    Purpose.ACCOUNT: 30 * 24 * HOUR,
    Purpose.CONFIRMATION: 3 * 24 * HOUR,
    Purpose.BOUNCE: 14 * 24 * HOUR,
}
"""Seconds for which a token is good. A game over days may have 30 of them for a turn, and a pause as many."""


@dataclass(frozen=True)
class Token:
    """What a secret address says."""

    purpose: Purpose
    guest: int = 0
    """The number of the guest; 0 for a confirmation of somebody without an account."""
    subject: int = 0
    """The number of the table, or of what is to be confirmed."""
    state: int = 0
    """The length of the table's log when the address was made."""
    hours: int = 0
    """The hour since the epoch at which it expires."""

    @staticmethod
    def new(purpose: Purpose, guest: int = 0, subject: int = 0, state: int = 0) -> "Token":
        """A token that is good from now on."""
        return Token(purpose, guest, subject, state, int((clock.now() + LIFETIMES[purpose]) // HOUR) + 1)

    def holds_at(self, moment: float) -> bool:
        """Whether its time is not over at a moment, in seconds since the epoch.

        Of a mail that is when it came: who answers in time isn't asked again because it is handled late.
        """
        return moment < self.hours * HOUR

    @property
    def text(self) -> str:
        """As it stands in an address."""
        payload = self._payload()
        return base64.b32encode(payload + self._mac(payload)).decode().rstrip("=").lower()

    def _payload(self) -> bytes:
        numbers = (self.guest, self.subject, self.state, self.hours)
        return bytes([self.purpose]) + b"".join(map(_varint, numbers))

    def _mac(self, payload: bytes) -> bytes:
        key = hashlib.sha256(f"kakomi.post {settings.SECRET_KEY}".encode()).digest()
        return hmac.new(key, payload + _standing(self.guest).encode(), hashlib.sha256).digest()[:MAC_BYTES]

    @staticmethod
    def parse(text: str) -> "Token | None":
        """The token of a text; None unless this site made it, for a person as they are now. It may have
        expired."""
        if not 0 < len(text) <= LONGEST:
            return None
        try:
            data = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
            payload, mac = data[:-MAC_BYTES], data[-MAC_BYTES:]
            token = Token(Purpose(payload[0]), *_numbers(payload[1:]))
        except (binascii.Error, ValueError, TypeError, IndexError):
            return None
        return token if hmac.compare_digest(mac, token._mac(payload)) else None


def reply_address(token: Token) -> str:
    """The address that a token makes of the site's."""
    name, _, host = configuration().post_address.rpartition("@")
    return f"{name}+{token.text}@{host}"


def bounce_address(guest: int) -> str:
    """The address to which a mail to a guest comes back."""
    name, _, host = configuration().post_bounces.rpartition("@")
    return f"{name}+{Token.new(Purpose.BOUNCE, guest).text}@{host}"


def is_site_address(address: str) -> bool:
    """Whether an address, with a token or without, is one of the site's for mail that comes in."""
    return is_play_address(address) or is_bounce_address(address)


def is_play_address(address: str) -> bool:
    """Whether an address is the one for commands."""
    return _without_token(address) == configuration().post_address.lower()


def is_bounce_address(address: str) -> bool:
    """Whether an address is the one for mails that come back."""
    return _without_token(address) == configuration().post_bounces.lower()


def token_among(addresses: Iterable[str]) -> Token | None:
    """The token of the first address that has one of this site."""
    for address in addresses:
        if is_site_address(address) and (token := Token.parse(address.rpartition("@")[0].partition("+")[2])):
            return token
    return None


def _without_token(address: str) -> str:
    name, _, host = address.strip().lower().rpartition("@")
    return f"{name.partition('+')[0]}@{host}"


def _standing(guest: int) -> str:
    """What a person's tokens also depend on: they end with it."""
    if not guest:
        return ""
    known = _GUEST.first(guest)
    return f"{known.sign_outs if known else None} {mail_address(guest).lower()}"


_GUEST = PreparedQuery(lambda guest: Guest.objects.filter(is_erased=False).filter(pk=guest))


def _varint(number: int) -> bytes:
    """A number from 0 in as few bytes as it needs, seven bits in each."""
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def _numbers(data: bytes) -> list[int]:
    """The numbers of bytes that `_varint` wrote. Raises ValueError for an unfinished one."""
    found, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            found.append(number)
            number = shift = 0
    if shift or len(found) != 4:
        raise ValueError("a token has four numbers")
    return found
