"""Notices as text."""

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
from kakomi.server.notices.kinds import KINDS, Kind
from kakomi.server.notices.models import Notice
from kakomi.server.site import clock
from kakomi.server.site.language import translate
from kakomi.server.tables import models
from kakomi.server.tables.summaries import GameSummary
from kakomi.server.tables.wording import reason_in_words, result_label, seat_label

_TRANSLATED = ("title", "reason")
"""The values in a notice's data to be translated; the others are names."""
RECENT_SECONDS = 60.0
"""Notices younger than this count as recent."""


def moment_in_words(at: float, zone: str) -> str:
    """A moment in a time zone, in words: `Thursday 26 November, 18:00 UTC`."""
    local = datetime.fromtimestamp(at, ZoneInfo(zone))
    # Translators: how Django writes the day and the time until which there is time for a turn.
    written = formats.date_format(local, gettext("l j F, H:i"))
    name = local.tzname() or ""
    return f"{written} {f'UTC{name}' if name[:1] in '+-' else name}"


def _resolved(value: Any) -> Any:
    """A value in a notice's data, or the text that it refers to (`services.text_reference`)."""
    if not isinstance(value, dict):
        return value
    kept = apps.get_model(value["in"])._default_manager.filter(pk=value["row"])
    return kept.values_list(value["field"], flat=True).first() or "…"


@dataclass(frozen=True)
class NoticeView:
    """A notice as its guest reads it. Prefetch its table with seats and their guests."""

    notice: Notice

    @property
    def kind(self) -> Kind:
        """The notice's kind."""
        return KINDS[self.notice.kind]

    @property
    def words(self) -> str:
        """What happened, with the deadline if the kind mentions it, in sentences."""
        return self.kind.words({**self._values(), "deadline": self.deadline}).strip()

    @property
    def event(self) -> str:
        """What happened, without the deadline, for mails that show it separately."""
        return self.kind.words({**self._values(), "deadline": ""}).strip()

    @property
    def deadline(self) -> str:
        """The deadline of the player to act at its table, in a sentence; empty if there is none."""
        row = self.notice.table
        if row is None or row.is_over or row.due_at is None or row.to_act is None or self._summary.waits:
            return ""
        actor = self.seats[row.to_act]
        is_own = actor.guest_id == self.notice.guest_id
        said = gettext("Move by {moment}.") if is_own else gettext("{name} has until {moment} to move.")
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
        """The path of the page that it leads to."""
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
        """Whether it happened less than a minute ago."""
        return clock.now() - self.notice.at < RECENT_SECONDS

    @property
    def is_new(self) -> bool:
        """Whether the guest hasn't read it yet."""
        return self.notice.read_at is None

    @cached_property
    def seats(self) -> tuple[models.Seat, ...]:
        """The seats of its table; empty if it is about no table."""
        return tuple(self.notice.table.seats.all()) if self.notice.table else ()

    def _values(self) -> dict[str, Any]:
        data = {name: _resolved(value) for name, value in (self.notice.data or {}).items()}
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
        """Its table's summary for its guest."""
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
