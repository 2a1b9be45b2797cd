"""Public lists of games and of studies: pages of the newest, with no count and no page number.

A page is asked for by the place of its predecessor's last row, not by a number of rows to skip, so that the
thousandth page costs what the first does, and nothing is shown twice when something new is listed meanwhile.
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
from kakomi.server.games import find_description
from kakomi.server.sharing import LinkPreview

MOST = 24
"""Rows of a page."""
LONGEST_CURSOR = 40
_CURSOR = re.compile(r"(\d{1,17})-(\d{1,18})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


class Listed(Protocol):
    """A row that people may have listed."""

    pk: int
    game: str
    listed_at: datetime | None


Row = TypeVar("Row", bound=models.Model)


def listed_indexes(app: str) -> tuple[models.Index, ...]:
    """The indexes that a model's lists are read from: of all games, and of one."""
    listed = Q(listed_at__isnull=False)
    return (
        models.Index(fields=("-listed_at", "-id"), condition=listed, name=f"{app}_listed"),
        models.Index(fields=("game", "-listed_at", "-id"), condition=listed, name=f"{app}_listed_of_game"),
    )


@dataclass(frozen=True)
class Cursor:
    """A place in a list: after a row that was listed at a moment."""

    at: datetime
    pk: int

    @staticmethod
    def of(row: Listed) -> "Cursor":
        """The place after a row."""
        assert row.listed_at is not None
        return Cursor(row.listed_at, row.pk)

    @staticmethod
    def parse(text: str) -> "Cursor":
        """A place from an address. Raises Http404 if it isn't one."""
        found = _CURSOR.fullmatch(text)
        if found is None:
            raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
        return Cursor(_EPOCH + int(found[1]) * _TICK, int(found[2]))

    def __str__(self) -> str:
        return f"{(self.at - _EPOCH) // _TICK}-{self.pk}"


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list, the newest first."""

    rows: Sequence[Row]
    older: Cursor | None
    """The place where the list goes on; None at its end."""


@dataclass(frozen=True)
class ListQuery:
    """What is asked of a list: of which game, and from which place on."""

    game: str = ""
    before: Cursor | None = None

    @staticmethod
    def of(asked: Mapping[str, str]) -> "ListQuery":
        """The query of an address. Raises Http404 for a game or a place that there is not."""
        game, before = asked.get("game", ""), asked.get("before", "")
        if game:
            find_description(game)
        return ListQuery(game, Cursor.parse(before) if before else None)

    def page(self, rows: "models.QuerySet[Row]") -> Page[Row]:
        """The page of all rows that are in the list."""
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
    """What the template of a list needs beside its rows."""
    chosen = catalog.describe(query.game) if query.game else None
    return {
        "games": [catalog.describe(name) for name in catalog.names()],
        "chosen": chosen,
        "older": page.older,
        "is_first": query.before is None,
        "address": reverse(address),
    }


def list_preview(request: HttpRequest, title: str, description: str, image: str) -> LinkPreview:
    """What a link to a list says; `image` is the address of a PNG, empty for none."""
    return LinkPreview(
        title=title,
        description=description,
        url=request.build_absolute_uri(request.path),
        image=request.build_absolute_uri(image) if image else "",
        alt=title,
    )
