"""A mail's sender and permissions, from its token or the trusted relay's findings (RFC 8601)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from allauth.account.models import EmailAddress

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.selectors import game_of
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.mail.reply_addresses import Purpose, Token, token_among
from kakomi.server.site.configuration import configuration
from kakomi.server.tables import models as tables

RESULTS = "authentication-results"


class Verdict(Enum):
    """Whether a mail comes from its sender's domain."""

    GENUINE = "genuine"
    """DKIM, SPF or DMARC passed for that domain."""
    UNKNOWN = "unknown"
    """The trusted relay reports no usable result."""
    FORGED = "forged"
    """DMARC or SPF failed: the domain's own policy disowns the mail."""


@dataclass(frozen=True)
class Finding:
    """The result of one authentication method."""

    method: str
    result: str
    domain: str


def verdict(headers: Sequence[tuple[str, str]], sender: str, relay: str) -> Verdict:
    """The verdict on a mail with these headers, in order from the top, from the address `sender`."""
    domain = sender.rpartition("@")[2].lower()
    trusted = _trusted(headers, relay) if relay and domain else None
    if not trusted:
        return Verdict.UNKNOWN
    aligned = [finding for value in trusted for finding in _findings(value) if _aligns(finding, domain)]
    if any(finding.result == "pass" for finding in aligned):
        return Verdict.GENUINE
    if any(finding.result in _FAILURES.get(finding.method, ()) for finding in aligned):
        return Verdict.FORGED
    return Verdict.UNKNOWN


_FAILURES = {"dmarc": ("fail",), "spf": ("fail",)}
"""Method -> results that mean forgery. DKIM failures don't count: mailing lists break signatures."""
_PROPERTIES = {
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom",),
    "dmarc": ("header.from",),
}
"""Method -> the properties that hold its domain. SPF's `smtp.helo` proves nothing and is left out."""


def _trusted(headers: Sequence[tuple[str, str]], relay: str) -> list[str] | None:
    """The values of the relay's headers; None if one is where the relay adds none, and so may be forged."""
    names = [name.lower() for name, _ in headers]
    first = names.index("received") if "received" in names else 0
    own = [
        number for number, name in enumerate(names) if name == RESULTS and _is_of(headers[number][1], relay)
    ]
    believed = [number for number in own if number < first]
    if not believed:
        below = range(first + ("received" in names), len(names))
        block = list(takewhile(lambda number: names[number] == RESULTS, below))
        believed = [number for number in own if number in block]
    return [headers[number][1] for number in own] if own == believed else None


def _is_of(value: str, relay: str) -> bool:
    words = _uncommented(value).partition(";")[0].split()
    return bool(words) and words[0].lower() == relay.lower()


def _findings(value: str) -> Iterator[Finding]:
    for part in _uncommented(value).split(";")[1:]:
        pairs = re.findall(r"([\w.-]+)\s*=\s*(\"[^\"]*\"|[^\s;]+)", part)
        if not pairs:
            continue
        method, result = pairs[0][0].lower(), pairs[0][1].lower()
        properties = {name.lower(): text.strip('"') for name, text in pairs[1:]}
        for name in _PROPERTIES.get(method, ()):
            if name in properties:
                yield Finding(method, result, properties[name].rpartition("@")[2].lower().rstrip("."))
                break


def _uncommented(value: str) -> str:
    """A header's value on one line, without its comments in (nested) parentheses."""
    text, deep, quoted = [], 0, False
    for letter in " ".join(value.split()):
        if letter == '"' and not deep:
            quoted = not quoted
        if letter == "(" and not quoted:
            deep += 1
        elif letter == ")" and not quoted and deep:
            deep -= 1
        elif not deep:
            text.append(letter)
    return "".join(text)


def _aligns(finding: Finding, domain: str) -> bool:
    """Whether a finding is for the sender's domain or a parent. A subdomain may belong to someone else."""
    is_above = "." in finding.domain and domain.endswith(f".{finding.domain}")
    return finding.domain == domain or is_above


@dataclass(frozen=True)
class Authority:
    """The sender of a mail, and how well they are authenticated."""

    guest: Guest | None = None
    """None for a stranger, or for a sender whose identity nothing proves."""
    token: Token | None = None
    """The token of the secret address that the mail was sent to, even if expired."""
    verdict: Verdict = Verdict.UNKNOWN
    is_confirmed: bool = False
    is_in_time: bool = False
    """Whether the token was still valid when the mail arrived."""

    @property
    def is_proved(self) -> bool:
        """Whether the sender has proved that they read a recent mail to this guest."""
        return self.is_confirmed or (self.token is not None and self.is_in_time)

    @property
    def is_vouched_for(self) -> bool:
        """Whether anything beyond the `From` header identifies the sender."""
        is_genuine = self.guest is not None and self.verdict == Verdict.GENUINE
        return self.token is not None or self.is_confirmed or is_genuine

    @property
    def table(self) -> tables.Table | None:
        """The table of the mail that this one answers, or the table that the answered challenge became."""
        if seek := self.seek:
            return game_of(seek, self.guest) if self.guest else None
        if self.token is None or self.token.purpose != Purpose.TABLE:
            return None
        return tables.Table.objects.filter(pk=self.token.subject).first()

    @property
    def seek(self) -> Seek | None:
        """The challenge or seek of the mail that this one answers."""
        if self.token is None or self.token.purpose != Purpose.ACCOUNT or not self.token.subject:
            return None
        return Seek.objects.filter(pk=self.token.subject).first()

    def may_act_at(self, row: tables.Table) -> bool:
        """Whether the mail may act at a table, for the guest's seats, without confirmation."""
        if self.may_act:
            return True
        token = self.token
        is_of_table = token is not None and (token.purpose, token.subject) == (Purpose.TABLE, row.pk)
        return self.guest is not None and self.is_proved and is_of_table

    @property
    def may_act(self) -> bool:
        """Whether the mail may use the whole account without confirmation. An address for one table or one
        confirmation isn't enough."""
        if self.guest is None or not self.is_proved:
            return False
        return self.is_confirmed or (self.token is not None and self.token.purpose == Purpose.ACCOUNT)

    def seen(self, row: tables.Table) -> int | None:
        """The length of the table's log that the sender has seen; None if unknown."""
        token = self.token
        is_of_table = token is not None and token.purpose == Purpose.TABLE and token.subject == row.pk
        return token.state if is_of_table and token else None


def authority_of(row: ReceivedMail, mail: IncomingMail) -> Authority:
    """The authority of a mail."""
    token = token_among((row.recipient, *mail.recipients))
    if token is not None and token.purpose != Purpose.BOUNCE:
        guest = _active(token.guest)
        if guest is not None or not token.guest:
            is_in_time = token.is_valid_at(row.received_at)
            return Authority(guest, token, is_confirmed=row.is_confirmed, is_in_time=is_in_time)
    found = verdict(mail.headers, mail.sender, configuration().mail_in_relay)
    guest = guest_of_address(mail.sender) if found != Verdict.FORGED and _has_one_sender(mail) else None
    return Authority(guest, None, found, is_confirmed=row.is_confirmed and guest is not None)


def _has_one_sender(mail: IncomingMail) -> bool:
    """Whether the mail has exactly one `From` header; with two, the relay may have checked the other."""
    return len(mail.header("from")) == 1


def _active(number: int) -> Guest | None:
    known = Guest.objects.filter(pk=number, is_erased=False, user__is_active=True)
    return known.first() if number else None


def guest_of_address(address: str) -> Guest | None:
    """The guest with this confirmed address; None for a stranger's."""
    known = EmailAddress.objects.filter(email__iexact=address, verified=True, user__is_active=True)
    found = known.select_related("user__guest").first() if address else None
    return found.user.guest if found else None
