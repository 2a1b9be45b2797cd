"""Secret reply addresses, `play+TOKEN@host`. Anyone who writes to one has read the mail it was sent with.

A token holds a person, what they may do, and an expiry, followed by an HMAC over all of that. It also becomes
invalid when the person's mail address changes, or when they create a new private link and so sign out every
browser. Tokens are case-insensitive, because mail servers may change an address's case.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from django.conf import settings

from kakomi.server.accounts.models import Guest
from kakomi.server.notices.preferences import mail_address
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from kakomi.server.site.django_private import PreparedQuery

HOUR = 3600.0
MAC_BYTES = 12
"""96 bits, which can't be guessed by sending mails."""
LONGEST = 60
"""Characters of a token. The part of an address before the @ may have 64 in all (RFC 5321)."""


class Purpose(IntEnum):
    """What a token permits."""

    TABLE = 1
    """Acting at one table; `state` is the length of the log that was seen."""
    ACCOUNT = 2
    """Everything outside tables: seeks, challenges, settings. `subject` is the mail's challenge or seek; 0 if
    it has none."""
    CONFIRMATION = 3
    """Confirming one thing; `subject` is the confirmation's primary key."""
    BOUNCE = 4
    """Only returning bounces."""


LIFETIMES = {
    Purpose.TABLE: 60 * 24 * HOUR,
    Purpose.ACCOUNT: 30 * 24 * HOUR,
    Purpose.CONFIRMATION: 3 * 24 * HOUR,
    Purpose.BOUNCE: 14 * 24 * HOUR,
}
"""Lifetimes in seconds. A correspondence game may allow 30 days for a turn, and as many for a pause."""


@dataclass(frozen=True)
class Token:
    """The content of a secret address."""

    purpose: Purpose
    guest: int = 0
    """The guest's primary key; 0 for a confirmation by someone without an account."""
    subject: int = 0
    """The primary key of the table, the seek or the confirmation."""
    state: int = 0
    """The length of the table's log when the address was made."""
    hours: int = 0
    """When it expires, in hours since the epoch."""

    @staticmethod
    def new(purpose: Purpose, guest: int = 0, subject: int = 0, state: int = 0) -> "Token":
        """A token whose lifetime begins now."""
        return Token(purpose, guest, subject, state, int((clock.now() + LIFETIMES[purpose]) // HOUR) + 1)

    def is_valid_at(self, moment: float) -> bool:
        """Whether it is unexpired at a moment, in seconds since the epoch.

        For a mail, pass its time of arrival, so that an answer in time counts even if it is handled late.
        """
        return moment < self.hours * HOUR

    @property
    def text(self) -> str:
        """The token as encoded in an address."""
        payload = self._payload()
        return base64.b32encode(payload + self._mac(payload)).decode().rstrip("=").lower()

    def _payload(self) -> bytes:
        numbers = (self.guest, self.subject, self.state, self.hours)
        return bytes([self.purpose]) + b"".join(map(_varint, numbers))

    def _mac(self, payload: bytes) -> bytes:
        key = hashlib.sha256(f"kakomi.post {settings.SECRET_KEY}".encode()).digest()
        return hmac.new(key, payload + _revocation_data(self.guest).encode(), hashlib.sha256).digest()[
            :MAC_BYTES
        ]

    @staticmethod
    def parse(text: str) -> "Token | None":
        """Decode a token; None unless this site made it and the person's address and sign-ins haven't changed
        since. It may have expired."""
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
    """The site's address with a token."""
    name, _, host = configuration().mail_in_address.rpartition("@")
    return f"{name}+{token.text}@{host}"


def bounce_address(guest: int) -> str:
    """The envelope address to which a mail to a guest bounces."""
    name, _, host = configuration().mail_in_bounces.rpartition("@")
    return f"{name}+{Token.new(Purpose.BOUNCE, guest).text}@{host}"


def is_site_address(address: str) -> bool:
    """Whether an address, with or without a token, is one of the site's for incoming mail."""
    return is_play_address(address) or is_bounce_address(address)


def is_play_address(address: str) -> bool:
    """Whether an address is the one for commands, with or without a token."""
    return _without_token(address) == configuration().mail_in_address.lower()


def is_bounce_address(address: str) -> bool:
    """Whether an address is the one for bounces, with or without a token."""
    return _without_token(address) == configuration().mail_in_bounces.lower()


def token_among(addresses: Iterable[str]) -> Token | None:
    """The first valid token among the site's addresses; None if there is none."""
    for address in addresses:
        if is_site_address(address) and (token := Token.parse(address.rpartition("@")[0].partition("+")[2])):
            return token
    return None


def _without_token(address: str) -> str:
    name, _, host = address.strip().lower().rpartition("@")
    return f"{name.partition('+')[0]}@{host}"


def _revocation_data(guest: int) -> str:
    """Data about a person that the HMAC covers, so that tokens become invalid when it changes."""
    if not guest:
        return ""
    known = _GUEST.first(guest)
    return f"{known.sign_outs if known else None} {mail_address(guest).lower()}"


_GUEST = PreparedQuery(lambda guest: Guest.objects.filter(is_erased=False).filter(pk=guest))


def _varint(number: int) -> bytes:
    """Encode a non-negative integer in as few bytes as possible, seven bits in each."""
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def _numbers(data: bytes) -> list[int]:
    """Decode the four numbers of a token. Raises `ValueError` if they are unfinished or not four."""
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
