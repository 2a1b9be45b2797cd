"""Notices in words."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.server import clock
from kakomi.server.language import translate
from kakomi.server.notices.kinds import KINDS, Kind
from kakomi.server.notices.models import Notice
from kakomi.server.tables import models
from kakomi.server.tables.summaries import GameSummary
from kakomi.server.tables.wording import reason_in_words, result_label, seat_label

_TRANSLATED = ("title", "reason")
"""What of a notice's data are texts of games or of the site; the rest are names."""
RECENT_SECONDS = 60.0
"""What happened so lately happened just now."""


def moment_in_words(at: float, zone: str) -> str:
    """A moment by the clocks of a time zone: `Thursday 26 November, 18:00 UTC`."""
    local = datetime.fromtimestamp(at, ZoneInfo(zone))
    # Translators: how Django writes the day and the time until which there is time for a turn.
    written = formats.date_format(local, gettext("l j F, H:i"))
    name = local.tzname() or ""
    return f"{written} {f'UTC{name}' if name[:1] in '+-' else name}"


def _read(value: Any) -> Any:
    """A value of a notice's data, or the text to which it refers (`services.kept_in`)."""
    if not isinstance(value, dict):
        return value
    kept = apps.get_model(value["in"])._default_manager.filter(pk=value["row"])
    return kept.values_list(value["field"], flat=True).first() or "…"


@dataclass(frozen=True)
class NoticeView:
    """A notice as its guest reads it; the table, its seats and who sits there should be fetched."""

    notice: Notice

    @property
    def kind(self) -> Kind:
        """What kind of notice it is."""
        return KINDS[self.notice.kind]

    @property
    def words(self) -> str:
        """What happened, and until when there is time where that matters, in sentences."""
        return self.kind.words({**self._values(), "deadline": self.deadline}).strip()

    @property
    def event(self) -> str:
        """What happened alone, for mails that say otherwise until when there is time."""
        return self.kind.words({**self._values(), "deadline": ""}).strip()

    @property
    def deadline(self) -> str:
        """Until when who is to act at its table has time, in a sentence; empty if there is no limit."""
        row = self.notice.table
        if row is None or row.is_over or row.due_at is None or row.to_act is None or self._summary.waits:
            return ""
        actor = self.seats[row.to_act]
        is_own = actor.guest_id == self.notice.guest_id
        said = (
            gettext("You have time until {moment}.") if is_own else gettext("{name} has time until {moment}.")
        )
        sentence = said.format(
            name=seat_label(actor), moment=moment_in_words(row.due_at, self.notice.guest.time_zone)
        )
        if "{game}" in str(self.kind.text):
            return sentence
        values = {
            "game": catalog.describe(row.game).title,
            "opponents": self._summary.opponents,
            "said": sentence,
        }
        return gettext("{game}, {opponents}: {said}").format(**values)

    @property
    def address(self) -> str:
        """The page that it leads to, without its host."""
        data = self.notice.data or {}
        if "page" in data and self.notice.about:
            return reverse(data["page"], args=[self.notice.about.handle])
        if address := data.get("address"):
            return str(address)
        return reverse("table", args=[self.notice.table.code]) if self.notice.table else reverse("home")

    @property
    def at(self) -> datetime:
        """When it happened."""
        return datetime.fromtimestamp(self.notice.at, UTC)

    @property
    def is_recent(self) -> bool:
        """Whether that is less than a minute ago."""
        return clock.now() - self.notice.at < RECENT_SECONDS

    @property
    def is_new(self) -> bool:
        """Whether the guest has not seen it yet."""
        return self.notice.read_at is None

    @cached_property
    def seats(self) -> tuple[models.Seat, ...]:
        """The seats of its table; none if it is about no table."""
        return tuple(self.notice.table.seats.all()) if self.notice.table else ()

    def _values(self) -> dict[str, Any]:
        data = {name: _read(value) for name, value in (self.notice.data or {}).items()}
        if self.notice.about:
            data["name"] = str(self.notice.about)
        if "until" in data:
            data["until"] = moment_in_words(data["until"], self.notice.guest.time_zone)
        if "days" in data:
            data["days"] = formats.number_format(data["days"], 1)
        data |= {name: translate(data[name]).format_map(data) for name in _TRANSLATED if name in data}
        if self.notice.table is None:
            return data
        data |= {"game": catalog.describe(self.notice.table.game).title, "opponents": self._summary.opponents}
        return data | (self._ending(self._summary.own) if "ending" in data else {})

    @cached_property
    def _summary(self) -> GameSummary:
        """Its table, as its guest sees it."""
        assert self.notice.table is not None
        own = frozenset(seat.number for seat in self.seats if seat.guest_id == self.notice.guest_id)
        return GameSummary(self.notice.table, self.seats, own)

    def _ending(self, own: frozenset[int]) -> dict[str, str]:
        """The result and its reason."""
        data = self.notice.data or {}
        losers = [seat for seat in self.seats if seat.number in data["losers"]]
        is_you = len(own) == 1 and [seat.number for seat in losers] == list(own)
        return {
            "result": self._result(own),
            "reason": reason_in_words(data["ending"], [seat_label(seat) for seat in losers], is_you=is_you),
        }

    def _result(self, own: frozenset[int]) -> str:
        winners = [seat.number for seat in self.seats if seat.share]
        if not winners and all(seat.share is None for seat in self.seats):
            return gettext("ended without a result")
        if len(winners) == len(self.seats):
            return gettext("a draw")
        if len(own) == 1 and own & set(winners):
            return gettext("you won") if len(winners) == 1 else gettext("you share the win")
        return gettext("you lost") if len(own) == 1 and winners else result_label(self.seats)
