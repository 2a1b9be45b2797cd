"""The audit of mails about turns: whether every player by mail was informed, according to the tables'
logs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kakomi.server.notices.mail import message_id
from kakomi.server.notices.models import Mailing, Notice
from kakomi.server.site import clock
from kakomi.server.tables import models
from kakomi.session import Table
from kakomi.session.events import NON_BLOCKING_KINDS
from season.course import HOUR, kept_lines
from season.reckoning import seconds_had

Span = tuple[float, float]
IN_TIME = 8 * HOUR
"""A turn of this length must be mailed. A mail is written in one step, sent in a later one, and at times
deferred."""


@dataclass(frozen=True)
class Turn:
    """A period in which a seat had to act, with the lengths of the log, which got only quiet entries."""

    seat: int
    lengths: range
    began: float
    ended: float


@dataclass(frozen=True)
class TurnMails:
    """The mails that were sent, and the players who should get one for each turn."""

    sent: Mapping[str, Sequence[float]]
    """Message ID → times of arrival."""
    people: frozenset[int]
    """The guests who played by mail during the whole season."""
    outages: list[Span]

    @staticmethod
    def looked_up(sent: Path, outages: list[Span]) -> "TurnMails":
        """The data from the mail server's file and the database."""
        times = defaultdict[str, list[float]](list)
        for mail in kept_lines(sent):
            times[mail["id"]].append(mail["at"])
        mailed = Mailing.objects.filter(plays_by_mail=True, guest__is_erased=False).exclude(pace="off")
        return TurnMails(times, frozenset(mailed.values_list("guest", flat=True)), outages)

    @property
    def count(self) -> int:
        """The number of different mails."""
        return len(self.sent)

    def lost(self, row: models.Table, table: Table) -> Iterator[str]:
        """Yield the turns at a table that should have been mailed but weren't."""
        guests = {seat.number: seat.guest_id for seat in row.seats.all()}
        if not self.people.intersection(guests.values()):
            return
        for turn in turns_of(table, clock.now()):
            guest = guests.get(turn.seat)
            had = seconds_had(turn.began, turn.ended, self.outages)
            if guest not in self.people or had < IN_TIME:
                continue
            if not self._is_told(row, guest, turn):
                yield f"nobody mailed {guest} that it was their turn at {row.code}, entry {turn.lengths[0]}"

    def _is_told(self, row: models.Table, guest: int | None, turn: Turn) -> bool:
        """Whether a mail reported a turn. A mail about a turn and another notice is named after the notice;
        if sent during the turn, it shows the board and names the player to act."""
        if any(mail_of_turn(row.pk, guest, length) in self.sent for length in turn.lengths):
            return True
        notices = Notice.objects.filter(table=row, guest=guest).values_list("key", "occurrence")
        mails = (mail_of_notice(key, guest, each) for key, latest in notices for each in range(latest + 1))
        return any(turn.began <= at <= turn.ended for mail in mails for at in self.sent.get(mail, ()))


def mail_of_notice(key: str, guest: int | None, occurrence: int = 0) -> str:
    """The message ID of the mail about a notice and possibly others."""
    return message_id(f"turn.{key}.{guest}.{occurrence}")


def mail_of_turn(table: int, guest: int | None, length: int) -> str:
    """The message ID of the mail about a guest's turn at a log length."""
    return message_id(f"turn.turn.{table}.{guest}.{length}")


def turns_of(table: Table, now: float) -> Iterator[Turn]:
    """Yield all periods in which a seat had to act, the last one ending now."""
    played = Table.from_json({**table.to_json(), "entries": []})
    seat, first, began = played.to_act, 0, played.begun_at
    for length, entry in enumerate(table.history):
        after = played.apply(entry)
        if after.to_act != seat or entry.kind not in NON_BLOCKING_KINDS:
            if seat is not None:
                yield Turn(seat, range(first, length + 1), began, entry.at)
            keeps = after.to_act == seat  # mailed only once
            seat, began, first = after.to_act, entry.at, first if keeps else length + 1
        played = after
    if seat is not None and not table.is_over:
        yield Turn(seat, range(first, len(table.history) + 1), began, now)
