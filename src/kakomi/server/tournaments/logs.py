"""The log of a tournament in the database, read and added to under the tournament's lock; and its news.

News is a number that grows with each change to what the tournament's pages show, sent to those who look on.
"""

from collections.abc import Sequence

import msgspec
from django.db.models import F

from kakomi.contest.tournament import AnyFormat, Elimination, Entered, Entry, RoundRobin, replay
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.knockout import walk
from kakomi.contest.tournament.round_robin import final_log
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import outside_requests
from kakomi.server.realtime import announce
from kakomi.server.tournaments.models import LogEntry, Tournament


def log_of(row: Tournament) -> list[Entry]:
    """The entries that the row knows of."""
    contents = row.log.filter(number__lte=row.version).order_by("number").values_list("content", flat=True)
    return msgspec.convert(list(contents), list[Entry])


def replayed(row: Tournament) -> Replayed:
    """What the log comes to."""
    return replay(log_of(row))


def knocked_out(log: Sequence[Entry], config: AnyFormat, seed: int) -> frozenset[str]:
    """The names of those who play no further round: out of the bracket, or not in the final stage."""
    if isinstance(config, Elimination):
        return frozenset(walk(replay(log), config, seed).out_at)
    final = final_log(log, config, seed) if isinstance(config, RoundRobin) else None
    if final is None or not isinstance(config, RoundRobin) or config.final is None:
        return frozenset()
    promoted = {entry.entrant for entry in final if isinstance(entry, Entered)}
    return frozenset(replay(log).participants) - promoted | knocked_out(final, config.final, seed)


def locked(number: int) -> Tournament:
    """A tournament, locked inside a transaction."""
    return Tournament.objects.select_for_update().get(pk=number)


def append(row: Tournament, entry: Entry, *, by: Guest | None = None, reason: str = "") -> Replayed:
    """Add an entry to the log of a locked tournament, and return what it comes to.

    Raises LogError for what can't have happened.
    """
    state = replayed(row)
    state.add(entry)
    row.version += 1
    LogEntry.objects.create(
        tournament=row,
        number=row.version,
        content=msgspec.to_builtins(entry),
        at=clock.now(),
        by=by,
        reason=reason,
    )
    row.save(update_fields=["version"])
    note_news(row)
    return state


_PREFIX = "tournament-"


def topic_of(code: str) -> str:
    """The topic of a tournament."""
    return f"{_PREFIX}{code}"


def note_news(row: Tournament) -> None:
    """Count a change of a locked tournament, and tell everybody who looks on once it is written."""
    Tournament.objects.filter(pk=row.pk).update(news=F("news") + 1)
    row.news = Tournament.objects.values_list("news", flat=True).get(pk=row.pk)
    announce(topic_of(row.code), row.news)


@outside_requests
def latest_news(topics: Sequence[str]) -> dict[str, int]:
    """The numbers of some topics' latest news, as the database has them; those of other apps are left out."""
    codes = [topic.removeprefix(_PREFIX) for topic in topics if topic.startswith(_PREFIX)]
    if not codes:
        return {}
    rows = Tournament.objects.filter(code__in=codes).values_list("code", "news")
    return {topic_of(code): news for code, news in rows}
