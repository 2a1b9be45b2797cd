"""What a mail may change, derived from its bytes: the secrets in it, and the people that it names.

This is independent of the site's own decisions. For a damaged mail it is an upper bound.
"""

import re
from dataclasses import dataclass

from allauth.account.models import EmailAddress

from kakomi.server.mail.reply_addresses import HOUR, Purpose, Token
from server.mail_fuzz.state import State
from server.mail_fuzz.world import World

_SECRET = re.compile(r"(?:play|bounces)\+([a-z2-7]+)@", re.IGNORECASE)
_NO_END = 1
"""Characters at a token's end with unused bits, so that a changed one may decode to the same token."""


@dataclass(frozen=True)
class Rights:
    """What a mail's sender may do."""

    tokens: tuple[Token, ...] = ()
    """The unexpired tokens of secret addresses in the mail."""
    asked: frozenset[int] = frozenset()
    """Primary keys of guests who may be asked for confirmation: the mail contains their address, or a secret
    that was sent to them."""
    confirmed: frozenset[tuple[str, int | None, int | None]] = frozenset()
    """The confirmations that it may give, as (kind, guest, table)."""

    def acts_for(self, guest: int | None) -> bool:
        """Whether it may use a guest's whole account."""
        by_address = any(token.purpose == Purpose.ACCOUNT and token.guest == guest for token in self.tokens)
        return by_address or any(kind == "mail" and who == guest for kind, who, _ in self.confirmed)

    def seeks_for(self, guest: int | None) -> bool:
        """Whether it may seek opponents and watch boards for a guest."""
        by_table = any(token.purpose == Purpose.TABLE and token.guest == guest for token in self.tokens)
        return by_table or self.acts_for(guest)

    def acts_at(self, table: int, guest: int | None) -> bool:
        """Whether it may act for a guest at a table."""
        at_table = any(
            (token.purpose, token.guest, token.subject) == (Purpose.TABLE, guest, table)
            for token in self.tokens
        )
        submitted = any(named == ("submission", guest, table) for named in self.confirmed)
        return at_table or submitted or self.acts_for(guest)

    def reads_mail_of(self, guest: int | None) -> bool:
        """Whether its sender has read a mail to a guest."""
        return any(token.guest == guest and token.purpose != Purpose.BOUNCE for token in self.tokens)

    def brings_back(self, guest: int | None) -> bool:
        """Whether it was sent to a guest's bounce address."""
        return any(token.guest == guest and token.purpose == Purpose.BOUNCE for token in self.tokens)

    @property
    def may_sign_up(self) -> bool:
        """Whether it confirms a sign-up."""
        return any(kind == "signup" for kind, _, _ in self.confirmed)


def rights_of(data: bytes, recipient: str, world: World, state: State, *, is_whole: bool) -> Rights:
    """The rights of a mail to a recipient, given the site's state."""
    text = data.decode("utf-8", "replace")
    head = text.replace("\r\n", "\n").partition("\n\n")[0] if is_whole else text
    known = {text[:-_NO_END]: token for text, token in world.tokens.items()}
    found = _known(recipient, known) or _known(head, known)
    tokens = tuple(token for token in found if world.now < token.hours * HOUR)
    readers = frozenset(token.guest for token in found if token.purpose != Purpose.BOUNCE)
    return Rights(tokens, readers | _named(head), _confirmed(tokens, state))


def _known(text: str, known: dict[str, Token]) -> list[Token]:
    found = [secret[1].lower()[:-_NO_END] for secret in _SECRET.finditer(text)]
    return [known[secret] for secret in found if secret in known]


def _named(head: str) -> frozenset[int]:
    known = EmailAddress.objects.values_list("user__guest", "email")
    return frozenset(guest for guest, address in known if address.lower() in head.lower())


def _confirmed(tokens: tuple[Token, ...], state: State) -> frozenset[tuple[str, int | None, int | None]]:
    named = set()
    for token in tokens:
        kept = (
            state.row("mail.Confirmation", token.subject) if token.purpose == Purpose.CONFIRMATION else None
        )
        if kept and kept["done_at"] is None and (kept["guest"] or 0) == token.guest:
            named.add((str(kept["kind"]), kept["guest"], kept["table"]))
    return frozenset(named)
