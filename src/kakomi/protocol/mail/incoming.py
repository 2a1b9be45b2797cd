"""A mail that came in, as far as play by mail needs to know it."""

from dataclasses import dataclass
from typing import Literal

Automatic = Literal[
    "", "bounce", "own", "null sender", "auto-submitted", "precedence", "list", "suppressed", "machine"
]
"""Why a mail is taken to come from a machine; "": it is a person's. None of these may be answered."""


@dataclass(frozen=True)
class Bounce:
    """One address that a mail of ours did not reach."""

    address: str
    """In lower case; "" if the report does not say."""
    is_permanent: bool
    """Whether it is of no use to write there again. What nobody could tell counts as passing."""
    status: str = ""
    """The enhanced status code, such as `5.1.1`; "" if there is none."""
    reason: str = ""
    """One line for staff, at most 200 characters."""


@dataclass(frozen=True)
class IncomingMail:
    """A mail after decoding. All texts are whole Unicode without control characters, and bounded.

    Whatever the bytes were there is such a value; what was missing is empty.
    """

    sender: str
    """The address of `From`, in lower case. Anybody can write anything there."""
    sender_name: str
    envelope_sender: str | None
    """The address of `Return-Path`; "" for the null sender, None if the mail has no such header."""
    recipients: tuple[str, ...]
    """The addresses of `Delivered-To`, `X-Original-To`, `To` and `Cc`, in lower case, each once."""
    message_id: str
    """With its angle brackets."""
    answers: tuple[str, ...]
    """The message ids of `In-Reply-To` and then of `References`, the latest first, each once."""
    subject: str
    """Decoded and unfolded, without `Re:` and its kind."""
    has_prefix: bool
    """Whether the subject had such a prefix."""
    text: str
    """What the sender wrote now: without what is quoted, without signatures, flowed lines joined."""
    automatic: Automatic
    bounces: tuple[Bounce, ...] = ()
    """If it is a report about mails of ours: whom they did not reach."""
    bounced_ids: tuple[str, ...] = ()
    """The message ids of the mails that a bounce is about."""
    headers: tuple[tuple[str, str], ...] = ()
    """All headers up to the limits, names in lower case, values decoded and unfolded, in their order."""
    is_cut: bool = False
    """Whether the mail was larger than what is read of one."""

    @property
    def is_reply(self) -> bool:
        """Whether it answers another mail, by its subject or by its headers."""
        return self.has_prefix or bool(self.answers)

    def header(self, name: str) -> tuple[str, ...]:
        """The values of a header, in the order of the mail."""
        return tuple(value for known, value in self.headers if known == name.lower())

    @property
    def may_be_answered(self) -> bool:
        """Whether an answer cannot start a loop: a person wrote it, and there is an address to answer."""
        return not self.automatic and bool(self.sender)
