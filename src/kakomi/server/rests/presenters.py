"""A guest's rests as their page shows them."""

import datetime
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.dates import WEEKDAYS

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import zone_names
from kakomi.server.rests import selectors
from kakomi.server.rests.models import Rests, Vacation
from kakomi.server.rests.selectors import DAY


@dataclass(frozen=True)
class VacationView:
    """A vacation in its guest's time zone."""

    number: int
    start: datetime.datetime
    end: datetime.datetime
    is_automatic: bool
    is_on: bool


@dataclass(frozen=True)
class RestsPresenter:
    """The values of the page's template."""

    guest: Guest | None
    """None for a visitor who has done nothing yet."""
    rests: Rests
    now: float

    @property
    def zones(self) -> Sequence[str]:
        """All time zones."""
        return zone_names()

    @property
    def zone(self) -> str:
        """The guest's time zone."""
        return self.guest.time_zone if self.guest else "UTC"

    @property
    def is_zone_known(self) -> bool:
        """Whether the guest has chosen it."""
        return bool(self.guest and self.guest.zone)

    @property
    def days(self) -> list[tuple[int, str, bool]]:
        """The days of the week: number, name, and whether it is of the weekend."""
        return [(day, str(name), day in self.rests.weekend) for day, name in WEEKDAYS.items()]

    @property
    def sleep_from(self) -> str:
        """The beginning of the night, such as 23:00; empty for none."""
        return _time(self.rests.sleep_from)

    @property
    def sleep_to(self) -> str:
        """The end of the night."""
        return _time(self.rests.sleep_to)

    @cached_property
    def vacations(self) -> list[VacationView]:
        """Those that go on or come."""
        if self.guest is None:
            return []
        return [self._shown(each) for each in self.guest.vacations.filter(end__gt=self.now)]

    def _shown(self, vacation: Vacation) -> VacationView:
        start, end = (self._local(moment) for moment in (vacation.start, vacation.end))
        return VacationView(vacation.pk, start, end, vacation.is_automatic, vacation.start <= self.now)

    @property
    def days_left(self) -> float:
        """Days of vacation that can still be taken now."""
        left = selectors.allowance_left(self.guest, self.now) if self.guest else selectors.ALLOWANCE
        return left / DAY

    @property
    def today(self) -> str:
        """The day, as a form writes it."""
        return self._local(self.now).date().isoformat()

    def _local(self, moment: float) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(self.zone))


def _time(minute: int | None) -> str:
    return "" if minute is None else f"{minute // 60:02}:{minute % 60:02}"
