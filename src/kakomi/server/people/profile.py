"""What a page about a person shows: games and results, opponents, and ratings with their curves.

Others see the games that are rated, listed or of a tournament, which are public; people themselves see all of
theirs.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.games import board_label
from kakomi.server.ratings import selectors
from kakomi.server.ratings import selectors as ratings
from kakomi.server.ratings.presenters import PoolView
from kakomi.server.ratings.selectors import PersonRating
from kakomi.server.tables.models import Seat, Table
from kakomi.server.tables.summaries import ListedGame

GAMES = 24
"""Of a page."""
COUNTED = 2_000
"""Finished games that are counted, the last ones."""
TOURNAMENTS = 10
"""That are named, the last ones."""
MET = 12
"""People who are named, those met most often."""


@dataclass
class Score:
    """How games ended for somebody."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    def count(self, share: float) -> None:
        """Add a game by its share of the win: 1, 0, or something between for a win that was shared."""
        if share == 1:
            self.won += 1
        elif share == 0:
            self.lost += 1
        else:
            self.drawn += 1


@dataclass(frozen=True)
class BoardScore:
    """The score on one board of a game."""

    title: str
    board: str
    score: Score


@dataclass(frozen=True)
class Acquaintance:
    """Somebody whom the person has played, with the person's score in these games."""

    guest: Guest
    score: Score


@dataclass(frozen=True)
class Participation:
    """A tournament that has begun, and how far the person came in it."""

    name: str
    address: str
    began_at: float
    result: str


PARTICIPATIONS: list[Callable[[Guest, int], list[Participation]]] = []
"""What other apps know of a person's last contests, so many at most."""


MOST_POINTS = 200
"""Of a curve: the last results."""


WIDTH, HEIGHT = 300.0, 80.0


@dataclass(frozen=True)
class RatingCurve:
    """A rating with what it was after each of its results, the first one first."""

    rating: PersonRating
    means: tuple[float, ...]

    @staticmethod
    def of(rating: PersonRating) -> "RatingCurve":
        """The curve of a rating as it is known now."""
        history = selectors.history_of(rating.guest, rating.pool)[:MOST_POINTS]
        return RatingCurve(rating, tuple(entrant.change.mean_after for entrant in history)[::-1])

    @property
    def pool(self) -> PoolView:
        """What it is a rating in."""
        return PoolView(self.rating.pool)

    @property
    def words(self) -> str:
        """The rating with its band: `1,540 ± 80`."""
        return f"{self.rating.mean:.0f} ± {self.rating.reach:.0f}"

    @property
    def lowest(self) -> int:
        """The lowest value of the curve, in points."""
        return round(min(self.means))

    @property
    def highest(self) -> int:
        """The highest value of the curve, in points."""
        return round(max(self.means))

    @cached_property
    def points(self) -> str:
        """The corners of the curve as SVG has them, in a box of 300 by 80."""
        low, high = min(self.means), max(self.means)
        across, up = WIDTH / max(1, len(self.means) - 1), (HEIGHT - 8) / ((high - low) or 1.0)
        heights = (HEIGHT - 4 - (mean - low) * up for mean in self.means)
        return " ".join(f"{number * across:.1f},{height:.1f}" for number, height in enumerate(heights))


@dataclass(frozen=True)
class Profile:
    """A person as a viewer may see them."""

    guest: Guest
    is_own: bool
    before: int | None = None
    """The list of games goes on after the table of this number."""

    @property
    def _visible(self) -> "QuerySet[Seat]":
        """The person's seats at games that the viewer may know of."""
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
        """A page of games, the one that was opened last first."""
        rows = Table.objects.filter(pk__in=self._page[:GAMES]).order_by("-pk")
        return [ListedGame.of(row) for row in rows.prefetch_related("seats__guest")]

    @property
    def older(self) -> int | None:
        """The number of the table after which the list goes on; None at its end."""
        return self._page[GAMES - 1] if len(self._page) > GAMES else None

    @cached_property
    def _finished(self) -> list[tuple[int, float, str, dict[str, int]]]:
        """Table, share, game and options of the last finished games. Who plays both sides has no result."""
        rows = self._visible.filter(table__is_over=True, share__isnull=False).order_by("-table")
        terms = F("table__begun__terms__options")
        found = rows.values_list("table", "share", "table__game", terms)[:COUNTED]
        seats = Counter(number for number, *_ in found)
        return [row for row in found if seats[row[0]] == 1]

    @cached_property
    def results(self) -> list[BoardScore]:
        """The score by game and board, the most played board of each game first."""
        scores: dict[tuple[str, int | None, int | None], Score] = defaultdict(Score)
        for _, share, game, options in self._finished:
            scores[game, options.get("size"), options.get("players")].count(share)
        order = {name: place for place, name in enumerate(catalog.names())}
        known = [item for item in scores.items() if item[0][0] in order]
        known.sort(key=lambda item: (order[item[0][0]], -item[1].games))
        return [_board_score(*board, score) for board, score in known]

    @cached_property
    def met(self) -> list[Acquaintance]:
        """The people whom they have played most often, of those who have a page of their own."""
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
        """The last tournaments that they took part in."""
        return [each for known in PARTICIPATIONS for each in known(self.guest, TOURNAMENTS)]

    @cached_property
    def ratings(self) -> list[RatingCurve]:
        """Their ratings, each with the way it came about."""
        return [RatingCurve.of(rating) for rating in ratings.ratings_of(self.guest)]


def _board_score(name: str, size: int | None, players: int | None, score: Score) -> BoardScore:
    options = {option: value for option, value in (("size", size), ("players", players)) if value is not None}
    game = catalog.game(name, **options)
    return BoardScore(gettext(game.description.title), board_label(game), score)
