"""The audit of tables after a season: their logs, rows, flags and plans."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kakomi.server.plans.models import Plan
from kakomi.server.ratings.models import Result
from kakomi.server.site import clock
from kakomi.server.tables import models
from kakomi.session import Entry, Table
from season.course import kept_lines
from season.reckoning import flags_too_early
from server.ledgers import key_of_sender

Span = tuple[float, float]
TOLD = 20
"""The number of last log entries in a finding."""


@dataclass(frozen=True)
class Known:
    """Data about tables from outside their rows and logs."""

    acts: dict[str, set[str]]
    """Table → the keys of confirmed actions there. Audited tables are removed."""
    armed: dict[int, list[int]]
    """Table → the log length that each armed plan has followed."""
    results: Counter[int]
    """Table → how often it is in the ledger."""
    outages: list[Span]
    late: float

    @staticmethod
    def looked_up(done: Path, outages: list[Span], late: float) -> "Known":
        """The data from the database and the file of confirmed actions."""
        acts, armed = defaultdict[str, set[str]](set), defaultdict[int, list[int]](list)
        for act in kept_lines(done, "act"):
            acts[act["code"]].add(f"{act['key']}:0")
        for table, entries in Plan.objects.filter(is_armed=True).values_list("table", "entries"):
            armed[table].append(entries)
        results = Counter(Result.objects.values_list("table", flat=True))
        return Known(acts, armed, results, outages, late)

    def lost(self) -> Iterator[str]:
        """Yield actions at tables that don't exist."""
        yield from (f"{len(keys)} acts at {code}, which is not there" for code, keys in self.acts.items())


def wrong_of_table(row: models.Table, table: Table, known: Known) -> Iterator[str]:
    """Yield all that is wrong with a table."""
    yield from _lost(row, known.acts.pop(row.code, set()))
    yield from _differences(row, table)
    yield from (f"{found}: {_end_of(table)}" for found in flags_too_early(row.code, table, known.outages))
    yield from _overdue(row, known.late)
    yield from _answers(row)
    yield from (found for entries in known.armed[row.pk] for found in _plan(row, table, entries))
    expected = int(row.is_rated and _has_result(table))
    if known.results[row.pk] != expected:
        yield f"{row.code} is {known.results[row.pk]} times in the ledger, and should be {expected}"


def replayed(row: models.Table) -> Table:
    """A table replayed from its log alone."""
    table = Table.from_json(row.begun)
    for entry in row.log.all():
        table = table.apply(Entry.from_json(entry.content))
    return table


def _lost(row: models.Table, acts: set[str]) -> Iterator[str]:
    """Yield confirmed actions that are missing or duplicated."""
    keys = Counter(key_of_sender(entry.key) for entry in row.log.all())
    yield from (f"{key} at {row.code} is there {keys[key]} times" for key in acts if keys[key] != 1)


def _differences(row: models.Table, table: Table) -> Iterator[str]:
    """Yield differences between a table's row or log and its replayed log."""
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
    """A summary of a log's last entries."""
    return "; ".join(
        f"{entry.at:.0f} {entry.seat} {entry.kind} {str(entry.value)[:60]}" for entry in table.history[-TOLD:]
    )


def _has_result(table: Table) -> bool:
    """Whether a match is over and was neither aborted nor forfeited before two players had acted."""
    if table.ending is None or not table.ending.winners:
        return False
    is_by_default = table.ending.reason in ("absence", "forfeit") and len(table.match.games) == 1
    return not is_by_default or len(table.start.acted) > 1


def _answers(row: models.Table) -> Iterator[str]:
    """Yield answers of plans that were entered later than the action that they answer."""
    last = None
    for entry in row.log.all():
        at = entry.content["at"]
        if entry.key.startswith("plan:") and at != last:
            yield f"{entry.key} at {row.code} was entered at {at}, and answers what was done at {last}"
        last = at


def _plan(row: models.Table, table: Table, entries: int) -> Iterator[str]:
    """Yield what is wrong with an armed plan: it lags behind, the game is over, or an offer is open."""
    if entries != table.entries:
        yield f"a plan at {row.code} is armed, but was last followed at entry {entries}"
    if table.is_over or (table.offer and table.offer.kind not in ("pause", "resume")):
        yield f"a plan at {row.code} is armed, but the game is over or somebody is asked for it"


def _overdue(row: models.Table, late: float) -> Iterator[str]:
    if row.due_at is not None and not row.is_over and row.due_at < clock.now() - late:
        yield f"{row.code} has been due for {clock.now() - row.due_at:.0f} s"


def figures_of_table(row: models.Table, table: Table) -> Counter[str]:
    """Counts of a table."""
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
