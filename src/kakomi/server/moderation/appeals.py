"""Appeals: what somebody has to say against a measure, once."""

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.moderation.models import TEXT_LENGTH, Appeal, Measure
from kakomi.server.moderation.notices import tell_staff
from kakomi.server.moderation.services import case_of
from kakomi.session import Refused

_WAITS = lazy_message("An appeal waits")


def appeal(number: int, guest: Guest, text: str) -> Appeal:
    """Keep what a guest says against a measure about them; it comes to staff in an open case.

    Sent twice, it is the first one. Raises Refused for a measure that isn't theirs, and for no text.
    """
    text = text.strip()
    with writing():
        measure = Measure.objects.select_for_update().filter(pk=number, about=guest).first()
        if measure is None or measure.lifted_at is not None:
            raise Refused(lazy_message("There is no such measure that you could appeal against."))
        if known := Appeal.objects.filter(measure=measure).first():
            return known
        if not 0 < len(text) <= TEXT_LENGTH:
            raise Refused(
                lazy_message("Write what you have to say, in {most} characters at most.", most=TEXT_LENGTH)
            )
        case = case_of(guest)
        measure.case = case
        measure.save(update_fields=["case"])
        made = Appeal.objects.create(measure=measure, by=guest, text=text, at=clock.now())
        tell_staff(case, f"appeal.{made.pk}", _WAITS, guest)
        return made
