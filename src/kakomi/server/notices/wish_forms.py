"""What somebody chooses about notices, as their forms send it."""

from collections.abc import Mapping

from django.http import QueryDict
from django.utils import translation

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.time_zones import note_zone
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Mailing
from kakomi.server.notices.rhythm import PACES
from kakomi.server.notices.wishes import CHANNELS, keep_wishes
from kakomi.server.whole_numbers import whole_number

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
