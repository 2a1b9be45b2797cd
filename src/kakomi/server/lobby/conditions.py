"""The conditions for joining a seek, shared by the list, the buttons and the services."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Q

from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.moderation.restrictions import barred_from_games
from kakomi.server.ratings.selectors import is_suspended, ratings_of


@dataclass(frozen=True)
class Visitor:
    """A viewer of seeks, with the facts that the conditions depend on."""

    guest: int | None = None
    """The guest's number; None for a visitor without a guest."""
    has_account: bool = False
    blocked: frozenset[int] = frozenset()
    """The numbers of the guests they have blocked, or who have blocked them."""

    same_owner: frozenset[int] = frozenset()
    """The numbers of the other guests of the same person: their bots, or a bot's owner and sibling bots."""

    ratings: Mapping[tuple[str, str | None, str], float] = field(default_factory=dict, hash=False)
    """Their mean ratings by game, board-size class and pace."""

    @staticmethod
    def of(guest: Guest | None) -> "Visitor":
        """Load the visitor for a guest."""
        if guest is None:
            return Visitor()
        blocked = frozenset(blocked_by_or_blocking(guest))
        if not has_account(guest):
            return Visitor(guest.pk, blocked=blocked)
        return Visitor(guest.pk, True, blocked, _same_owner(guest), means_of(guest))

    def sees(self, seek: SeekState) -> bool:
        """Whether a seek is visible to them: challenges are private, and blocking hides people."""
        if not seek.numbers.isdisjoint(self.blocked):
            return False
        if seek.row.kind != Seek.Kind.CHALLENGE:
            return True
        return self.guest in seek.numbers or self.guest in seek.invited


def has_account(guest: Guest) -> bool:
    """Whether a guest can sign in and so be reached later."""
    return guest.handle is not None


def means_of(guest: Guest) -> dict[tuple[str, str | None, str], float]:
    """A guest's mean ratings by game, board-size class and pace."""
    return {(r.pool.game, r.pool.size_class, r.pool.pace): r.rating.mean for r in ratings_of(guest)}


def _same_owner(guest: Guest) -> frozenset[int]:
    user = User.objects.get(guest=guest)
    owner = user.owner_id or user.pk
    same = User.objects.filter(Q(pk=owner) | Q(owner=owner)).exclude(guest=guest)
    return frozenset(same.values_list("guest", flat=True))


def obstacle(seek: SeekState, visitor: Visitor) -> str:
    """Why a visitor can't join someone else's seek, and what would help; empty if they can."""
    is_rated = seek.row.is_rated
    if is_rated and not seek.numbers.isdisjoint(visitor.same_owner):
        return lazy_message("A bot can’t play rated games against its owner.")
    if why := needs_account(seek.row.pace, is_rated=is_rated, has_account=visitor.has_account):
        return why
    if seek.takes_rating(visitor.ratings.get(seek.pool)):
        return ""
    return lazy_message("Open to ratings {range}.", range=range_label(seek.row))


def barred_people(seek: SeekState) -> set[int]:
    """The numbers of the people in a seek who currently can't begin its game: staff have restricted them, or
    the game is rated and they have run out of time too often."""
    row, barred = seek.row, set(barred_from_games(seek.numbers))
    return barred | {number for number in seek.numbers if row.is_rated and is_suspended(number, row.pace)}


def range_label(row: Seek) -> str:
    """The rating range of a seek, as a phrase that follows the word "rating"."""
    low, high = row.rating_low, row.rating_high
    if high is None:
        return lazy_message("{low} or higher", low=low)
    if low is None:
        return lazy_message("up to {high}", high=high)
    return lazy_message("from {low} to {high}", low=low, high=high)


def needs_account(pace: str, *, is_rated: bool, has_account: bool) -> str:
    """Why a guest can't play such a game without an account; empty if they can."""
    if has_account:
        return ""
    if is_rated:
        return lazy_message("Rated games require an account.")
    if pace == "days":
        return lazy_message("Correspondence games require an account.")
    return ""


MOST_GAMES = 999
"""The largest limit on simultaneous games that anyone can set."""


def why_not_challenged(name: str, settings: LobbyGuest, pace: str, *, is_rated: bool, games: int) -> str:
    """Why somebody who is playing `games` games doesn't take a challenge, and which they would take; empty if
    they take it."""
    if settings.challenges_from == LobbyGuest.From.NOBODY:
        return lazy_message("{name} doesn’t accept challenges.", name=name)
    if settings.most_games is not None and games >= settings.most_games:
        return lazy_plural(
            "{name} plays {count} game at a time and is already playing.",
            "{name} plays at most {count} games at a time and has reached that limit.",
            count=settings.most_games,
            name=name,
        )
    if pace == "live" and not settings.takes_live:
        return lazy_message("{name} accepts only correspondence challenges.", name=name)
    if pace == "days" and not settings.takes_days:
        return lazy_message("{name} accepts only live challenges.", name=name)
    if is_rated and not settings.takes_rated:
        return lazy_message("{name} accepts only casual challenges.", name=name)
    if not is_rated and not settings.takes_casual:
        return lazy_message("{name} accepts only rated challenges.", name=name)
    return ""
