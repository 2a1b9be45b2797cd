"""By whose right a mail speaks, with what the one trusted relay says of its sender (RFC 8601)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from allauth.account.models import EmailAddress

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.selectors import game_of
from kakomi.server.post.models import ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, Token, token_among
from kakomi.server.tables import models as tables

RESULTS = "authentication-results"


class Verdict(Enum):
    """Whether a mail comes from the domain of its sender."""

    GENUINE = "genuine"
    """DKIM or SPF has passed, for that domain."""
    UNKNOWN = "unknown"
    """Nobody who is believed says anything of it."""
    FORGED = "forged"
    """The domain's own record says that it does not."""


@dataclass(frozen=True)
class Finding:
    """One method's result."""

    method: str
    result: str
    domain: str


def verdict(headers: Sequence[tuple[str, str]], sender: str, relay: str) -> Verdict:
    """The verdict on a mail with these headers, from top to bottom, from this address."""
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
"""By method the results that the domain's own record asks for. A broken signature may come from a list."""
_PROPERTIES = {
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom", "smtp.helo"),
    "dmarc": ("header.from",),
}
"""By method where its domain stands. Of SPF the name with which the server greeted proves nothing."""


def _trusted(headers: Sequence[tuple[str, str]], relay: str) -> list[str] | None:
    """The values of the relay's headers; None if there is one where it puts none."""
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
            if name != "smtp.helo" and name in properties:
                yield Finding(method, result, properties[name].rpartition("@")[2].lower().rstrip("."))
                break


def _uncommented(value: str) -> str:
    """A header's value on one line, without what stands in parentheses, which may hold others."""
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
    """Whether a finding is of the sender's domain, or of one above it; one below may be somebody else's."""
    is_above = "." in finding.domain and domain.endswith(f".{finding.domain}")
    return finding.domain == domain or is_above


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
