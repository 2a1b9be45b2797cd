"""An incoming email, as far as play by mail needs it."""

from dataclasses import dataclass
from typing import Literal

Automatic = Literal[
    "", "bounce", "own", "null sender", "auto-submitted", "precedence", "list", "suppressed", "machine"
]
"""Why an email is considered automatic; "": it is from a person. Automatic emails must not be answered."""


@dataclass(frozen=True)
class Bounce:
    """An address that one of our emails did not reach."""

    address: str
    """In lower case; "" if the report does not say."""
    is_permanent: bool
    """Whether it is pointless to write there again. Unclear failures count as temporary."""
    status: str = ""
    """The enhanced status code, such as `5.1.1`; "" if there is none."""
    reason: str = ""
    """One line for staff, at most 200 characters."""


@dataclass(frozen=True)
class IncomingMail:
    """A decoded email. All texts are valid Unicode without control characters, and limited in length.

    Any bytes decode to such a value; missing parts are empty.
    """

    sender: str
    """The address of `From`, in lower case. It can be forged."""
    envelope_sender: str | None
    """The address of `Return-Path`; "" for the null sender, None if there is no such header."""
    recipients: tuple[str, ...]
    """The addresses of `Delivered-To`, `X-Original-To`, `To` and `Cc`, in lower case, each once."""
    message_id: str
    """With its angle brackets."""
    answered_ids: tuple[str, ...]
    """The message ids of `In-Reply-To` and then of `References`, the latest first, each once."""
    subject: str
    """Decoded and unfolded, without prefixes such as `Re:`."""
    has_prefix: bool
    """Whether the subject had such a prefix."""
    text: str
    """The sender's new text: without quotations and signatures, with flowed lines joined."""
    automatic: Automatic
    bounces: tuple[Bounce, ...] = ()
    """If it reports bounces of our emails: the addresses that they did not reach."""
    headers: tuple[tuple[str, str], ...] = ()
    """All headers up to the limits, in order, names in lower case, values decoded and unfolded."""

    def header(self, name: str) -> tuple[str, ...]:
        """Return the values of a header, in order."""
        return tuple(value for known, value in self.headers if known == name.lower())

    @property
    def may_be_answered(self) -> bool:
        """Whether an answer can't start a mail loop: a person wrote the email, and it has a sender."""
        return not self.automatic and bool(self.sender)
