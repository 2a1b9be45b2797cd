"""News of tournaments: a number that grows with whatever their pages show, told to those who look on."""

from collections.abc import Sequence

from django.db.models import F

from kakomi.server.database import outside_requests
from kakomi.server.realtime import announce
from kakomi.server.tournaments.models import Tournament

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
