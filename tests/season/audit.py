"""What must be true after a season, looked up in the database."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kakomi.server import clock
from kakomi.server.lobby.models import Seek, SeekGame
from kakomi.server.notices.models import Delivery, Notice
from kakomi.server.plans.models import Plan
from kakomi.server.ratings import ledger
from kakomi.server.ratings.models import Change, CurrentRating, Pool, Result
from kakomi.server.tables import models
from kakomi.session import Entry, Table
from season.course import acts_done
from season.reckoning import flags_too_early

Span = tuple[float, float]
TOLD = 20
"""Entries of a log that a finding tells."""
CHUNK = 100
"""Tables that are looked at together."""


def audit(done: str, outages: list[Span], late: float) -> dict[str, Any]:
    """All findings, each a sentence, and what was looked at.

    `done` is the file of the acts that the site has said are done, `outages` when nobody could act, and
    `late` is by how many seconds something may be late that falls due.
    """
    known = _Known.looked_up(done, [(first, last) for first, last in outages], late)
    findings, figures = [], Counter[str]()
    for row in models.Table.objects.prefetch_related("log", "seats").iterator(CHUNK):
        table = _replayed(row)
        findings += _of_table(row, table, known)
        figures.update(_figures_of(row, table))
    findings += [*known.lost(), *_seeks(), *_ratings(), *_deliveries()]
    return {"findings": findings, "figures": {**figures, **_other_figures()}}


@dataclass(frozen=True)
class _Known:
    """What is known of tables beside their rows and logs."""

    acts: dict[str, set[str]]
    """Table -> the keys of the acts there that were said to be done. A table that was looked at is gone."""
    armed: dict[int, list[int]]
    """Table -> for each armed plan how much of the log it has followed."""
    results: Counter[int]
    """Table -> how often it is in the ledger."""
    outages: list[Span]
    late: float

    @staticmethod
    def looked_up(done: str, outages: list[Span], late: float) -> "_Known":
        acts, armed = defaultdict[str, set[str]](set), defaultdict[int, list[int]](list)
        for act in acts_done(Path(done)):
            acts[act["code"]].add(f"{act['key']}:0")
        for table, entries in Plan.objects.filter(is_armed=True).values_list("table", "entries"):
            armed[table].append(entries)
        results = Counter(Result.objects.values_list("table", flat=True))
        return _Known(acts, armed, results, outages, late)

    def lost(self) -> Iterator[str]:
        """Acts at tables that are not there."""
        yield from (f"{len(keys)} acts at {code}, which is not there" for code, keys in self.acts.items())


def _of_table(row: models.Table, table: Table, known: _Known) -> Iterator[str]:
    yield from _lost(row, known.acts.pop(row.code, set()))
    yield from _differences(row, table)
    yield from (f"{found}: {_end_of(table)}" for found in flags_too_early(row.code, table, known.outages))
    yield from _overdue(row, known.late)
    yield from _answers(row)
    yield from (found for entries in known.armed[row.pk] for found in _plan(row, table, entries))
    expected = int(row.is_rated and _has_result(table))
    if known.results[row.pk] != expected:
        yield f"{row.code} is {known.results[row.pk]} times in the ledger, and should be {expected}"


def _replayed(row: models.Table) -> Table:
    table = Table.from_json(row.begun)
    for entry in row.log.all():
        table = table.apply(Entry.from_json(entry.content))
    return table


def _lost(row: models.Table, acts: set[str]) -> Iterator[str]:
    """Acts that were said to be done and are not there, or are there more than once."""
    keys = Counter(entry.key for entry in row.log.all())
    yield from (f"{key} at {row.code} is there {keys[key]} times" for key in acts if keys[key] != 1)


def _differences(row: models.Table, table: Table) -> Iterator[str]:
    """Whatever a table's row, or its log, says otherwise than the log played again."""
    log = list(row.log.all())
    if [entry.number for entry in log] != list(range(1, row.entries + 1)):
        yield f"the log of {row.code} has gaps"
    if [entry.content for entry in log] != [entry.to_json() for entry in table.history]:
        yield f"the log of {row.code} plays otherwise than it was written"
    kept = (row.is_over, row.to_act, row.ended_at)
    if kept != (table.is_over, table.to_act, table.at if table.is_over else None):
        yield f"the row of {row.code} says {kept}"
    shares = [seat.share for seat in row.seats.all()]
    has_bot = any(leaver.has_bot for game in table.match.games for leaver in game.leavers)
    if _has_result(table) and not has_bot and abs(sum(share or 0.0 for share in shares) - 1) > 1e-9:
        yield f"the shares of {row.code} are {shares}"


def _end_of(table: Table) -> str:
    """The last entries of a log, in short."""
    return "; ".join(
        f"{entry.at:.0f} {entry.seat} {entry.kind} {str(entry.value)[:60]}" for entry in table.history[-TOLD:]
    )


def _has_result(table: Table) -> bool:
    """Whether a match is over and was not broken off."""
    return table.ending is not None and bool(table.ending.winners)


def _answers(row: models.Table) -> Iterator[str]:
    """Answers of plans that were entered later than what they answer, or by nobody's plan."""
    last = None
    for entry in row.log.all():
        at = entry.content["at"]
        if entry.key.startswith("plan:") and at != last:
            yield f"{entry.key} at {row.code} was entered at {at}, and answers what was done at {last}"
        last = at


def _plan(row: models.Table, table: Table, entries: int) -> Iterator[str]:
    """An armed plan although what it was made for is over, or somebody is asked something."""
    if entries != table.entries:
        yield f"a plan at {row.code} is armed, but was last followed at entry {entries}"
    if table.is_over or (table.offer and table.offer.kind not in ("pause", "resume")):
        yield f"a plan at {row.code} is armed, but the game is over or somebody is asked for it"


def _overdue(row: models.Table, late: float) -> Iterator[str]:
    if row.due_at is not None and not row.is_over and row.due_at < clock.now() - late:
        yield f"{row.code} has been due for {clock.now() - row.due_at:.0f} s"


def _seeks() -> Iterator[str]:
    """Seeks that became more or other games than they may."""
    games = Counter(SeekGame.objects.values_list("seek", flat=True))
    tables = Counter(SeekGame.objects.values_list("table", flat=True))
    for seek in Seek.objects.all():
        most = seek.times if seek.ending == Seek.Ending.STARTED or seek.is_open else seek.round - 1
        if games[seek.pk] > most or (seek.ending == Seek.Ending.STARTED and not games[seek.pk]):
            yield f"seek {seek.code}, {seek.ending}, became {games[seek.pk]} games"
    yield from (f"table {table} came of {count} seeks" for table, count in tables.items() if count > 1)


def _ratings() -> Iterator[str]:
    """Ratings that differ once all of them are worked out again from the first result."""

    before = _rated()
    Change.objects.all().delete()
    CurrentRating.objects.all().delete()
    Result.objects.update(is_due=True)
    if _rated() != before:
        yield "the ratings are others when they are worked out again from the first result"


def _rated() -> list[tuple[Any, ...]]:
    """All that is known once every result is taken in."""
    for pool in Pool.objects.all():
        ledger.rate_pool(pool.pk)
    rows = CurrentRating.objects.order_by("pool", "guest").values_list()
    changes = Change.objects.order_by("pk").values_list()
    return [*changes, *(row[1:] for row in rows)]


def _deliveries() -> Iterator[str]:
    """Notices and mails that are there twice, or are still waiting."""
    twice = [key for key, count in Counter(Notice.objects.values_list("key", flat=True)).items() if count > 1]
    yield from (f"the notice {key} is there twice" for key in twice)
    for delivery in Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lt=clock.now() - 3600):
        yield f"{delivery} has been waiting since {delivery.due_at}"


def _figures_of(row: models.Table, table: Table) -> Counter[str]:
    kinds = Counter(entry.kind for entry in table.history)
    answers = sum(entry.key.startswith("plan:") and entry.key.endswith(":0") for entry in row.log.all())
    return Counter(
        {
            "tables": 1,
            "of three or more": int(len(table.match.seats) > 2),
            "finished": int(table.is_over),
            "entries": kinds.total(),
            **{f"{name}s": kinds[name] for name in ("flag", "rest", "downtime", "abort")},
            "answers of plans": answers,
        }
    )


def _other_figures() -> dict[str, int]:
    return {
        "plans armed": Plan.objects.filter(is_armed=True).count(),
        "rated results": Result.objects.count(),
        "notices": Notice.objects.count(),
        "deliveries": Delivery.objects.count(),
    }


COMMANDS: dict[str, Callable[..., Any]] = {"audit": audit}
