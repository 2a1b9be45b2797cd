"""News of the lobby: one number for all, and for everybody the number of the latest that concerns them.

The topic of all is `lobby`, that of a guest `lobby-NUMBER`.
"""

from collections.abc import Iterable, Sequence

from django.db.models import F

from kakomi.server.database import outside_requests
from kakomi.server.lobby.models import LobbyGuest, LobbyNews
from kakomi.server.realtime import announce

LOBBY = "lobby"
_ROW = 1


def topic_of(guest: int) -> str:
    """The topic of what concerns somebody."""
    return f"{LOBBY}-{guest}"


def guest_of_topic(code: str) -> int | None:
    """Whose topic it is; None for another one."""
    name, _, number = code.partition("-")
    return int(number) if name == LOBBY and number.isdecimal() else None


def tell(people: Iterable[int]) -> None:
    """Say that seeks have changed, and whose; at the end of the transaction that holds these people's locks.

    The row of the number is locked last and until the commit, so that numbers appear in their order.
    """
    concerned = sorted(set(people))
    number = _count()
    LobbyGuest.objects.bulk_create(
        [LobbyGuest(guest_id=guest, news=number) for guest in concerned],
        update_conflicts=True,
        unique_fields=["guest"],
        update_fields=["news"],
    )
    announce(LOBBY, number)
    for guest in concerned:
        announce(topic_of(guest), number)


def _count() -> int:
    rows = LobbyNews.objects.filter(pk=_ROW)
    if not rows.update(news=F("news") + 1):
        LobbyNews.objects.bulk_create([LobbyNews(pk=_ROW)], ignore_conflicts=True)
        rows.update(news=F("news") + 1)
    return rows.values_list("news", flat=True).get()


@outside_requests
def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of some topics' latest news, as the database has them; codes of other apps are left out."""
    found: dict[str, int] = {}
    if LOBBY in codes:
        found[LOBBY] = latest()
    guests = [guest for code in codes if (guest := guest_of_topic(code)) is not None]
    if guests:
        rows = LobbyGuest.objects.filter(pk__in=guests).values_list("pk", "news")
        found |= {topic_of(guest): news for guest, news in rows}
    return found


def latest() -> int:
    """The number of the lobby's latest news."""
    return LobbyNews.objects.filter(pk=_ROW).values_list("news", flat=True).first() or 0
