"""What the site does again and again for team matches; every process does it all, under matches' locks."""

from django.db.models import QuerySet

from kakomi.server import clock
from kakomi.server.job_questions import works_on
from kakomi.server.team_matches import beginning
from kakomi.server.team_matches.models import TeamMatch


def _due(now: float) -> "QuerySet[TeamMatch]":
    return TeamMatch.objects.filter(due_at__lte=now)


@works_on(_due)
def go_on() -> None:
    """Begin matches, and end challenges that nobody has answered."""
    for number in list(_due(clock.now()).values_list("pk", flat=True)):
        beginning.go_on(number)
