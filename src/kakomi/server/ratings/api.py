"""The ratings API: the ratings of a pool, and of a person."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Path, Query, Router, Schema

from kakomi.server.accounts.auth import anyone
from kakomi.server.accounts.selectors import find_guest
from kakomi.server.ratings import models, selectors
from kakomi.server.site import clock
from kakomi.server.site.api import answers

router = Router(tags=["ratings"])
MOST = 100
"""Ratings per response."""

Name = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9_]+$")]
Handle = Annotated[str, Path(max_length=30)]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="leave out so many")]


class PoolOut(Schema):
    """A pool of games that are rated together."""

    game: str
    size_class: str
    pace: str


class RatingOut(Schema):
    """A rating in points. `low` and `high` end its current 95 % interval. It is provisional before
    five games and while the interval is wide."""

    pool: PoolOut
    handle: str | None
    mean: float
    low: float
    high: float
    is_provisional: bool
    games: int


class RatingsOut(Schema):
    """A list of ratings."""

    ratings: list[RatingOut]


@router.get(
    "/{game}/{size_class}/{pace}", auth=anyone("read"), response=answers(RatingsOut), url_name="ranking"
)
def ranking(
    request: HttpRequest,
    game: Name,
    size_class: Name,
    pace: Name,
    after: Offset = 0,
    provisional: bool = False,
) -> RatingsOut:
    """A pool's ratings, highest first, at most 100; the provisional ones instead if `provisional` is true."""
    pool = selectors.find_pool(game, size_class, pace)
    if pool is None:
        raise Http404("nothing has been rated there yet")
    now = clock.now()
    rows = selectors.ranked(pool, now, provisional=provisional)[after : after + MOST]
    return RatingsOut(ratings=[_current(row, pool, now) for row in rows])


@router.get("/@{handle}", auth=anyone("read"), response=answers(RatingsOut), url_name="ratings_of")
def ratings_of(request: HttpRequest, handle: Handle) -> RatingsOut:
    """All ratings of a person."""
    guest = find_guest(handle)
    if guest is None:
        raise Http404("nobody has this name")
    return RatingsOut(ratings=[_known(known) for known in selectors.ratings_of(guest)])


def _current(row: models.CurrentRating, pool: models.Pool, now: float) -> RatingOut:
    rating = row.standing.rating_at(now)
    return _known(selectors.PersonRating(row.guest, pool, rating, row.games))


def _known(known: selectors.PersonRating) -> RatingOut:
    pool = PoolOut(game=known.pool.game, size_class=known.pool.size_class, pace=known.pool.pace)
    return RatingOut(
        pool=pool,
        handle=known.guest.handle,
        mean=known.rating.mean,
        low=known.rating.low,
        high=known.rating.high,
        is_provisional=known.is_provisional,
        games=known.games,
    )
