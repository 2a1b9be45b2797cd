"""Who may join a seek: the one place that says so, for lists, buttons and the deed itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Q

from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.moderation.restrictions import kept_from_people
from kakomi.server.ratings.selectors import is_suspended, ratings_of


@dataclass(frozen=True)
class Visitor:
    """Somebody who looks at seeks, with what conditions ask of them."""

    guest: int | None = None
    """None: not known yet."""
    has_account: bool = False
    kept_from: frozenset[int] = frozenset()
    """The numbers of those whom they have blocked, or who have blocked them."""

    family: frozenset[int] = frozenset()
    """The numbers of the guests of the same person: bots and their owner."""

    ratings: Mapping[tuple[str, str | None, str], float] = field(default_factory=dict, hash=False)
    """The means of their ratings, by game, class of boards and pace."""

    @staticmethod
    def of(guest: Guest | None) -> "Visitor":
        """A guest as a visitor."""
        if guest is None:
            return Visitor()
        kept_from = frozenset(blocked_by_or_blocking(guest))
        if not has_account(guest):
            return Visitor(guest.pk, kept_from=kept_from)
        return Visitor(guest.pk, True, kept_from, _family(guest), means_of(guest))

    def sees(self, seek: SeekState) -> bool:
        """Whether they know of a seek."""
        if not seek.numbers.isdisjoint(self.kept_from):
            return False
        if seek.row.kind != Seek.Kind.CHALLENGE:
            return True
        return self.guest in seek.numbers or self.guest in seek.invited


def has_account(guest: Guest) -> bool:
    """Whether somebody can sign in, and so be found again tomorrow."""
    return guest.handle is not None


def means_of(guest: Guest) -> dict[tuple[str, str | None, str], float]:
    """The means of somebody's ratings, by where they are rated."""
    return {(r.pool.game, r.pool.size_class, r.pool.pace): r.mean for r in ratings_of(guest)}


def _family(guest: Guest) -> frozenset[int]:
    user = User.objects.get(guest=guest)
    owner = user.owner_id or user.pk
    same = User.objects.filter(Q(pk=owner) | Q(owner=owner)).exclude(guest=guest)
    return frozenset(same.values_list("guest", flat=True))


def obstacle(seek: SeekState, visitor: Visitor) -> str:
    """Why somebody can't join a seek of somebody else, and what would help; empty if they can."""
    is_rated = seek.row.is_rated
    if is_rated and not seek.numbers.isdisjoint(visitor.family):
        return lazy_message("Rated games are between different people: no bot plays one against its owner.")
    if why := needs_account(seek.row.pace, is_rated=is_rated, has_account=visitor.has_account):
        return why
    if seek.takes_rating(visitor.ratings.get(seek.pool)):
        return ""
    return lazy_message("For people with a rating {range}.", range=range_label(seek.row))


def held_up(seek: SeekState) -> set[int]:
    """The numbers of those in a seek who may begin no such game for now: staff have suspended them, or they
    ran out of time too often for rated ones."""
    row, kept = seek.row, set(kept_from_people(seek.numbers))
    return kept | {number for number in seek.numbers if row.is_rated and is_suspended(number, row.pace)}


def range_label(row: Seek) -> str:
    """The ratings that a seek asks for, after the word rating."""
    low, high = row.rating_low, row.rating_high
    if high is None:
        return lazy_message("of at least {low}", low=low)
    if low is None:
        return lazy_message("of at most {high}", high=high)
    return lazy_message("from {low} to {high}", low=low, high=high)


def needs_account(pace: str, *, is_rated: bool, has_account: bool) -> str:
    """Why a guest without an account can't play such a game; empty if they can."""
    if has_account:
        return ""
    if is_rated:
        return lazy_message("Rated games need an account.")
    if pace == "days":
        return lazy_message("Games over days need an account, so that you find them again.")
    return ""


MOST_GAMES = 999
"""The highest limit of games at a time."""


def why_not_challenged(name: str, settings: LobbyGuest, pace: str, *, is_rated: bool, games: int) -> str:
    """Why somebody who plays so many games doesn't take a challenge, and which they would take; empty if they
    do."""
    if settings.challenges_from == LobbyGuest.From.NOBODY:
        return lazy_message("{name} takes no challenges.", name=name)
    if settings.most_games is not None and games >= settings.most_games:
        return lazy_plural(
            "{name} wants to play {count} game at a time, and plays it already.",
            "{name} wants to play at most {count} games at a time, and plays as many already.",
            count=settings.most_games,
            name=name,
        )
    if pace == "live" and not settings.takes_live:
        return lazy_message("{name} takes challenges to games over days only.", name=name)
    if pace == "days" and not settings.takes_days:
        return lazy_message("{name} takes challenges to live games only.", name=name)
    if is_rated and not settings.takes_rated:
        return lazy_message("{name} takes challenges to casual games only.", name=name)
    if not is_rated and not settings.takes_casual:
        return lazy_message("{name} takes challenges to rated games only.", name=name)
    return ""
