"""What each person wants to be told, and by which way."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from kakomi.server.accounts.models import Guest, User
from kakomi.server.database import writing
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Wish

CHANNELS = ("page", "mail", "push")


def default(kind: str, channel: str) -> bool:
    """Whether notices of a kind take a way unless somebody says otherwise."""
    return KINDS[kind].is_usual and (channel != "mail" or KINDS[kind].is_mailed)


def wanted_kinds(guest: int, channel: str) -> set[str]:
    """The kinds that a guest wants to be told by a way."""
    said = dict(Wish.objects.filter(guest=guest, channel=channel).values_list("kind", "is_on"))
    return {kind for kind in KINDS if said.get(kind, default(kind, channel))}


def wishers(kind: str) -> "QuerySet[Wish]":
    """The wishes of those who want to be told something that is not usual, by any way."""
    return Wish.objects.filter(kind=kind, is_on=True)


def table_of_wishes(guest: Guest) -> dict[str, dict[str, bool]]:
    """Kind -> channel -> whether it is wanted."""
    said = {(wish.kind, wish.channel): wish.is_on for wish in Wish.objects.filter(guest=guest)}
    return {
        kind: {channel: said.get((kind, channel), default(kind, channel)) for channel in CHANNELS}
        for kind in _kinds_for(guest)
    }


def _kinds_for(guest: Guest) -> list[str]:
    """The kinds of notices about which somebody can have a wish."""
    is_staff = User.objects.filter(guest=guest, is_staff=True).exists()
    return [name for name, kind in KINDS.items() if is_staff or not kind.is_for_staff]


def keep_wishes(guest: Guest, wanted: Mapping[str, Iterable[str]]) -> None:
    """Note for each kind by which ways somebody wants it; kinds that are left out are wanted by none."""
    chosen = {kind: set(wanted.get(kind, ())) for kind in _kinds_for(guest)}
    with writing():
        for kind, channels in chosen.items():
            for channel in CHANNELS:
                keep_wish(guest, kind, channel, is_on=channel in channels)


def keep_wish(guest: Guest, kind: str, channel: str, *, is_on: bool) -> None:
    """Note one wish; what everybody gets is not kept."""
    own = Wish.objects.filter(guest=guest, kind=kind, channel=channel)
    if is_on == default(kind, channel):
        own.delete()
    else:
        Wish.objects.update_or_create(guest=guest, kind=kind, channel=channel, defaults={"is_on": is_on})
