"""Pages about ratings: pools, rankings, a person's history, and an explanation."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.selectors import find_guest
from kakomi.server.ratings import models, presenters, selectors
from kakomi.server.site import clock

ROWS = 50
"""Rows per page."""
_NOBODY = lazy_message("There is no player with this name.")
_NO_POOL = lazy_message("There are no ratings yet.")


@require_safe
def pools(request: HttpRequest) -> HttpResponse:
    """All pools with ratings, by game."""
    return render(request, "ratings/pools.html", {"pools": presenters.pool_views()})


@require_safe
def how(request: HttpRequest) -> HttpResponse:
    """An explanation of ratings, with the ratings of the bots' levels."""
    return render(request, "ratings/how.html", {"rules": presenters.Rules()})


@require_safe
def ranking(request: HttpRequest, game: str, size_class: str, pace: str) -> HttpResponse:
    """A pool's ratings, highest first; with `provisional`, the provisional ones instead."""
    pool = _pool(game, size_class, pace)
    provisional = "provisional" in request.GET
    now = clock.now()
    rows = selectors.ranked(pool, now, provisional=provisional)
    page = Paginator(rows, ROWS).get_page(request.GET.get("page", "")[:9])
    context = {
        "pool": presenters.PoolView(pool),
        "provisional": provisional,
        "page": page,
        "people": [presenters.RankedPerson(row, page.start_index() + i, now) for i, row in enumerate(page)],
        "others": selectors.ranked(pool, now, provisional=not provisional).count(),
    }
    return render(request, "ratings/ranking.html", context)


@require_safe
def history(request: HttpRequest, game: str, size_class: str, pace: str, handle: str) -> HttpResponse:
    """The history of a person's rating, as a curve and as a table of games."""
    pool, guest = _pool(game, size_class, pace), find_guest(handle)
    if guest is None:
        raise Http404(_NOBODY)
    known = selectors.ratings_in(pool, [guest.pk]).get(guest.pk)
    if known is None:
        raise Http404(gettext("{name} has no rating here yet.").format(name=guest))
    page = Paginator(selectors.history_of(guest, pool), ROWS).get_page(request.GET.get("page", "")[:9])
    context = {
        "pool": presenters.PoolView(pool),
        "guest": guest,
        "known": known,
        "page": page,
        "games": presenters.rated_games([entrant.result_id for entrant in page], guest),
        "curve": presenters.curve_of(guest, pool),
    }
    return render(request, "ratings/history.html", context)


def _pool(game: str, size_class: str, pace: str) -> models.Pool:
    pool = selectors.find_pool(game, size_class, pace)
    if pool is None:
        raise Http404(_NO_POOL)
    return pool
