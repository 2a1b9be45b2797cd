"""Presents seeks: as cards of the list, and as a guest's own."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext

from kakomi.core import Game
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import selectors
from kakomi.server.lobby.conditions import Visitor, obstacle, range_label
from kakomi.server.lobby.models import Invitee, Seek
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.terms import SIZE
from kakomi.server.site import clock
from kakomi.server.site.games import option_labels, size_label
from kakomi.server.site.language import translate
from kakomi.server.tables.clock_texts import short_clock_label

OFFER_BOT_AFTER = 10.0
"""The number of seconds of waiting after which a game against a bot is offered."""

REASONS = {
    Invitee.Reason.NONE: gettext_lazy("no reason given"),
    Invitee.Reason.LATER: gettext_lazy("not a good time right now"),
    Invitee.Reason.CLOCK: gettext_lazy("prefers another time control"),
    Invitee.Reason.BOARD: gettext_lazy("prefers another board"),
    Invitee.Reason.TERMS: gettext_lazy("prefers other settings"),
    Invitee.Reason.CASUAL: gettext_lazy("prefers a casual game"),
    Invitee.Reason.RATED: gettext_lazy("prefers a rated game"),
    Invitee.Reason.OPPONENT: gettext_lazy("not against you right now"),
}
"""The reasons for declining in the words that the challenger reads."""

ENDINGS = {
    Seek.Ending.EXPIRED: gettext_lazy("Expired: no one accepted in time."),
    Seek.Ending.GONE: gettext_lazy("Cancelled: you went offline."),
    Seek.Ending.DECLINED: gettext_lazy("Declined."),
}


@dataclass(frozen=True)
class SeekCard:
    """A seek as others see it. Renderings are cached for all viewers with the same role and language."""

    seek: SeekState

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rendered", {})

    @property
    def fingerprint(self) -> object:
        """A value that differs whenever the card would look different."""
        row, people = self.seek.row, self.seek.people
        shown = (
            row.round,
            row.least,
            row.most,
            row.starts_at,
            row.rating_low,
            row.rating_high,
            str(row.terms),
        )
        return shown, tuple((guest.pk, guest.display_name) for guest in people)

    @property
    def code(self) -> str:
        """The seek's code."""
        return self.seek.row.code

    @cached_property
    def game(self) -> Game:
        """The game for the maximum number of players."""
        return self.seek.terms.game_for(self.seek.row.most)

    @property
    def title(self) -> str:
        """The game's name."""
        return self.game.description.title

    @property
    def is_live(self) -> bool:
        """Whether the pace is live."""
        return self.seek.row.pace == "live"

    @property
    def board(self) -> str:
        """The acceptable board sizes in words."""
        sizes = self.seek.terms.sizes
        if len(sizes) < 2:
            return size_label(self.game)
        words = ", ".join(str(size) for size in sizes)
        return gettext("size {sizes}").format(sizes=words)

    @property
    def clock(self) -> str:
        """A short label of the time control."""
        return short_clock_label(self.seek.terms.control)

    def terms(self) -> list[str]:
        """The other terms in words: unusual options, and those beside board and clock."""
        terms, row = self.seek.terms, self.seek.row
        komi = self.game.description.komi_option
        usual = (SIZE, komi) if terms.negotiate else (SIZE,)
        said = [words for name, words in option_labels(self.game, unusual=True) if name.lower() not in usual]
        if terms.negotiate:
            said.append(gettext("negotiated komi"))
        if terms.swap:
            said.append(gettext("with swap"))
        if terms.is_match:
            games = terms.config(row.most).games
            said.append(
                ngettext("a match of {count} game", "a match of {count} games", games).format(count=games)
            )
        if self.seek.has_range:
            said.append(gettext("rating {range}").format(range=translate(range_label(self.seek.row))))
        if self.gathers:
            bot = gettext("a level {level} bot takes over if a player leaves").format(level=terms.leavers)
            said.append(bot if terms.leavers else gettext("if a player leaves, their seat passes"))
        return said + self._seats()

    def _seats(self) -> list[str]:
        side, row = self.seek.terms.side, self.seek.row
        said = []
        if side != "lot":
            said.append(gettext("challenger goes first") if side == "first" else gettext("you go first"))
        if row.times > 1:
            left = row.times - row.round + 1
            said.append(ngettext("{count} game left", "{count} games left", left).format(count=left))
        return said

    @property
    def gathers(self) -> bool:
        """Whether more than two play."""
        return self.seek.row.most > 2

    @property
    def gathered(self) -> str:
        """How many players there are, of how many."""
        row, there = self.seek.row, len(self.seek.numbers)
        if row.least == row.most:
            return gettext("{there} of {most} players").format(there=there, most=row.most)
        said = gettext("{there} of {least} to {most} players")
        return said.format(there=there, least=row.least, most=row.most)

    @property
    def starting(self) -> str:
        """A note that the game is about to begin; empty while there are too few players."""
        if self.seek.row.starts_at is None:
            return ""
        return gettext("Starting soon with the players who are here.")

    @property
    def until(self) -> datetime.datetime | None:
        """When it expires; None for a live game."""
        return None if self.is_live else _moment(self.seek.row.due_at)

    def role(self, visitor: Visitor) -> str:
        """The visitor's role: `own`, `joined`, `accept`, or the untranslated reason why they can't join."""
        if visitor.guest == self.seek.row.owner_id:
            return "own"
        if visitor.guest in self.seek.numbers:
            return "joined"
        return obstacle(self.seek, visitor) or "accept"

    def html(self, visitor: Visitor) -> SafeString:
        """Its row in the list, in the active language."""
        role = self.role(visitor)
        key = (translation.get_language(), str(role))
        rendered: dict[object, SafeString] = self._rendered  # type: ignore[attr-defined]
        if key not in rendered:
            why = "" if role in ("own", "joined", "accept") else translate(role)
            rendered[key] = render_to_string("lobby/_seek.html", {"card": self, "role": role, "why": why})
        return rendered[key]


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


@dataclass(frozen=True)
class Answer:
    """An invitee's answer to a challenge."""

    invitee: Invitee

    @property
    def guest(self) -> Guest:
        """The invitee."""
        return self.invitee.guest

    @property
    def words(self) -> str:
        """Their answer in words."""
        match self.invitee.answer:
            case Invitee.Answer.ACCEPTED:
                return gettext("accepted")
            case Invitee.Answer.DECLINED:
                return gettext("declined: {reason}").format(
                    reason=REASONS[Invitee.Reason(self.invitee.reason)]
                )
        return gettext("hasn’t answered yet")


@dataclass(frozen=True)
class OwnSeek(SeekCard):
    """A seek as its owner sees it."""

    @property
    def is_challenge(self) -> bool:
        """Whether it is a challenge."""
        return self.seek.row.kind == Seek.Kind.CHALLENGE

    def answers(self) -> list[Answer]:
        """The invitees' answers."""
        return [Answer(invitee) for invitee in self.seek.invitees]

    @property
    def ended(self) -> str:
        """How it ended; empty while it is waiting, or if the owner needn't be told."""
        return str(ENDINGS.get(Seek.Ending(self.seek.row.ending), "")) if not self.seek.row.is_open else ""

    @property
    def is_late(self) -> bool:
        """Whether it has waited long enough for a bot to be offered."""
        return clock.now() - self.seek.row.created_at > OFFER_BOT_AFTER

    @property
    def offers_bot(self) -> bool:
        """Whether a bot can be offered in the meantime."""
        return self.seek.row.is_open and self.is_live and not self.is_challenge


@dataclass(frozen=True)
class Mine:
    """A guest's own seeks, the seeks they have joined, and the challenges to them."""

    guest: Guest | None = None
    own: Sequence[OwnSeek] = ()
    joined: Sequence[SeekCard] = ()
    challenges: Sequence[SeekCard] = ()
    news: int = 0
    """The number of the latest news that concerns the guest."""
    last_game: int = 0

    @staticmethod
    def of(guest: Guest | None) -> "Mine":
        """Load this for a guest."""
        if guest is None:
            return Mine()
        news, last = selectors.settings_of(guest).news, selectors.last_game(guest)  # must precede the lists
        return Mine(
            guest,
            [OwnSeek(seek) for seek in selectors.own_seeks(guest, clock.now())],
            [SeekCard(seek) for seek in selectors.joined_seeks(guest)],
            [SeekCard(seek) for seek in selectors.challenges_to(guest)],
            news,
            last,
        )

    @property
    def waits(self) -> bool:
        """Whether a live game may begin at any moment."""
        live = [card for card in (*self.own, *self.joined) if card.is_live and card.seek.row.is_open]
        return bool(live)

    def reasons(self) -> list[tuple[str, str]]:
        """The reasons for declining that the form offers, as (value, label)."""
        return [(str(reason), str(words)) for reason, words in DECLINING.items()]


DECLINING = {
    Invitee.Reason.LATER: gettext_lazy("Not a good time right now"),
    Invitee.Reason.CLOCK: gettext_lazy("I’d prefer another time control"),
    Invitee.Reason.BOARD: gettext_lazy("I’d prefer another board"),
    Invitee.Reason.TERMS: gettext_lazy("I’d prefer other settings"),
    Invitee.Reason.CASUAL: gettext_lazy("I’d prefer a casual game"),
    Invitee.Reason.RATED: gettext_lazy("I’d prefer a rated game"),
    Invitee.Reason.OPPONENT: gettext_lazy("Not against this opponent right now"),
    Invitee.Reason.NONE: gettext_lazy("No reason"),
}
"""The reasons for declining in the words of the person who declines."""
