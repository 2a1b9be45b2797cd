"""When somebody has to look for wishes that fit: after a change, or once somebody has waited long enough."""

import math
import time

from django.db.models import Exists, OuterRef, QuerySet

from kakomi.server import clock
from kakomi.server.lobby import news
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.pairing import pair

SAFETY_SECONDS = 60.0
"""After which one looks in any case: ratings change, and people no longer keep out of each other's way."""


class PairingSchedule:
    """One process's: it compares no wishes twice that have not changed."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self._number, self._until, self._again = -1, -math.inf, -math.inf

    @staticmethod
    def several() -> "QuerySet[Seek]":
        """The seeks that wait together with an older one of somebody else for the same game."""
        waiting = Seek.objects.filter(ended_at=None).exclude(kind=Seek.Kind.CHALLENGE)
        same = {name: OuterRef(name) for name in ("game", "pace", "is_rated")}
        older = waiting.filter(**same, pk__lt=OuterRef("pk")).exclude(owner=OuterRef("owner"))
        return waiting.filter(Exists(older))

    def run(self) -> None:
        """Bring together what fits, unless nothing has changed since nothing did."""
        number, now = news.latest(), clock.now()
        if number == self._number and now < self._until and time.monotonic() < self._again:
            return
        kinds = self.several().order_by().values_list("game", "pace").distinct()
        self._until = min((pair(game, pace) for game, pace in kinds), default=math.inf)
        self._number, self._again = number, time.monotonic() + SAFETY_SECONDS


PAIRING_SCHEDULE = PairingSchedule()
