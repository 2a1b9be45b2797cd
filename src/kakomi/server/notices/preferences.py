"""What each person wants to be told, by which way, at which pace and hour, and where they may be mailed.

Only addresses that their owners have confirmed are mailed.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, QuerySet
from django.http import QueryDict
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import note_zone
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Mailing, Wish
from kakomi.server.whole_numbers import whole_number

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


PACES: dict[str, tuple[Promise, float]] = {
    "off": (gettext_lazy("never"), 0.0),
    "now": (gettext_lazy("after two minutes"), 120.0),
    "quarter": (gettext_lazy("after a quarter of an hour"), 900.0),
    "hour": (gettext_lazy("after an hour"), 3600.0),
    "day": (gettext_lazy("once a day"), 0.0),
}
"""What each pace is called, and the seconds that must pass: since what is told, and since the last mail."""


def mail_moment(mailing: Mailing, first_at: float) -> float:
    """When a mail may be written about something that happened first at a moment."""
    if mailing.pace == "day":
        return next_hour(mailing, max(first_at, mailing.written_at), mailing.hour)
    wait = PACES[mailing.pace][1]
    return after_quiet(mailing, max(first_at, mailing.written_at) + wait)


def after_quiet(mailing: Mailing, moment: float) -> float:
    """A moment, or the end of the quiet hours that it falls into."""
    start, end = mailing.quiet_from, mailing.quiet_to
    if start is None or end is None or start == end:
        return moment
    hour = _local(mailing, moment).hour
    is_quiet = start <= hour < end if start < end else hour >= start or hour < end
    return next_hour(mailing, moment, end) if is_quiet else moment


def next_hour(mailing: Mailing, moment: float, hour: int) -> float:
    """The next moment after another at which it is an hour in somebody's day."""
    local = _local(mailing, moment)
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    if at.timestamp() <= moment:
        at = (at + timedelta(days=1)).replace(hour=hour)
    return at.timestamp()


def _local(mailing: Mailing, moment: float) -> datetime:
    return datetime.fromtimestamp(moment, ZoneInfo(mailing.guest.time_zone))


HOURS = tuple(range(24))


def keep_choices(guest: Guest, form: QueryDict) -> None:
    """Keep all that the form says. Raises ValueError, in a sentence, if something in it can't be."""
    wanted = {kind: [c for c in CHANNELS if f"{kind}.{c}" in form.getlist("wish")] for kind in KINDS}
    chosen = _rhythm(form)
    chosen["plays_by_mail"] = by_mail = bool(configuration().post_address) and "by_mail" in form
    if by_mail and chosen["pace"] == "off":
        raise ValueError(
            lazy_message("Who plays by mail gets mail: choose how soon you want the other news, too.")
        )
    with writing():
        note_zone(guest, form.get("zone", ""))
        keep_wishes(guest, wanted)
        Mailing.objects.update_or_create(
            guest=guest, defaults={**chosen, "language": translation.get_language(), "next_at": 0.0}
        )


def _rhythm(form: Mapping[str, str]) -> dict[str, object]:
    pace = form.get("pace", "hour")
    if pace not in PACES:
        raise ValueError(lazy_message("Choose how soon you want mail: one of those that the list offers."))
    start, end = _hour(form.get("quiet_from", "")), _hour(form.get("quiet_to", ""))
    if (start is None) != (end is None):
        raise ValueError(
            lazy_message("Quiet hours need both a beginning and an end; leave out both for none.")
        )
    hour = _hour(form.get("hour", "18"))
    return {
        "pace": pace,
        "hour": 18 if hour is None else hour,
        "quiet_from": start,
        "quiet_to": end,
    }


def _hour(text: str) -> int | None:
    """An hour of the day; None for an empty field. Raises ValueError."""
    if not text:
        return None
    hour = whole_number(text)
    if hour not in HOURS:
        raise ValueError(lazy_message("An hour is a number from 0 to 23."))
    return hour


_CONFIRMED = EmailAddress.objects.filter(verified=True, primary=True, user__is_active=True)


_OF_GUEST = PreparedQuery(lambda guest: _CONFIRMED.filter(user__guest=guest).order_by("pk")[:1])


MAILABLE = Exists(_CONFIRMED.filter(user__guest=OuterRef("guest")))
"""Of rows that belong to a guest: those whose guest has such an address."""


def mail_address(guest: Guest | int) -> str:
    """The address of a guest; empty if there is none that may be used."""
    found = _OF_GUEST.first(guest if isinstance(guest, int) else guest.pk)
    return found.email if found else ""
