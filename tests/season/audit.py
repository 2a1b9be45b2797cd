"""The audit of the database after a season."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kakomi.server.lobby.models import Seek, SeekGame
from kakomi.server.notices.models import Delivery, Notice
from kakomi.server.plans.models import Plan
from kakomi.server.ratings import ledger
from kakomi.server.ratings.models import Change, CurrentRating, Pool, Result
from kakomi.server.site import clock
from kakomi.server.tables import models
from season import mail_audit, moderation_audit, tournament_audit, turn_mail_audit
from season.table_audit import Known, Span, figures_of_table, replayed, wrong_of_table

CHUNK = 100
"""Tables fetched at a time."""


def audit(done: str, mails: str, outages: list[Span], late: float, interruptions: int) -> dict[str, Any]:
    """All findings, one sentence each, and figures of what was audited.

    `done` is the file of actions that the site confirmed, `mails` the file of mails that it sent. `outages`
    are the times when nobody could act, and `late` is how many seconds late a due task may be.
    `interruptions` is the number of interrupted commands, each of which may have sent a mail twice.
    """
    spans = [(first, last) for first, last in outages]
    known = Known.looked_up(Path(done), spans, late)
    turns = turn_mail_audit.TurnMails.looked_up(Path(mails), spans)
    findings, figures = [], Counter[str]()
    for row in models.Table.objects.prefetch_related("log", "seats").iterator(CHUNK):
        table = replayed(row)
        findings += [*wrong_of_table(row, table, known), *turns.lost(row, table)]
        figures.update(figures_of_table(row, table))
    parts = (
        known.lost(),
        _seeks(),
        _ratings(),
        _deliveries(),
        mail_audit.findings(Path(done), Path(mails), interruptions),
        tournament_audit.findings(Path(done), late),
        moderation_audit.findings(Path(done)),
    )
    findings += [finding for part in parts for finding in part]
    others = (_other_figures, tournament_audit.figures, moderation_audit.figures)
    for count in others:
        figures.update(count())
    figures.update({"turn mails": turns.count, **mail_audit.figures(Path(done), Path(mails))})
    return {"findings": findings, "figures": dict(figures)}


def _seeks() -> Iterator[str]:
    """Yield seeks that started too many games or none, and tables started by several seeks."""
    games = Counter(SeekGame.objects.values_list("seek", flat=True))
    tables = Counter(SeekGame.objects.values_list("table", flat=True))
    for seek in Seek.objects.all():
        most = seek.times if seek.ending == Seek.Ending.STARTED or seek.is_open else seek.round - 1
        if games[seek.pk] > most or (seek.ending == Seek.Ending.STARTED and not games[seek.pk]):
            yield f"seek {seek.code}, {seek.ending}, became {games[seek.pk]} games"
    yield from (f"table {table} came of {count} seeks" for table, count in tables.items() if count > 1)


def _ratings() -> Iterator[str]:
    """Check that recomputing all ratings from the first result changes nothing."""

    before = _rated()
    Change.objects.all().delete()
    CurrentRating.objects.all().delete()
    Result.objects.update(is_due=True)
    if _rated() != before:
        yield "the ratings are others when they are worked out again from the first result"


def _rated() -> list[tuple[Any, ...]]:
    """All ratings and rating changes after every result has been processed."""
    for pool in Pool.objects.all():
        ledger.rate_pool(pool.pk)
    rows = CurrentRating.objects.order_by("pool", "guest").values_list()
    changes = Change.objects.order_by("pk").values_list()
    return [*changes, *(row[1:] for row in rows)]


def _deliveries() -> Iterator[str]:
    """Yield duplicate notices and overdue deliveries."""
    twice = [key for key, count in Counter(Notice.objects.values_list("key", flat=True)).items() if count > 1]
    yield from (f"the notice {key} is there twice" for key in twice)
    for delivery in Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lt=clock.now() - 3600):
        yield f"{delivery} has been waiting since {delivery.due_at}"


def _other_figures() -> dict[str, int]:
    return {
        "plans armed": Plan.objects.filter(is_armed=True).count(),
        "rated results": Result.objects.count(),
        "notices": Notice.objects.count(),
        "deliveries": Delivery.objects.count(),
    }


COMMANDS: dict[str, Callable[..., Any]] = {"audit": audit}
