"""What the one relay that is believed says of a sender, in `Authentication-Results` (RFC 8601).

Anybody can write such a header. Only those count that stand where the relay puts them: above the first
`Received` header, else directly below it. A relay has to take out those that come with its own name; if one
is left further down, nothing is believed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

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
