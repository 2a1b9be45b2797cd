"""Queries for ratings, by person, pool or table, and the assignment of games to pools."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from django.db.models import F, QuerySet
from django.utils.translation import pgettext

from kakomi import catalog
from kakomi.contest import FIRST, Rating, Series, anchor
from kakomi.contest.ratings import PROVISIONAL, SHOWN_AFTER, SIGMAS, WIDENING
from kakomi.core import Game
from kakomi.core.description import WHOLE_CLASS
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings import models
from kakomi.server.site import clock
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables import models as tables
from kakomi.session import TimeControl

DAY = 24 * 3600.0
SUSPENDED_DAYS = 14
"""Days for which a player can't begin rated games at a pace, after too many successive time-outs."""


@dataclass(frozen=True)
class PersonRating:
    """A guest's current rating in a pool."""

    guest: Guest
    pool: models.Pool
    rating: Rating
    games: int

    @property
    def is_new(self) -> bool:
        """Whether there are too few games for the rating to be shown."""
        return self.games < SHOWN_AFTER

    @property
    def is_provisional(self) -> bool:
        """Whether there are too few games, or the interval is too wide, for the rating to mean much."""
        return self.is_new or self.rating.is_provisional

    @property
    def words(self) -> str:
        """The rating as players see it: `1523`, `1523?` while provisional, `new` before five games."""
        return shown(self.rating, self.games)


def shown(rating: Rating, games: int = SHOWN_AFTER) -> str:
    """A rating after some games as players see it; bots' levels are never new."""
    if games < SHOWN_AFTER:
        return pgettext("rating", "new")
    return f"{rating.mean:.0f}{'?' if rating.is_provisional else ''}"


def rating_of(
    guest: Guest, game: str, pace: str, size_class: str = WHOLE_CLASS, *, now: float | None = None
) -> PersonRating | None:
    """A guest's rating in a game at a pace; None without a rated result there."""
    rows = models.CurrentRating.objects.filter(
        guest=guest, pool__game=game, pool__pace=pace, pool__size_class=size_class, games__gt=0
    )
    row = rows.select_related("pool").first()
    return None if row is None else _known(row, guest, clock.now() if now is None else now)


def ratings_of(guest: Guest) -> list[PersonRating]:
    """All ratings of a guest, ordered by game."""
    rows = models.CurrentRating.objects.filter(guest=guest, games__gt=0).select_related("pool")
    now = clock.now()
    ordered = rows.order_by("pool__game", "pool__size_class", "pool__pace")
    return [_known(row, guest, now) for row in ordered]


def ratings_in(pool: models.Pool, guests: Iterable[int]) -> dict[int, PersonRating]:
    """Primary key of a guest -> rating in a pool, for guests who have one."""
    rows = pool.ratings.filter(guest__in=list(guests), games__gt=0).select_related("guest")
    now = clock.now()
    return {row.guest_id: _known(row, row.guest, now) for row in rows}


def _known(row: models.CurrentRating, guest: Guest, now: float) -> PersonRating:
    return PersonRating(guest, row.pool, row.standing.rating_at(now), row.games)


def find_pool(game: str, size_class: str, pace: str) -> models.Pool | None:
    """A pool; None if nothing has been rated there."""
    return models.Pool.objects.filter(game=game, size_class=size_class, pace=pace).first()


def ranked(pool: models.Pool, now: float, *, provisional: bool) -> "QuerySet[models.CurrentRating]":
    """A pool's provisional ratings, or its other ones, highest first; without those of too few games.

    Ratings become provisional with time, so the result depends on `now`.
    """
    limit = (PROVISIONAL / SIGMAS) ** 2
    rows = pool.ratings.filter(games__gte=SHOWN_AFTER, guest__is_erased=False).annotate(
        variance=F("sigma") * F("sigma") + WIDENING / DAY * (now - F("at"))
    )
    chosen = rows.filter(variance__gt=limit) if provisional else rows.filter(variance__lte=limit)
    return chosen.select_related("guest").order_by("-mean", "guest_id")


def result_of(row: tables.Table) -> models.Result | None:
    """The ledger's result of a table; None if there is none."""
    return models.Result.objects.filter(table=row).select_related("pool").first()


def entrants_of(result: models.Result) -> list[models.Entrant]:
    """A result's entrants by seat, with their changes if the result has been rated."""
    return list(result.entrants.select_related("guest", "change").order_by("seat"))


def history_of(guest: Guest, pool: models.Pool) -> "QuerySet[models.Entrant]":
    """A guest's rated entries in a pool, latest first."""
    rows = models.Entrant.objects.filter(guest=guest, result__pool=pool, change__isnull=False)
    return rows.select_related("change", "result__table").order_by("-result__ended_at", "-result__table")


def is_suspended(guest: int, pace: str) -> bool:
    """Whether a guest can't begin rated games at a pace, because of recent successive time-outs."""
    if pace not in SERIES:
        return False
    return _series(guest, pace).exists()


def suspensions_of(guest: Guest) -> list[models.CurrentRating]:
    """A guest's ratings in which successive time-outs suspend them now."""
    return [row for pace in SERIES for row in _series(guest.pk, pace).select_related("pool").order_by("pk")]


def suspended_until(rating: models.CurrentRating) -> float:
    """When a suspension ends, in seconds since the epoch."""
    return (rating.at or 0.0) + SUSPENDED_DAYS * DAY


def _series(guest: int, pace: str) -> "QuerySet[models.CurrentRating]":
    """A guest's ratings at a pace with too many successive time-outs, the last one recent."""
    since = clock.now() - SUSPENDED_DAYS * DAY
    rows = models.CurrentRating.objects.filter(guest=guest, pool__pace=pace)
    return rows.filter(time_outs__gt=SERIES[pace].counted, at__gt=since)


Key = int | str
"""An entrant's key: a guest's primary key, or a bot's level."""
SERIES: Mapping[str, Series] = {"days": Series()}
"""Pace -> rule for successive time-outs. In live games every time-out counts."""

_POOL = PreparedQuery(
    lambda game, size_class, pace: (
        models.Pool.objects.filter(game=game).filter(size_class=size_class).filter(pace=pace)
    )
)


def pool_of(game: Game, control: TimeControl) -> models.Pool | None:
    """Get or create the pool of a game; None if its board size isn't rated."""
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
    """Level -> fixed rating of that bot. A level that wasn't measured has the first rating of a person."""
    description = catalog.describe(game)
    ladder = catalog.game(game, **description.ladder_options)
    is_measured = description.size_class(ladder.options) == size_class
    return {
        str(number): FIRST if level.elo is None else anchor(level.elo, is_measured=is_measured)
        for number, level in enumerate(description.levels, 1)
    }
