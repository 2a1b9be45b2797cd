"""People's preferences for notices: kinds, channels, pace and hours, and the address to mail.

Only confirmed addresses are mailed.
"""

from collections.abc import Container, Mapping
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
from kakomi.server.notices.kinds import GROUPS, KINDS
from kakomi.server.notices.models import Mailing, Preference
from kakomi.server.site.configuration import configuration
from kakomi.server.site.database import writing
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.site.whole_numbers import whole_number

CHANNELS = ("page", "mail", "push")
AWAY = ("mail", "push")
"""The channels that reach people when they aren't on the site."""


def default(kind: str, channel: str) -> bool:
    """Whether notices of a kind use a channel by default."""
    return KINDS[kind].is_usual and (channel != "mail" or KINDS[kind].is_mailed)


def wanted_kinds(guest: int, channel: str) -> set[str]:
    """The kinds that a guest wants by a channel."""
    stored = dict(Preference.objects.filter(guest=guest, channel=channel).values_list("kind", "is_on"))
    return {kind for kind in KINDS if stored.get(kind, default(kind, channel))}


def opted_in(kind: str) -> "QuerySet[Preference]":
    """The preferences of people who turned on a kind that is off by default, for any channel."""
    return Preference.objects.filter(kind=kind, is_on=True)


def preferences_of(guest: Guest) -> dict[str, dict[str, bool]]:
    """Kind -> channel -> whether it is wanted."""
    stored = {(row.kind, row.channel): row.is_on for row in Preference.objects.filter(guest=guest)}
    return {
        kind: {channel: stored.get((kind, channel), default(kind, channel)) for channel in CHANNELS}
        for kind in _kinds_for(guest)
    }


def _kinds_for(guest: Guest) -> list[str]:
    """The kinds of notices that a guest can choose."""
    is_staff = User.objects.filter(guest=guest, is_staff=True).exists()
    return [name for name, kind in KINDS.items() if is_staff or not kind.is_for_staff]


def groups_of(guest: Guest) -> dict[str, dict[str, bool]]:
    """Group -> channel -> whether any of its kinds is wanted."""
    chosen = preferences_of(guest)
    return {
        group: {channel: any(chosen[kind][channel] for kind in kinds) for channel in AWAY}
        for group, (_, kinds) in GROUPS.items()
    }


def _save_groups(guest: Guest, wanted: Container[str]) -> None:
    """Give all kinds of a group their defaults for a channel, or none. Unchanged groups stay as they are."""
    for group, channels in groups_of(guest).items():
        for channel, was_on in channels.items():
            if (is_on := f"{group}.{channel}" in wanted) != was_on:
                for kind in GROUPS[group][1]:
                    save_preference(guest, kind, channel, is_on=is_on and default(kind, channel))


def save_preference(guest: Guest, kind: str, channel: str, *, is_on: bool) -> None:
    """Store one preference; defaults aren't stored."""
    own = Preference.objects.filter(guest=guest, kind=kind, channel=channel)
    if is_on == default(kind, channel):
        own.delete()
    else:
        Preference.objects.update_or_create(
            guest=guest, kind=kind, channel=channel, defaults={"is_on": is_on}
        )


PACES: dict[str, tuple[Promise, float]] = {
    "off": (gettext_lazy("never"), 0.0),
    "now": (gettext_lazy("after 2 minutes"), 120.0),
    "quarter": (gettext_lazy("after 15 minutes"), 900.0),
    "hour": (gettext_lazy("after 1 hour"), 3600.0),
    "day": (gettext_lazy("once a day"), 0.0),
}
"""Pace -> its label, and the seconds to wait after the first notice and after the last mail."""


def mail_moment(mailing: Mailing, first_at: float) -> float:
    """When a digest may be written whose first notice happened at `first_at`."""
    if mailing.pace == "day":
        return next_hour(mailing, max(first_at, mailing.written_at), mailing.hour)
    wait = PACES[mailing.pace][1]
    return after_quiet(mailing, max(first_at, mailing.written_at) + wait)


def after_quiet(mailing: Mailing, moment: float) -> float:
    """The moment itself, or the end of the quiet hours that it falls into."""
    start, end = mailing.quiet_from, mailing.quiet_to
    if start is None or end is None or start == end:
        return moment
    hour = _local(mailing, moment).hour
    is_quiet = start <= hour < end if start < end else hour >= start or hour < end
    return next_hour(mailing, moment, end) if is_quiet else moment


def next_hour(mailing: Mailing, moment: float, hour: int) -> float:
    """The next moment at which `hour` begins in the person's time zone."""
    local = _local(mailing, moment)
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    if at.timestamp() <= moment:
        at = (at + timedelta(days=1)).replace(hour=hour)
    return at.timestamp()


def _local(mailing: Mailing, moment: float) -> datetime:
    return datetime.fromtimestamp(moment, ZoneInfo(mailing.guest.time_zone))


HOURS = tuple(range(24))


def save_kinds(guest: Guest, wanted: Container[str]) -> None:
    """Store the channels of each kind, given as `kind.channel`."""
    with writing():
        for kind in _kinds_for(guest):
            for channel in CHANNELS:
                save_preference(guest, kind, channel, is_on=f"{kind}.{channel}" in wanted)


def save_form(guest: Guest, form: QueryDict) -> None:
    """Store the choices for groups, and when to mail. Raises `ValueError` with a readable message if one is
    invalid."""
    chosen = _rhythm(form)
    chosen["plays_by_mail"] = by_mail = bool(configuration().mail_in_address) and "by_mail" in form
    if by_mail and chosen["pace"] == "off":
        raise ValueError(
            lazy_message("Play by email needs email notifications: choose how often you want them.")
        )
    with writing():
        note_zone(guest, form.get("zone", ""))
        _save_groups(guest, form.getlist("group"))
        Mailing.objects.update_or_create(
            guest=guest, defaults={**chosen, "language": translation.get_language(), "next_at": 0.0}
        )


def _rhythm(form: Mapping[str, str]) -> dict[str, object]:
    pace = form.get("pace", "hour")
    if pace not in PACES:
        raise ValueError(lazy_message("Choose an option from the list for email notifications."))
    start, end = _hour(form.get("quiet_from", "")), _hour(form.get("quiet_to", ""))
    if (start is None) != (end is None):
        raise ValueError(lazy_message("Enter both a start and an end for quiet hours, or neither."))
    hour = _hour(form.get("hour", "18"))
    return {
        "pace": pace,
        "hour": 18 if hour is None else hour,
        "quiet_from": start,
        "quiet_to": end,
    }


def _hour(text: str) -> int | None:
    """An hour of the day; None for an empty field. Raises `ValueError`."""
    if not text:
        return None
    hour = whole_number(text)
    if hour not in HOURS:
        raise ValueError(lazy_message("Enter an hour from 0 to 23."))
    return hour


_CONFIRMED = EmailAddress.objects.filter(verified=True, primary=True, user__is_active=True)
_OF_GUEST = PreparedQuery(lambda guest: _CONFIRMED.filter(user__guest=guest).order_by("pk")[:1])
MAILABLE = Exists(_CONFIRMED.filter(user__guest=OuterRef("guest")))
"""Filters rows with a `guest` to those whose guest has an active account with a confirmed primary address."""


def mail_address(guest: Guest | int) -> str:
    """A guest's confirmed primary address; empty if there is none."""
    found = _OF_GUEST.first(guest if isinstance(guest, int) else guest.pk)
    return found.email if found else ""
