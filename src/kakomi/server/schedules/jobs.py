"""What the site does again and again for schedules; every process does it, under schedules' locks."""

from django.db.models import QuerySet

from kakomi.server import clock
from kakomi.server.job_questions import works_on
from kakomi.server.schedules import services
from kakomi.server.schedules.models import Schedule


def _due(now: float) -> "QuerySet[Schedule]":
    return Schedule.objects.filter(is_on=True, announce_at__lte=now)


@works_on(_due)
def announce() -> None:
    """Announce the tournaments that are due."""
    for number in list(_due(clock.now()).values_list("pk", flat=True)):
        services.announce(number)
