"""Compute ratings from the ledger: rate new results, and rate again whatever follows a changed one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from kakomi.contest import Change, Entrant, Outcome, Rating, Standing, replay
from kakomi.server.ratings import models
from kakomi.server.ratings.selectors import SERIES, Key, levels_of
from kakomi.server.site.database import writing

BATCH = 2_000
"""Rows per batch."""

FEW = 500
"""With fewer guests than this, query them by primary key instead of loading the whole pool."""

Values = tuple[float | None, ...]
"""A row of `Change`, in the order of `_COLUMNS`."""


class EntrantRow(NamedTuple):
    """A row of `models.Entrant`, without the model's overhead."""

    pk: int
    guest_id: int | None
    bot: str
    place: int
    corrected_place: int | None
    ran_out: bool


class Line(NamedTuple):
    """A result with its entrants, in seat order."""

    ended_at: float
    is_annulled: bool
    entrants: Sequence[EntrantRow]


def rate_pool(pool: int) -> list[int]:
    """Rate a pool's due results and all later ones; return the primary keys of the tables that were due.

    Safe to run in several processes: each waits for the pool's lock and then looks up what is due.
    """
    with writing():
        row = models.Pool.objects.select_for_update().get(pk=pool)
        due = list(row.results.filter(is_due=True).order_by("ended_at", "table_id"))
        if due:
            _rate_since(row, due[0])
        for number in range(0, len(due), FEW):  # only these: others may have become due
            taken_in = [result.pk for result in due[number : number + FEW]]
            row.results.filter(pk__in=taken_in).update(is_due=False)
    return [result.table_id for result in due]


def _rate_since(pool: models.Pool, first: models.Result) -> None:
    later = Q(ended_at__gt=first.ended_at) | Q(ended_at=first.ended_at, table__gte=first.table_id)
    results = pool.results.filter(later).order_by("ended_at", "table_id")
    lines = _lines(results)
    standings = _standings_before(pool, results, lines)
    fixed = levels_of(pool.game, pool.size_class)
    outcomes = map(_outcome, lines)
    changes = replay(outcomes, standings, fixed, SERIES.get(pool.pace))
    models.Change.objects.filter(entrant__result__in=results.order_by().values("pk")).delete()
    _write_changes(
        row for line, found in zip(lines, changes, strict=True) for row in _values(line.entrants, found)
    )
    _write_ratings(pool, standings)


def _lines(results: "QuerySet[models.Result]") -> list[Line]:
    """Results with their entrants, in order."""
    known = list(results.values_list("pk", "ended_at", "is_annulled"))
    entrants: dict[int, list[EntrantRow]] = {}
    found = models.Entrant.objects.filter(result__in=results.order_by().values("pk"))
    rows = found.order_by("result", "seat").values_list(*EntrantRow._fields, "result_id")
    for *row, result in rows.iterator(BATCH):
        entrants.setdefault(result, []).append(EntrantRow(*row))
    return [Line(at, is_annulled, entrants[result]) for result, at, is_annulled in known]


def _standings_before(
    pool: models.Pool, results: "QuerySet[models.Result]", lines: Sequence[Line]
) -> dict[Key, Standing]:
    """The standings of the results' entrants before the first of these results.

    An entrant who was rated in some of them has the standing before the first such; all others have their
    current one.
    """
    concerned = {entrant.guest_id for line in lines for entrant in line.entrants if entrant.guest_id}
    known = pool.ratings.filter(guest__in=concerned) if len(concerned) < FEW else pool.ratings.all()
    standings: dict[Key, Standing] = {rating.guest_id: rating.standing for rating in known}
    found = models.Change.objects.filter(entrant__result__in=results.order_by().values("pk"))
    before = {row[0]: row[1:] for row in found.values_list(*_COLUMNS[:3], *_COLUMNS[4:7]).iterator(BATCH)}
    for line in reversed(lines):
        for entrant in line.entrants:
            if entrant.guest_id and entrant.pk in before:
                mean, sigma, *others = before[entrant.pk]
                standings[entrant.guest_id] = Standing(Rating(mean, sigma), *others)
    return standings


def _outcome(line: Line) -> Outcome[Key]:
    entrants = [_entrant(row) for row in line.entrants]
    return Outcome(line.ended_at, entrants, counts=not line.is_annulled)


def _entrant(row: EntrantRow) -> Entrant[Key]:
    """An entrant and the place that counts. After a correction, time-outs no longer count."""
    if row.corrected_place is None:
        return Entrant(key_of(row), row.place, row.ran_out)
    return Entrant(key_of(row), row.corrected_place)


def key_of(entrant: EntrantRow | models.Entrant) -> Key:
    """The entrant's key within a pool."""
    return entrant.guest_id or entrant.bot


def _values(entrants: Sequence[EntrantRow], changes: Sequence[Change]) -> Iterator[Values]:
    """The changes by a result, as columns in the order of `_COLUMNS`."""
    for entrant, change in zip(entrants, changes, strict=True):
        before, rated, is_bot = change.before, change.rated, entrant.guest_id is None
        after = rated if is_bot else change.after.rating
        yield (
            entrant.pk,
            rated.mean,
            rated.sigma if is_bot else before.rating.sigma,
            rated.sigma,
            before.games,
            before.at,
            before.time_outs,
            after.mean,
            after.sigma,
            change.counted,
        )


_COLUMNS = (
    "entrant_id",
    "mean_before",
    "sigma_before",
    "sigma_rated",
    "games_before",
    "at_before",
    "time_outs_before",
    "mean_after",
    "sigma_after",
    "counted",
)


def _write_changes(rows: Iterator[Values]) -> None:
    """Insert changes through the database driver, because models would take as long as all the rest."""
    table, names, marks = models.Change._meta.db_table, ", ".join(_COLUMNS), ", ".join(["%s"] * len(_COLUMNS))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names of our own
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # a statement per row would be slow
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(statement, batch)


def _write_ratings(pool: models.Pool, standings: Mapping[Key, Standing]) -> None:
    rows = [
        models.CurrentRating(
            pool=pool,
            guest_id=key,
            mean=standing.rating.mean,
            sigma=standing.rating.sigma,
            games=standing.games,
            at=standing.at,
            time_outs=standing.time_outs,
        )
        for key, standing in standings.items()
        if isinstance(key, int)
    ]
    models.CurrentRating.objects.bulk_create(
        rows,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["pool", "guest"],
        update_fields=["mean", "sigma", "games", "at", "time_outs"],
    )
