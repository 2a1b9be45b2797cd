"""Queries for ratings (somebody's, a pool's, a table's), and what is rated together in a pool."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from django.db.models import F, QuerySet

from kakomi import catalog
from kakomi.contest import FIRST, Rating, Series, anchor
from kakomi.contest.ratings import PROVISIONAL, SIGMAS, WIDENING
from kakomi.core import Game
from kakomi.core.description import WHOLE_CLASS
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.django_private import PreparedQuery
from kakomi.server.ratings import models
from kakomi.server.tables import models as tables
from kakomi.session import TimeControl

DAY = 24 * 3600.0
SUSPENDED_DAYS = 14
"""So long after more time-outs in succession than count, nobody begins rated games at that pace."""


@dataclass(frozen=True)
class PersonRating:
    """A guest's rating in a pool, as it is known now."""

    guest: Guest
    pool: models.Pool
    rating: Rating
    games: int

    @property
    def mean(self) -> float:
        """In points."""
        return self.rating.mean

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.rating.low

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.rating.high

    @property
    def reach(self) -> float:
        """How far the 95 % interval reaches to either side."""
        return self.rating.reach

    @property
    def is_provisional(self) -> bool:
        """Whether the interval is still too wide to mean something."""
        return self.rating.is_provisional


def rating_of(
    guest: Guest, game: str, pace: str, size_class: str = WHOLE_CLASS, *, now: float | None = None
) -> PersonRating | None:
    """The rating of a guest in a game at a pace; None for who has no rated result there."""
    rows = models.CurrentRating.objects.filter(
        guest=guest, pool__game=game, pool__pace=pace, pool__size_class=size_class, games__gt=0
    )
    row = rows.select_related("pool").first()
    return None if row is None else _known(row, guest, clock.now() if now is None else now)


def ratings_of(guest: Guest) -> list[PersonRating]:
    """All ratings of a guest, by game."""
    rows = models.CurrentRating.objects.filter(guest=guest, games__gt=0).select_related("pool")
    now = clock.now()
    ordered = rows.order_by("pool__game", "pool__size_class", "pool__pace")
    return [_known(row, guest, now) for row in ordered]


def ratings_in(pool: models.Pool, guests: Iterable[int]) -> dict[int, PersonRating]:
    """The ratings of some guests in a pool, by their numbers."""
    rows = pool.ratings.filter(guest__in=list(guests), games__gt=0).select_related("guest")
    now = clock.now()
    return {row.guest_id: _known(row, row.guest, now) for row in rows}


def _known(row: models.CurrentRating, guest: Guest, now: float) -> PersonRating:
    return PersonRating(guest, row.pool, row.standing.rating_at(now), row.games)


def find_pool(game: str, size_class: str, pace: str) -> models.Pool | None:
    """A pool; None if nothing has been rated there."""
    return models.Pool.objects.filter(game=game, size_class=size_class, pace=pace).first()


def ranked(pool: models.Pool, now: float, *, provisional: bool) -> "QuerySet[models.CurrentRating]":
    """The ratings of a pool that are provisional, or those that are not, the highest first.

    Time makes a rating provisional too, so which are depends on the moment.
    """
    limit = (PROVISIONAL / SIGMAS) ** 2
    rows = pool.ratings.filter(games__gt=0, guest__is_erased=False).annotate(
        variance=F("sigma") * F("sigma") + WIDENING / DAY * (now - F("at"))
    )
    chosen = rows.filter(variance__gt=limit) if provisional else rows.filter(variance__lte=limit)
    return chosen.select_related("guest").order_by("-mean", "guest_id")


def result_of(row: tables.Table) -> models.Result | None:
    """The line of the ledger for a table; None if there is none."""
    return models.Result.objects.filter(table=row).select_related("pool").first()


def entrants_of(result: models.Result) -> list[models.Entrant]:
    """The entrants of a result by seat, with what it meant for them if it has been taken in."""
    return list(result.entrants.select_related("guest", "change").order_by("seat"))


def history_of(guest: Guest, pool: models.Pool) -> "QuerySet[models.Entrant]":
    """All that a guest has played in a pool and that has been taken in, the last first."""
    rows = models.Entrant.objects.filter(guest=guest, result__pool=pool, change__isnull=False)
    return rows.select_related("change", "result__table").order_by("-result__ended_at", "-result__table")


def is_suspended(guest: int, pace: str) -> bool:
    """Whether a guest begins no rated games at a pace: a series of time-outs is running, and not long ago."""
    if pace not in SERIES:
        return False
    return _series(guest, pace).exists()


def suspensions_of(guest: Guest) -> list[models.CurrentRating]:
    """The ratings of a guest whose series of time-outs keep them from rated games now."""
    return [row for pace in SERIES for row in _series(guest.pk, pace).select_related("pool").order_by("pk")]


def suspended_until(rating: models.CurrentRating) -> float:
    """When a series of time-outs keeps nobody from rated games any more, in seconds since the epoch."""
    return (rating.at or 0.0) + SUSPENDED_DAYS * DAY


def _series(guest: int, pace: str) -> "QuerySet[models.CurrentRating]":
    """The ratings at a pace in which a series of time-outs runs that is longer than counts, and not old."""
    since = clock.now() - SUSPENDED_DAYS * DAY
    rows = models.CurrentRating.objects.filter(guest=guest, pool__pace=pace)
    return rows.filter(time_outs__gt=SERIES[pace].counted, at__gt=since)


Key = int | str
"""Of an entrant: a guest's number, or a bot's level."""
SERIES: Mapping[str, Series] = {"days": Series()}
"""The rule for time-outs in succession, by pace. In live games each counts."""

_POOL = PreparedQuery(
    lambda game, size_class, pace: (
        models.Pool.objects.filter(game=game).filter(size_class=size_class).filter(pace=pace)
    )
)


def pool_of(game: Game, control: TimeControl) -> models.Pool | None:
    """The pool of a game, made if there is none yet; None if it has no class of boards that are rated."""
    size_class = game.description.size_class(game.options)
    if size_class is None:
        return None
    known = _POOL.first(game.name, size_class, control.pace)
    return (
        known
        or models.Pool.objects.get_or_create(game=game.name, size_class=size_class, pace=control.pace)[0]
    )


@cache
def levels_of(game: str, size_class: str) -> Mapping[Key, Rating]:
    """The ratings of the levels of bots, which never change. One that was not measured says nothing."""
    description = catalog.describe(game)
    ladder = catalog.game(game, **description.ladder_options)
    is_measured = description.size_class(ladder.options) == size_class
    return {
        str(number): FIRST if level.elo is None else anchor(level.elo, is_measured=is_measured)
        for number, level in enumerate(description.levels, 1)
    }
