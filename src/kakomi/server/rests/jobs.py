"""What the site tells of vacations by the moment. All processes do this, each under the vacation's lock."""

from kakomi.server import clock
from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.rests.models import Vacation
from kakomi.server.rests.selectors import DAY
from kakomi.server.rests.signals import vacation_begun, vacation_ended, vacation_ending, vacation_turns

ENDING_SECONDS = DAY
"""So long before its end one hears of it, if the vacation is longer than twice as long."""
FOLLOWING_SECONDS = 60.0
"""Vacations that lie no further apart are one for those who hear of them."""
_BATCH = 200


@works_on(lambda now: Vacation.objects.filter(tell_at__lte=now))
def tell_vacations() -> None:
    """Tell of vacations that begin, end soon or end."""
    due = Vacation.objects.filter(tell_at__lte=clock.now()).order_by("tell_at")
    for known in due[:_BATCH]:
        vacation_turns.send(Vacation, vacation=known)
        with writing():
            vacation = Vacation.objects.select_for_update().filter(pk=known.pk).first()
            if vacation and vacation.tell_at is not None and vacation.tell_at <= (now := clock.now()):
                _tell(vacation, now)


def _tell(vacation: Vacation, now: float) -> None:
    """Tell what is true by now, and note what comes next; what has passed meanwhile is left out."""
    has_begun, vacation.has_begun = vacation.has_begun, True
    ending, over = vacation.end - ENDING_SECONDS, vacation.end
    if vacation.is_automatic:  # the next day may begin by itself where this one ends
        over += FOLLOWING_SECONDS
    if now >= over:
        vacation.tell_at = None
    elif now < ending and ending - vacation.start > ENDING_SECONDS:
        vacation.tell_at = ending
    else:
        vacation.tell_at = over
    vacation.save(update_fields=["tell_at", "has_begun"])
    if now < vacation.end and not has_begun:
        vacation_begun.send(Vacation, vacation=vacation, is_one_more=_is_one_more(vacation))
    elif not _goes_on(vacation):
        (vacation_ended if now >= over else vacation_ending).send(Vacation, vacation=vacation)


def _is_one_more(vacation: Vacation) -> bool:
    """Whether it is one more day after one that began by itself."""
    before = Vacation.objects.filter(guest=vacation.guest_id, is_automatic=True, start__lt=vacation.start)
    return before.filter(end__gte=vacation.start - FOLLOWING_SECONDS).exists()


def _goes_on(vacation: Vacation) -> bool:
    """Whether another vacation begins where this one ends."""
    following = Vacation.objects.filter(guest=vacation.guest_id, end__gt=vacation.end)
    return following.filter(start__lte=vacation.end + FOLLOWING_SECONDS).exists()
