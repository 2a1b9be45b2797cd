"""Cases and one's own standing as pages show them, the order of the queue, and the panel at tables."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.boardview.fragments import fragment
from kakomi.server.moderation import erasure_requests, wording
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, ErasureRequest, Measure, Report
from kakomi.server.moderation.permissions import ERASE, is_own, may
from kakomi.server.moderation.restrictions import holds
from kakomi.server.ratings.models import CurrentRating
from kakomi.server.ratings.presenters import PoolView
from kakomi.server.ratings.selectors import suspended_until
from kakomi.server.tables.models import Table
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.summaries import ListedGame
from kakomi.server.tables.wording import seat_label

GAMES = 12


def new_key() -> str:
    """A key for a form, by which its deed is done once."""
    return secrets.token_urlsafe(12)


@dataclass(frozen=True)
class MeasureView:
    """A measure as its person reads it."""

    measure: Measure
    now: float

    @property
    def title(self) -> str:
        """What it is called."""
        return str(wording.MEASURES[Measure.Kind(self.measure.kind)])

    @property
    def effect(self) -> str:
        """What it means."""
        return str(wording.EFFECTS[Measure.Kind(self.measure.kind)])

    @property
    def until(self) -> str:
        """When it ends; empty if no moment ends it."""
        return wording.until_in_words(self.measure)

    @property
    def is_in_force(self) -> bool:
        """Whether it keeps the person from something; of an annulment, whether it stands."""
        if self.measure.kind == Measure.Kind.ANNULMENT:
            return self.measure.lifted_at is None
        return holds(self.measure, self.now)

    @property
    def may_appeal(self) -> bool:
        """Whether something can be said against it: it has not been taken back, and nothing was said yet."""
        return self.measure.lifted_at is None and not hasattr(self.measure, "appeal")


@dataclass(frozen=True)
class TimeOutsView:
    """That somebody begins no rated games for now, as their time was up too often in succession."""

    rating: CurrentRating

    @property
    def pool(self) -> PoolView:
        """Where it was."""
        return PoolView(self.rating.pool)

    @property
    def until(self) -> float:
        """When it ends by itself, in seconds since the epoch."""
        return suspended_until(self.rating)


@dataclass(frozen=True)
class ReportView:
    """A report in words."""

    report: Report
    is_removed: bool = False
    """Whether staff have removed the message that it is about."""

    @property
    def title(self) -> str:
        """What it is about."""
        return str(wording.REPORTS[Report.Kind(self.report.kind)])

    @property
    def outcome(self) -> str:
        """What became of it."""
        return str(wording.OUTCOMES[Report.Outcome(self.report.outcome)])

    @property
    def age(self) -> str:
        """The time since it came, in words."""
        came, now = (datetime.fromtimestamp(at, UTC) for at in (self.report.at, clock.now()))
        return timesince(came, now)


@dataclass(frozen=True)
class QueuedCase:
    """A case as it waits, with its reports."""

    case: Case
    reports: Sequence[ReportView]

    @staticmethod
    def of(rows: "QuerySet[Case]") -> "list[QueuedCase]":
        """Cases with those of their reports that nobody has answered."""
        waiting = Report.objects.filter(outcome=Report.Outcome.OPEN)
        cases = rows.prefetch_related(Prefetch("reports", waiting))
        return [QueuedCase(case, [ReportView(each) for each in case.reports.all()]) for case in cases]


@dataclass(frozen=True)
class AuditView:
    """A line of the log in words."""

    entry: AuditEntry

    @property
    def act(self) -> str:
        """What was done."""
        return str(wording.ACTS[self.entry.act])


@dataclass(frozen=True)
class CasePresenter:
    """A case with all facts that staff decide by."""

    case: Case
    by: User
    now: float

    @property
    def about(self) -> Guest:
        """The person."""
        return self.case.about

    @cached_property
    def is_own(self) -> bool:
        """Whether it is about the one who looks: then they can only look."""
        return is_own(self.by, self.about)

    @property
    def key(self) -> str:
        """A new key for a form."""
        return new_key()

    @cached_property
    def reports(self) -> list[ReportView]:
        """All reports of this case."""
        removals = AuditEntry.objects.filter(about=self.about, act="message").values_list("data", flat=True)
        removed = {data.get("message") for data in removals}
        rows = self.case.reports.select_related("reporter", "table")
        return [ReportView(each, each.message in removed) for each in rows]

    @cached_property
    def measures(self) -> list[MeasureView]:
        """All measures about the person, of this case and of others."""
        rows = Measure.objects.filter(about=self.about).select_related("about", "table", "appeal")
        return [MeasureView(each, self.now) for each in rows]

    @cached_property
    def games(self) -> list[ListedGame]:
        """The last finished games."""
        rows = Table.objects.filter(seats__guest=self.about, is_over=True).distinct().order_by("-pk")[:GAMES]
        return [ListedGame.of(row) for row in rows.prefetch_related("seats__guest")]

    @cached_property
    def log(self) -> list[AuditView]:
        """What staff did about the person, the last first."""
        return [
            AuditView(each) for each in AuditEntry.objects.filter(about=self.about).select_related("by")[:50]
        ]

    @cached_property
    def request(self) -> ErasureRequest | None:
        """Who asks for the person's erasure, if somebody does."""
        return erasure_requests.standing_request(self.about)

    @property
    def may_erase(self) -> bool:
        """Whether the one who looks may ask for an erasure, or confirm one."""
        return may(self.by, ERASE) and not self.is_own

    @property
    def may_confirm(self) -> bool:
        """Whether they may confirm this one."""
        return self.may_erase and self.request is not None and self.request.asked_by_id != self.by.pk


def log_entries(by: str, about: str, act: str) -> "QuerySet[AuditEntry]":
    """The log by who did something, to whom, and what; empty texts ask for all."""
    asked = Q()
    if by:
        asked &= Q(by__username__iexact=by)
    if about:
        asked &= Q(about__handle__iexact=about)
    if act:
        asked &= Q(act=act)
    return AuditEntry.objects.filter(asked).select_related("by", "about")


def open_cases() -> "QuerySet[Case]":
    """Those that wait: appeals first, then what most accounts have reported, then what most guests have."""
    appeals = Appeal.objects.filter(measure__case=OuterRef("pk"), decided_at=None)
    reporters = Count("reports__reporter", distinct=True)
    accounts = Count("reports__reporter", Q(reports__reporter__handle__isnull=False), distinct=True)
    rows = Case.objects.filter(closed_at=None).select_related("about")
    rows = rows.annotate(has_appeal=Exists(appeals), reporters=reporters, accounts=accounts)
    return rows.order_by("-has_appeal", "-accounts", "-reporters", "pk")


def report_panel(shown: TablePresenter) -> SafeString:
    """A link for each other person at the table, for those who play there.

    Spectators share what they are sent with the news, so nothing here may depend on which of them looks.
    """
    viewer = shown.viewer
    if viewer.guest is None or not viewer.is_player:
        return mark_safe("")
    others = tuple(
        (seat.number, seat_label(seat))
        for seat in viewer.seats
        if seat.guest_id is not None and seat.guest_id != viewer.guest.pk
    )
    if not others:
        return mark_safe("")
    return fragment("reports", "moderation/_panel.html", code=shown.row.code, others=others).html
