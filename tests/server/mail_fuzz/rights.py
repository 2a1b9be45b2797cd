"""What a mail may change, worked out from its bytes: which secrets are in it, and whom it names.

None of the site's own judgement is used. Where a mail was damaged the answer is what it might do at most.
"""

import re
from dataclasses import dataclass

from allauth.account.models import EmailAddress

from kakomi.server.post.reply_addresses import HOUR, Purpose, Token
from server.mail_fuzz.state import State
from server.mail_fuzz.world import World

_SECRET = re.compile(r"(?:play|bounces)\+([a-z2-7]+)@", re.IGNORECASE)
_NO_END = 1
"""Letters at the end of a token with bits to spare: changed, it may be the same token."""


@dataclass(frozen=True)
class Rights:
    """What somebody may do who has sent a mail."""

    tokens: tuple[Token, ...] = ()
    """Of secret addresses that are good now."""
    asked: frozenset[int] = frozenset()
    """The numbers of those who may be asked whether it is theirs: it names their address, or they have read a
    mail to which it is an answer."""
    confirmed: frozenset[tuple[str, int | None, int | None]] = frozenset()
    """Kind, guest and table of what may be confirmed."""

    def acts_for(self, guest: int | None) -> bool:
        """Whether it may do all that somebody does."""
        by_address = any(token.purpose == Purpose.ACCOUNT and token.guest == guest for token in self.tokens)
        return by_address or any(kind == "mail" and who == guest for kind, who, _ in self.confirmed)

    def seeks_for(self, guest: int | None) -> bool:
        """Whether it may seek opponents for somebody, and watch a board."""
        by_table = any(token.purpose == Purpose.TABLE and token.guest == guest for token in self.tokens)
        return by_table or self.acts_for(guest)

    def acts_at(self, table: int, guest: int | None) -> bool:
        """Whether it may act for somebody at a table."""
        at_table = any(
            (token.purpose, token.guest, token.subject) == (Purpose.TABLE, guest, table)
            for token in self.tokens
        )
        submitted = any(named == ("submission", guest, table) for named in self.confirmed)
        return at_table or submitted or self.acts_for(guest)

    def reads_mail_of(self, guest: int | None) -> bool:
        """Whether its sender has read a mail to somebody."""
        return any(token.guest == guest and token.purpose != Purpose.BOUNCE for token in self.tokens)

    def brings_back(self, guest: int | None) -> bool:
        """Whether it came to an address for bounces of somebody's."""
        return any(token.guest == guest and token.purpose == Purpose.BOUNCE for token in self.tokens)

    @property
    def may_sign_up(self) -> bool:
        """Whether it confirms an account."""
        return any(kind == "signup" for kind, _, _ in self.confirmed)


def rights_of(data: bytes, recipient: str, world: World, state: State, *, is_whole: bool) -> Rights:
    """The rights of a mail that came to a recipient, when the site was in a state."""
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
            state.row("post.Confirmation", token.subject) if token.purpose == Purpose.CONFIRMATION else None
        )
        if kept and kept["done_at"] is None and (kept["guest"] or 0) == token.guest:
            named.add((str(kept["kind"]), kept["guest"], kept["table"]))
    return frozenset(named)
