"""Public lists of games and studies: pages of rows, the newest first, without counts or page numbers.

A page is requested by a cursor after its predecessor's last row, not by an offset, so that the thousandth
page costs no more than the first, and nothing is shown twice if something is listed in the meantime.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, Protocol, TypeVar

from django.db import models
from django.db.models import F, Q
from django.http import Http404, HttpRequest
from django.urls import reverse

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.boards.sharing import LinkPreview
from kakomi.server.site.games import find_description

MOST = 24
"""The most rows of a page."""
_CURSOR = re.compile(r"(\d{1,17})-(\d{1,18})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


class Listed(Protocol):
    """A row that can be publicly listed."""

    pk: int
    game: str
    listed_at: datetime | None


Row = TypeVar("Row", bound=models.Model)


def listed_indexes(app: str) -> tuple[models.Index, ...]:
    """The indexes for a model's lists, of all games and of a single one."""
    listed = Q(listed_at__isnull=False)
    return (
        models.Index(fields=("-listed_at", "-id"), condition=listed, name=f"{app}_listed"),
        models.Index(fields=("game", "-listed_at", "-id"), condition=listed, name=f"{app}_listed_of_game"),
    )


@dataclass(frozen=True)
class Cursor:
    """A place in a list: after the row with this time and primary key."""

    at: datetime
    pk: int

    @staticmethod
    def of(row: Listed) -> "Cursor":
        """The place after a row."""
        assert row.listed_at is not None
        return Cursor(row.listed_at, row.pk)

    @staticmethod
    def parse(text: str) -> "Cursor":
        """Parse a cursor from a URL. Raises Http404 for other texts."""
        found = _CURSOR.fullmatch(text)
        if found is None:
            raise Http404(lazy_message("There is no such page in this list. Go back to the first one."))
        return Cursor(_EPOCH + int(found[1]) * _TICK, int(found[2]))

    def __str__(self) -> str:
        return f"{(self.at - _EPOCH) // _TICK}-{self.pk}"


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list, the newest first."""

    rows: Sequence[Row]
    older: Cursor | None
    """The cursor of the next page; None at the end."""


@dataclass(frozen=True)
class ListQuery:
    """A request for a page of a list: of which game, and from which place."""

    game: str = ""
    before: Cursor | None = None

    @staticmethod
    def of(asked: Mapping[str, str]) -> "ListQuery":
        """Parse a URL's query. Raises Http404 for an unknown game or an invalid place."""
        game, before = asked.get("game", ""), asked.get("before", "")
        if game:
            find_description(game)
        return ListQuery(game, Cursor.parse(before) if before else None)

    def page(self, rows: "models.QuerySet[Row]") -> Page[Row]:
        """The page of the listed rows among `rows`."""
        chosen = rows.filter(listed_at__isnull=False).order_by(F("listed_at").desc(), F("pk").desc())
        if self.game:
            chosen = chosen.filter(game=self.game)
        if place := self.before:
            earlier = Q(listed_at__lt=place.at) | Q(pk__lt=place.pk)
            chosen = chosen.filter(earlier, listed_at__lte=place.at)
        found = list(chosen[: MOST + 1])
        has_more = len(found) > MOST
        return Page(found[:MOST], Cursor.of(found[MOST - 1]) if has_more else None)  # type: ignore[arg-type]


def list_context(query: ListQuery, address: str, page: Page[Row]) -> dict[str, object]:
    """The template context of a list, without its rows."""
    chosen = catalog.describe(query.game) if query.game else None
    return {
        "games": [catalog.describe(name) for name in catalog.names()],
        "chosen": chosen,
        "older": page.older,
        "is_first": query.before is None,
        "address": reverse(address),
    }


def list_preview(request: HttpRequest, title: str, description: str, image: str) -> LinkPreview:
    """The link preview of a list; `image` is the URL of a PNG, empty for none."""
    return LinkPreview(
        title=title,
        description=description,
        url=request.build_absolute_uri(request.path),
        image=request.build_absolute_uri(image) if image else "",
        alt=title,
    )
