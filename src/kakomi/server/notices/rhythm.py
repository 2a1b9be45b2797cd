"""When somebody may be mailed or pushed: at their pace, at their hour, and not while they sleep."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from kakomi.server.notices.models import Mailing

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
