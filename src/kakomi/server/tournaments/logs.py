"""A tournament's log in the database, extended under the tournament's lock, and its news.

News is a counter of the changes to what the tournament's pages show; it is sent to their viewers.
"""

from collections.abc import Sequence

import msgspec
from django.db.models import F

from kakomi.contest.tournament import AnyFormat, Elimination, Entered, Entry, RoundRobin, replay
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.knockout import walk
from kakomi.contest.tournament.round_robin import final_log
from kakomi.server.accounts.models import Guest
from kakomi.server.realtime import announce
from kakomi.server.site import clock
from kakomi.server.site.database import outside_requests
from kakomi.server.tournaments.models import LogEntry, Tournament


def log_of(row: Tournament) -> list[Entry]:
    """The entries up to the row's version."""
    contents = row.log.filter(number__lte=row.version).order_by("number").values_list("content", flat=True)
    return msgspec.convert(list(contents), list[Entry])


def replayed(row: Tournament) -> Replayed:
    """The state after replaying the log."""
    return replay(log_of(row))


def knocked_out(log: Sequence[Entry], config: AnyFormat, seed: int) -> frozenset[str]:
    """The names of the entrants who play no further round: knocked out, or not promoted to the final."""
    if isinstance(config, Elimination):
        return frozenset(walk(replay(log), config, seed).out_at)
    final = final_log(log, config, seed) if isinstance(config, RoundRobin) else None
    if final is None or not isinstance(config, RoundRobin) or config.final is None:
        return frozenset()
    promoted = {entry.entrant for entry in final if isinstance(entry, Entered)}
    return frozenset(replay(log).participants) - promoted | knocked_out(final, config.final, seed)


def locked(number: int) -> Tournament:
    """Load and lock a tournament. Must be inside a transaction."""
    return Tournament.objects.select_for_update().get(pk=number)


def append(row: Tournament, entry: Entry, *, by: Guest | None = None, reason: str = "") -> Replayed:
    """Append an entry to the log of a locked tournament, and return the resulting state.

    Raises LogError for an entry that contradicts the log.
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
    publish_change(row)
    return state


_PREFIX = "tournament-"


def topic_of(code: str) -> str:
    """The topic of a tournament."""
    return f"{_PREFIX}{code}"


def publish_change(row: Tournament) -> None:
    """Count a change of a locked tournament, and announce it to viewers on commit."""
    Tournament.objects.filter(pk=row.pk).update(news=F("news") + 1)
    row.news = Tournament.objects.values_list("news", flat=True).get(pk=row.pk)
    announce(topic_of(row.code), row.news)


@outside_requests
def latest_news(topics: Sequence[str]) -> dict[str, int]:
    """The latest news numbers of some topics from the database; other apps' topics are left out."""
    codes = [topic.removeprefix(_PREFIX) for topic in topics if topic.startswith(_PREFIX)]
    if not codes:
        return {}
    rows = Tournament.objects.filter(code__in=codes).values_list("code", "news")
    return {topic_of(code): news for code, news in rows}
