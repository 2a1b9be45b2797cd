"""Queries for seeks, the people in them, and the games that they became."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import F, Prefetch, Q, QuerySet
from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import find_guest
from kakomi.server.lobby.models import Invitee, LobbyGuest, Place, Seek, SeekGame
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.tables.models import Table

MOST_LISTED = 300
"""The maximum number of seeks in the public list; the newest ones are shown."""
SHOWN_AFTERWARDS = 24 * 3600.0
"""How many seconds after its end a seek is still shown to its owner."""


@dataclass(frozen=True)
class SeekState:
    """A snapshot of a seek with the people in it."""

    row: Seek
    places: tuple[Place, ...]
    """The guests who have joined the current round, in that order."""
    former: frozenset[int]
    """The numbers of the guests who joined an earlier round."""
    invitees: tuple[Invitee, ...]

    @cached_property
    def terms(self) -> SeekTerms:
        """The parsed terms."""
        return SeekTerms.from_json(self.row.terms)

    @property
    def people(self) -> tuple[Guest, ...]:
        """The owner and the guests who have joined."""
        return (self.row.owner, *(place.guest for place in self.places))

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The numbers of these people."""
        return frozenset((self.row.owner_id, *(place.guest_id for place in self.places)))

    @cached_property
    def invited(self) -> frozenset[int]:
        """The numbers of the challenged guests."""
        return frozenset(invitee.guest_id for invitee in self.invitees)

    @cached_property
    def pool(self) -> tuple[str, str | None, str]:
        """The rating pool: the game, the board-size class (None if unrated) and the pace."""
        return self.row.game, self.terms.rating_class(self.row.most), self.row.pace

    @property
    def has_range(self) -> bool:
        """Whether it is restricted to a range of ratings."""
        return (self.row.rating_low, self.row.rating_high) != (None, None)

    def takes_rating(self, rating: float | None) -> bool:
        """Whether somebody with this rating may join; None means unrated."""
        if rating is None:
            return not self.has_range
        low, high = self.row.rating_low, self.row.rating_high
        return (low is None or low <= rating) and (high is None or rating <= high)


def waiting_seeks() -> list[SeekState]:
    """The newest `MOST_LISTED` open seeks that aren't challenges, the newest first."""
    open_to_all = Seek.objects.filter(ended_at=None).exclude(kind=Seek.Kind.CHALLENGE)
    return states(open_to_all.order_by("-pk")[:MOST_LISTED])


def states(rows: "QuerySet[Seek]") -> list[SeekState]:
    """Load seeks with their people in a fixed number of queries."""
    found = rows.select_related("owner").prefetch_related(
        Prefetch("places", Place.objects.select_related("guest")),
        Prefetch("invitees", Invitee.objects.select_related("guest")),
    )
    return [_state(row) for row in found]


def _state(row: Seek) -> SeekState:
    places = tuple(place for place in row.places.all() if place.round == row.round)
    former = frozenset(place.guest_id for place in row.places.all() if place.round < row.round)
    return SeekState(row, places, former, tuple(row.invitees.all()))


def find_seek(code: str) -> SeekState:
    """The current state of a seek. Raises Http404 if there is none."""
    found = states(Seek.objects.filter(code=code))
    if not found:
        raise Http404(lazy_message("Challenge not found. The link may be incomplete."))
    return found[0]


def people_in(seek: int) -> set[int]:
    """The numbers of the people in a seek's current round, and of the invited."""
    owner = Seek.objects.filter(pk=seek).values_list("owner")
    joined = Place.objects.filter(seek=seek, round=F("seek__round")).order_by().values_list("guest")
    invited = Invitee.objects.filter(seek=seek).order_by().values_list("guest")
    return {number for (number,) in owner.union(joined, invited)}


def own_seeks(guest: Guest, now: float) -> list[SeekState]:
    """A guest's waiting seeks, and those that recently expired, were abandoned or declined, and aren't
    dismissed; the newest first."""
    ended_lately = Q(
        ended_at__gte=now - SHOWN_AFTERWARDS,
        ending__in=(Seek.Ending.EXPIRED, Seek.Ending.GONE, Seek.Ending.DECLINED),
        is_dismissed=False,
    )
    return states(guest.seeks.filter(Q(ended_at=None) | ended_lately).order_by("-pk"))


def joined_seeks(guest: Guest) -> list[SeekState]:
    """The waiting seeks of others that a guest has joined."""
    rows = states(Seek.objects.filter(ended_at=None, places__guest=guest).order_by("-pk"))
    return [seek for seek in rows if guest.pk in seek.numbers]


def challenges_to(guest: Guest) -> list[SeekState]:
    """The challenges that a guest hasn't answered, the newest first."""
    invited = Invitee.objects.filter(guest=guest, answer=Invitee.Answer.NONE)
    return states(Seek.objects.filter(ended_at=None, invitees__in=invited).order_by("-pk"))


def game_of(seek: Seek, guest: Guest) -> Table | None:
    """The table that a seek, or the one it was merged into, became for a guest: the latest for the owner, the
    joined round's for others."""
    while seek.merged_into is not None:
        seek = seek.merged_into
    games = SeekGame.objects.filter(seek=seek).select_related("table")
    if seek.owner_id != guest.pk:
        games = games.filter(round__in=seek.places.filter(guest=guest).values("round"))
    latest = games.order_by("-round").first()
    return latest.table if latest else None


def games_after(guest: int, last: int) -> list[SeekGame]:
    """The games from seeks in which a guest has a seat, with numbers above `last`, in ascending order."""
    seats = Table.objects.filter(seats__guest=guest)
    games = SeekGame.objects.filter(pk__gt=last, table__in=seats)
    return list(games.select_related("table").order_by("pk"))


def last_game(guest: Guest | None) -> int:
    """The number of a guest's latest game from a seek, or 0."""
    if guest is None:
        return 0
    games = SeekGame.objects.filter(table__seats__guest=guest)
    return games.order_by("-pk").values_list("pk", flat=True).first() or 0


def settings_of(guest: Guest | None) -> LobbyGuest:
    """A guest's challenge settings, or the unsaved defaults."""
    found = LobbyGuest.objects.filter(guest=guest).first() if guest else None
    return found or LobbyGuest(guest=guest)


def find_people(names: Iterable[str]) -> tuple[list[Guest], list[str]]:
    """The people with these usernames, and the names that nobody has."""
    found: list[Guest] = []
    unknown: list[str] = []
    for name in names:
        guest = find_guest(name)
        if guest is None:
            unknown.append(name)
        elif guest not in found:
            found.append(guest)
    return found, unknown
