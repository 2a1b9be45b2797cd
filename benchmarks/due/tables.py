"""Thousands of games over days, put into a site's database, and how far the site has come with them."""

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from kakomi import catalog
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.ratings.models import Result
from kakomi.server.rests.models import Rests
from kakomi.server.search.models import Unindexed
from kakomi.server.tables import jobs, models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl

PEOPLE = 200
TURNS = 20
"""Of a game whose time is up; the others have just begun."""
OPENED = 1.7e9
"""When all games were opened, in seconds since the epoch."""
LATER = 1e10
"""A deadline that doesn't come."""
AT_ONCE = 2_000
"""Games that are written at once."""


def fill(open_tables: int, due: int) -> None:
    """Open games, every second of them rated; `due` of them can be made due."""
    people = list(_people())
    long, short = ([_game(people, turns, rated) for rated in (False, True)] for turns in (TURNS, 2))
    for patterns, count in ((long, due), (short, open_tables - due)):
        for start in range(0, count, AT_ONCE):
            _copy(patterns, min(AT_ONCE, count - start), people)
    for row in (*long, *short):
        row.delete()


def _people() -> Iterator[Guest]:
    for number in range(PEOPLE):
        guest = Guest.objects.create(name=f"Player {number}")
        User.objects.create(guest=guest, username=f"due{number}")
        Rests.objects.create(guest=guest, is_automatic=False, told_version=1)
        yield guest


def _game(people: Sequence[Guest], turns: int, is_rated: bool) -> models.Table:
    """A game over days between the first two, of which some turns have been played at random."""
    chance = random.Random(turns)
    config = MatchConfig(catalog.game("rin", size=10))
    control = TimeControl(86400.0, kind="days")
    with clock.time_from(lambda: OPENED), transaction.atomic():  # the site must not see it while it is due
        row = services.begin(config, [Sitter(guest) for guest in people[:2]], control, is_rated=is_rated)
        for turn in range(turns):
            row.refresh_from_db()
            table = services.selectors.table_of(row)
            position, actions = table.match.position, list[str]()
            while not actions or position.turn:
                actions.append(chance.choice(position.legal()))
                position = position.play(actions[-1])
            deed = [("play", action) for action in actions]
            services.add(row.code, deed, seat=turn % 2, base=row.entries, key=f"turn-{turn}")
        models.Table.objects.filter(pk=row.pk).update(due_at=LATER, warn_at=None)
    row.refresh_from_db()
    return row


def _copy(patterns: Sequence[models.Table], count: int, people: Sequence[Guest]) -> None:
    """Write the same games at other tables, between other people."""
    last = models.Table.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    chosen = [patterns[number % len(patterns)] for number in range(count)]
    models.Table.objects.bulk_create(models.Table(**_fields(row)) for row in chosen)
    rows = list(models.Table.objects.filter(pk__gt=last).order_by("pk"))
    logs = {row.pk: list(row.log.values("number", "key", "content")) for row in patterns}
    pairs = [random.sample(people, 2) for _ in rows]
    models.Seat.objects.bulk_create(
        models.Seat(table=row, number=number, guest=guest, name=guest.name, rests_version=1)
        for row, pair in zip(rows, pairs, strict=True)
        for number, guest in enumerate(pair)
    )
    models.Entry.objects.bulk_create(
        models.Entry(table=row, **line)
        for row, pattern in zip(rows, chosen, strict=True)
        for line in logs[pattern.pk]
    )


def _fields(row: models.Table) -> dict[str, Any]:
    fields = {field.attname: getattr(row, field.attname) for field in models.Table._meta.concrete_fields}
    del fields["id"]
    return {**fields, "code": models.new_code(), "due_at": LATER + row.entries, "warn_at": None}


def make_due() -> int:
    """Have the time of all long games be up at once; how many those are."""
    return models.Table.objects.filter(due_at__gt=LATER + TURNS).update(due_at=F("due_at") - LATER)


def left() -> int:
    """How many are still due."""
    return (
        models.Table.objects.filter(due_at__lt=LATER, is_over=False).filter(due_at__lte=clock.now()).count()
    )


def followed_up() -> bool:
    """Whether all that follows from the ends is done, too: ratings, and openings that are kept."""
    return not Result.objects.filter(is_due=True).exists() and not Unindexed.objects.exists()


def wrong() -> int:
    """Long games that did not end by exactly one flag, and rated ones without exactly one result."""
    ended = models.Table.objects.filter(entries__gt=TURNS, is_rated=False, pace="days", is_over=True)
    rated = models.Table.objects.filter(entries__gt=TURNS, is_rated=True, is_over=True)
    flags = models.Entry.objects.filter(key__startswith="flag.").count()
    results = Result.objects.count()
    return abs(flags - ended.count() - rated.count()) + abs(results - rated.count())


def look() -> float:
    """The median time of a look for what is due, in seconds."""
    times = []
    for _ in range(50):
        began = time.perf_counter()
        jobs._due()
        times.append(time.perf_counter() - began)
    return statistics.median(times)
