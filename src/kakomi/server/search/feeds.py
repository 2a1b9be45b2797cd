"""Games that ended lately, as Atom (RFC 4287), for each game: those that are listed, and rated ones."""

import hashlib
import heapq
from datetime import UTC, datetime

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import quote_etag
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from kakomi.server.games import find_description
from kakomi.server.ratings.models import Pool, Result
from kakomi.server.tables.models import Table
from kakomi.server.tables.summaries import ListedGame

MOST = 30
"""Games of a feed."""
KEPT_SECONDS = 60
"""For so long a feed is made once for all who ask; readers are told to ask again after five times as long."""


class _Feed(Atom1Feed):
    """A feed that is the same as long as its games are: one without games isn't new each time."""

    def latest_post_date(self) -> datetime:
        """When the last of its games ended."""
        ended = [item["updateddate"] for item in self.items]
        return max(ended, default=datetime(1970, 1, 1, tzinfo=UTC))


@require_safe
def finished_games(request: HttpRequest, game: str) -> HttpResponse:
    """The feed of a game; 304 for a reader that has it. Raises Http404 for an unknown game."""
    description = find_description(game)
    key = f"feed:{request.get_host()}:{request.scheme}:{get_language()}:{game}"
    text = cache.get(key)
    if text is None:
        text = _feed(request, game, description.title)
        cache.set(key, text, KEPT_SECONDS)
    etag = quote_etag(hashlib.sha256(text.encode()).hexdigest()[:32])
    response = HttpResponse(text, content_type="application/atom+xml; charset=utf-8")
    response["ETag"], response["Cache-Control"] = etag, f"public, max-age={5 * KEPT_SECONDS}"
    return get_conditional_response(request, etag, None, response) or response


def lately_finished(game: str) -> list[Table]:
    """The public games of a kind that ended last, the last first, with seats and who sits there."""
    ended = Table.objects.filter(game=game, is_over=True, ended_at__isnull=False)
    listed = ended.filter(listed_at__isnull=False).order_by("-listed_at", "-pk")
    numbers = set(listed.values_list("pk", flat=True)[:MOST])
    for pool in Pool.objects.filter(game=game):
        results = Result.objects.filter(pool=pool).order_by("-ended_at", "-table")
        numbers.update(results.values_list("table", flat=True)[:MOST])
    rows = ended.filter(pk__in=numbers).prefetch_related("seats__guest")
    return heapq.nlargest(MOST, rows, key=lambda row: (row.ended_at or 0.0, row.pk))


def _feed(request: HttpRequest, game: str, title: str) -> str:
    here = request.build_absolute_uri(reverse("feed", args=[game]))
    feed = _Feed(
        title=gettext("{title}: games that ended lately").format(title=title),
        link=request.build_absolute_uri(f"{reverse('listed_games')}?game={game}"),
        description="",
        feed_url=here,
        language=get_language(),
        author_name="Kakomi",
    )
    for row in lately_finished(game):
        told = ListedGame.of(row)
        address = request.build_absolute_uri(reverse("table", args=[row.code]))
        ended = datetime.fromtimestamp(row.ended_at or 0.0, UTC)
        feed.add_item(
            title=f"{told.names}: {told.result}",
            link=address,
            description=f"{told.title}, {told.board} · {told.length}",
            unique_id=address,
            pubdate=ended,
            updateddate=ended,
        )
    return feed.writeString("utf-8")
