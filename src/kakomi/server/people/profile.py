"""The page about a person with an account, and the queries for it."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.ratings import selectors
from kakomi.server.ratings.presenters import PoolView, curve_of
from kakomi.server.ratings.selectors import PersonRating
from kakomi.server.tables.models import Seat, Table
from kakomi.server.tables.summaries import ListedGame


def find_person(handle: str) -> User:
    """The active user with a handle in any case, with their guest. Raises Http404 if there is none."""
    try:
        user = User.objects.named(handle).select_related("guest", "owner__guest").get()
    except User.DoesNotExist:
        raise Http404(lazy_message("There is no player with this name.")) from None
    if not user.is_active:
        raise Http404(lazy_message("There is no player with this name."))
    return user


GAMES = 24
"""Games per page."""
COUNTED = 2_000
"""The maximum number of finished games counted; the latest are used."""
TOURNAMENTS = 10
"""The maximum number of tournaments listed; the latest are shown."""
MET = 12
"""The maximum number of opponents listed; the most frequent are shown."""


@dataclass
class Score:
    """A person's wins, draws and losses."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The total number of games."""
        return self.won + self.drawn + self.lost

    def count(self, share: float) -> None:
        """Add a game by its share of the win: 1, 0, or in between for a draw or a shared win."""
        if share == 1:
            self.won += 1
        elif share == 0:
            self.lost += 1
        else:
            self.drawn += 1


@dataclass(frozen=True)
class GameRecord:
    """The score in a game."""

    title: str
    score: Score


@dataclass(frozen=True)
class Acquaintance:
    """An opponent, with the person's score in the games with them."""

    guest: Guest
    score: Score


@dataclass(frozen=True)
class Participation:
    """A tournament that has begun, and the person's result in it."""

    name: str
    address: str
    began_at: float
    result: str


PARTICIPATIONS: list[Callable[[Guest, int], list[Participation]]] = []
"""Functions of other apps that return a guest's latest tournaments, at most the given number."""


@dataclass(frozen=True)
class ShownRating:
    """A rating with its pool and its curve."""

    rating: PersonRating
    curve: SafeString

    @property
    def pool(self) -> PoolView:
        """The rating's pool."""
        return PoolView(self.rating.pool)

    @property
    def words(self) -> str:
        """The rating as players see it."""
        return self.rating.words


@dataclass(frozen=True)
class Profile:
    """A person as shown to a viewer."""

    guest: Guest
    is_own: bool
    before: int | None = None
    """The list of games continues after the table with this number."""

    @property
    def _visible(self) -> "QuerySet[Seat]":
        """The person's seats at games that the viewer may see."""
        seats = Seat.objects.filter(guest=self.guest)
        is_public = Q(table__is_rated=True) | Q(table__listed_at__isnull=False)
        is_public |= Q(table__tournament_game__isnull=False)
        return seats if self.is_own else seats.filter(is_public)

    @cached_property
    def _page(self) -> list[int]:
        seats = self._visible if self.before is None else self._visible.filter(table__lt=self.before)
        begun = seats.filter(Q(table__entries__gt=0) | Q(table__is_over=True))
        return list(begun.order_by("-table").values_list("table", flat=True).distinct()[: GAMES + 1])

    @cached_property
    def games(self) -> list[ListedGame]:
        """A page of games, the newest first."""
        rows = Table.objects.filter(pk__in=self._page[:GAMES]).order_by("-pk")
        return [ListedGame.of(row, self.guest) for row in rows.prefetch_related("seats__guest")]

    @property
    def older(self) -> int | None:
        """The `before` of the next page; None at the end."""
        return self._page[GAMES - 1] if len(self._page) > GAMES else None

    @cached_property
    def _finished(self) -> list[tuple[int, float, str]]:
        """Table, share and game of the latest finished games, without games against oneself."""
        rows = self._visible.filter(table__is_over=True, share__isnull=False).order_by("-table")
        found = rows.values_list("table", "share", "table__game")[:COUNTED]
        seats = Counter(number for number, *_ in found)
        return [
            (number, share, game) for number, share, game in found if seats[number] == 1 and share is not None
        ]

    @cached_property
    def results(self) -> list[GameRecord]:
        """The score by game, the most played first."""
        scores: dict[str, Score] = defaultdict(Score)
        for _, share, game in self._finished:
            scores[game].count(share)
        known = sorted(scores.keys() & catalog.names(), key=lambda name: (-scores[name].games, name))
        return [GameRecord(gettext(catalog.describe(name).title), scores[name]) for name in known]

    @cached_property
    def met(self) -> list[Acquaintance]:
        """The most frequent opponents, of those with an account."""
        shares = {number: share for number, share, *_ in self._finished}
        others = Seat.objects.filter(table__in=list(shares), guest__handle__isnull=False)
        scores: dict[int, Score] = defaultdict(Score)
        for table, guest in others.exclude(guest=self.guest).values_list("table", "guest").distinct():
            scores[guest].count(shares[table])
        most = sorted(scores, key=lambda number: (-scores[number].games, number))[:MET]
        guests = Guest.objects.in_bulk(most)
        return [Acquaintance(guests[number], scores[number]) for number in most]

    @cached_property
    def tournaments(self) -> list[Participation]:
        """The latest tournaments that the person took part in."""
        return [each for known in PARTICIPATIONS for each in known(self.guest, TOURNAMENTS)]

    @cached_property
    def ratings(self) -> list[ShownRating]:
        """The person's ratings with their curves, the most played first."""
        known = sorted(selectors.ratings_of(self.guest), key=lambda rating: -rating.games)
        return [ShownRating(rating, curve_of(self.guest, rating.pool)) for rating in known]
