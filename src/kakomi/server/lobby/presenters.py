"""Seeks in words: as cards of the list, and as what somebody has in the lobby."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext

from kakomi.core import Game
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.games import option_labels, size_label
from kakomi.server.language import translate
from kakomi.server.lobby import selectors
from kakomi.server.lobby.conditions import Visitor, obstacle, range_label
from kakomi.server.lobby.models import Invitee, Seek
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.terms import SIZE
from kakomi.server.tables.clock_texts import short_clock_label

OFFER_BOT_AFTER = 10.0
"""After so many seconds of waiting a bot is offered meanwhile."""

REASONS = {
    Invitee.Reason.NONE: gettext_lazy("no reason given"),
    Invitee.Reason.LATER: gettext_lazy("now is not a good time"),
    Invitee.Reason.CLOCK: gettext_lazy("another clock would be better"),
    Invitee.Reason.BOARD: gettext_lazy("another board would be better"),
    Invitee.Reason.TERMS: gettext_lazy("other terms would be better"),
    Invitee.Reason.CASUAL: gettext_lazy("rather a casual game"),
    Invitee.Reason.RATED: gettext_lazy("rather a rated game"),
    Invitee.Reason.OPPONENT: gettext_lazy("not against you for now"),
}
"""As the challenger reads them."""

ENDINGS = {
    Seek.Ending.EXPIRED: gettext_lazy("Nobody came in time, so it has ended."),
    Seek.Ending.GONE: gettext_lazy("It ended because no page of yours was open."),
    Seek.Ending.DECLINED: gettext_lazy("It was declined."),
}


@dataclass(frozen=True)
class SeekCard:
    """A seek as anybody sees it. What is rendered is kept, for all who see the same."""

    seek: SeekState

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rendered", {})

    @property
    def fingerprint(self) -> object:
        """Changes when the card would look different."""
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
        return shown, tuple((guest.pk, guest.called) for guest in people)

    @property
    def code(self) -> str:
        """The seek's."""
        return self.seek.row.code

    @cached_property
    def game(self) -> Game:
        """The game, for as many as may play."""
        return self.seek.terms.game_for(self.seek.row.most)

    @property
    def title(self) -> str:
        """The game's name."""
        return self.game.description.title

    @property
    def is_live(self) -> bool:
        """Whether it is played at once."""
        return self.seek.row.pace == "live"

    @property
    def board(self) -> str:
        """The board, or the boards that will do."""
        sizes = self.seek.terms.sizes
        if len(sizes) < 2:
            return size_label(self.game)
        words = ", ".join(str(size) for size in sizes)
        return gettext("size {sizes}").format(sizes=words)

    @property
    def clock(self) -> str:
        """The clock in a few words."""
        return short_clock_label(self.seek.terms.control)

    def terms(self) -> list[str]:
        """What is unusual, and what there is beside board and clock."""
        terms, row = self.seek.terms, self.seek.row
        komi = self.game.description.komi_option
        usual = (SIZE, komi) if terms.negotiate else (SIZE,)
        said = [words for name, words in option_labels(self.game, unusual=True) if name.lower() not in usual]
        if terms.negotiate:
            said.append(gettext("the komi is negotiated"))
        if terms.swap:
            said.append(gettext("with a swap"))
        if terms.is_match:
            games = terms.config(row.most).games
            said.append(
                ngettext("a match of {count} game", "a match of {count} games", games).format(count=games)
            )
        if self.seek.has_range:
            said.append(gettext("rating {range}").format(range=translate(range_label(self.seek.row))))
        if self.gathers:
            bot = gettext("a bot of level {level} plays on for who leaves").format(level=terms.leavers)
            said.append(bot if terms.leavers else gettext("the seat of who leaves passes"))
        return said + self._seats()

    def _seats(self) -> list[str]:
        side, row = self.seek.terms.side, self.seek.row
        said = []
        if side != "lot":
            said.append(gettext("who looks for it begins") if side == "first" else gettext("you begin"))
        if row.times > 1:
            left = row.times - row.round + 1
            said.append(ngettext("for {count} more game", "for {count} more games", left).format(count=left))
        return said

    @property
    def gathers(self) -> bool:
        """Whether more than two play."""
        return self.seek.row.most > 2

    @property
    def gathered(self) -> str:
        """How many are there, and how many it takes."""
        row, there = self.seek.row, len(self.seek.numbers)
        if row.least == row.most:
            return gettext("{there} of {most} players").format(there=there, most=row.most)
        said = gettext("{there} of {least} to {most} players")
        return said.format(there=there, least=row.least, most=row.most)

    @property
    def starting(self) -> str:
        """When it begins with those who are there; empty while they are too few."""
        if self.seek.row.starts_at is None:
            return ""
        return gettext("It begins soon with those who are here.")

    @property
    def until(self) -> datetime.datetime | None:
        """When it ends, if that is days away."""
        return None if self.is_live else _moment(self.seek.row.due_at)

    def role(self, visitor: Visitor) -> str:
        """What a visitor can do: `own`, `joined`, `accept`, or the reason why nothing, in English."""
        if visitor.guest == self.seek.row.owner_id:
            return "own"
        if visitor.guest in self.seek.numbers:
            return "joined"
        return obstacle(self.seek, visitor) or "accept"

    def html(self, visitor: Visitor) -> SafeString:
        """Its row in the list, in the language that is spoken."""
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
    """What somebody who is challenged has said."""

    invitee: Invitee

    @property
    def guest(self) -> Guest:
        """Who it is."""
        return self.invitee.guest

    @property
    def words(self) -> str:
        """Their answer."""
        match self.invitee.answer:
            case Invitee.Answer.ACCEPTED:
                return gettext("accepts")
            case Invitee.Answer.DECLINED:
                return gettext("declines: {reason}").format(
                    reason=REASONS[Invitee.Reason(self.invitee.reason)]
                )
        return gettext("has not answered yet")


@dataclass(frozen=True)
class OwnSeek(SeekCard):
    """A seek as its owner sees it."""

    @property
    def is_challenge(self) -> bool:
        """Whether it names somebody."""
        return self.seek.row.kind == Seek.Kind.CHALLENGE

    def answers(self) -> list[Answer]:
        """What those who are challenged have said."""
        return [Answer(invitee) for invitee in self.seek.invitees]

    @property
    def ended(self) -> str:
        """How it ended; empty while it waits."""
        return str(ENDINGS.get(Seek.Ending(self.seek.row.ending), "")) if not self.seek.row.is_open else ""

    @property
    def is_late(self) -> bool:
        """Whether it has waited for so long that a bot is offered."""
        return clock.now() - self.seek.row.created_at > OFFER_BOT_AFTER

    @property
    def offers_bot(self) -> bool:
        """Whether a bot can be played meanwhile."""
        return self.seek.row.is_open and self.is_live and not self.is_challenge


@dataclass(frozen=True)
class Mine:
    """What somebody has in the lobby."""

    guest: Guest | None = None
    own: Sequence[OwnSeek] = ()
    joined: Sequence[SeekCard] = ()
    challenges: Sequence[SeekCard] = ()
    news: int = 0
    """The number of the latest of it."""
    last_game: int = 0

    @staticmethod
    def of(guest: Guest | None) -> "Mine":
        """What a guest has."""
        if guest is None:
            return Mine()
        news, last = selectors.settings_of(guest).news, selectors.last_game(guest)  # before what they count
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
        """The reasons for declining, as one chooses them."""
        return [(str(reason), str(words)) for reason, words in DECLINING.items()]


DECLINING = {
    Invitee.Reason.LATER: gettext_lazy("Now is not a good time"),
    Invitee.Reason.CLOCK: gettext_lazy("I would like another clock"),
    Invitee.Reason.BOARD: gettext_lazy("I would like another board"),
    Invitee.Reason.TERMS: gettext_lazy("I would like other terms"),
    Invitee.Reason.CASUAL: gettext_lazy("I would rather play a casual game"),
    Invitee.Reason.RATED: gettext_lazy("I would rather play a rated game"),
    Invitee.Reason.OPPONENT: gettext_lazy("Not against this opponent for now"),
    Invitee.Reason.NONE: gettext_lazy("I don’t say why"),
}
"""As one chooses them."""
