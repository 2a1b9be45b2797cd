"""Presents cases and a person's own standing, orders the queue, and renders the table panel."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from kakomi.server.accounts.models import Guest, User
from kakomi.server.boards.fragments import fragment
from kakomi.server.moderation import erasure_requests, wording
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, ErasureRequest, Measure, Report
from kakomi.server.moderation.permissions import ERASE, is_own, may
from kakomi.server.moderation.restrictions import is_in_force
from kakomi.server.ratings.models import CurrentRating
from kakomi.server.ratings.presenters import PoolView
from kakomi.server.ratings.selectors import suspended_until
from kakomi.server.site import clock
from kakomi.server.tables.models import Table
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.summaries import ListedGame
from kakomi.server.tables.wording import seat_label

GAMES = 12


def new_key() -> str:
    """Return an idempotency key for a form."""
    return secrets.token_urlsafe(12)


@dataclass(frozen=True)
class MeasureView:
    """A measure as shown to its person."""

    measure: Measure
    now: float

    @property
    def title(self) -> str:
        """The name of the measure."""
        return str(wording.MEASURES[Measure.Kind(self.measure.kind)])

    @property
    def effect(self) -> str:
        """What it means for the person."""
        return str(wording.EFFECTS[Measure.Kind(self.measure.kind)])

    @property
    def until(self) -> str:
        """When it ends; empty if it has no end date."""
        return wording.until_in_words(self.measure)

    @property
    def is_in_force(self) -> bool:
        """Whether it currently restricts the person or, for an annulment, hasn't been lifted."""
        if self.measure.kind == Measure.Kind.ANNULMENT:
            return self.measure.lifted_at is None
        return is_in_force(self.measure, self.now)

    @property
    def may_appeal(self) -> bool:
        """Whether the person can appeal: it hasn't been lifted, and they haven't appealed yet."""
        return self.measure.lifted_at is None and not hasattr(self.measure, "appeal")


@dataclass(frozen=True)
class TimeOutsView:
    """A suspension from rated games after too many time-outs in succession."""

    rating: CurrentRating

    @property
    def pool(self) -> PoolView:
        """The rating pool."""
        return PoolView(self.rating.pool)

    @property
    def until(self) -> float:
        """When it ends, in seconds since the epoch."""
        return suspended_until(self.rating)


@dataclass(frozen=True)
class ReportView:
    """Presents a report."""

    report: Report
    is_removed: bool = False
    """Whether staff have removed the message that it is about."""

    @property
    def title(self) -> str:
        """Its kind in words."""
        return str(wording.REPORTS[Report.Kind(self.report.kind)])

    @property
    def outcome(self) -> str:
        """Its outcome in words."""
        return str(wording.OUTCOMES[Report.Outcome(self.report.outcome)])

    @property
    def age(self) -> str:
        """The time since it was made, in words."""
        came, now = (datetime.fromtimestamp(at, UTC) for at in (self.report.at, clock.now()))
        return timesince(came, now)


@dataclass(frozen=True)
class QueuedCase:
    """A case in the queue, with its open reports."""

    case: Case
    reports: Sequence[ReportView]

    @staticmethod
    def of(rows: "QuerySet[Case]") -> "list[QueuedCase]":
        """Load cases with their open reports."""
        waiting = Report.objects.filter(outcome=Report.Outcome.OPEN)
        cases = rows.prefetch_related(Prefetch("reports", waiting))
        return [QueuedCase(case, [ReportView(each) for each in case.reports.all()]) for case in cases]


@dataclass(frozen=True)
class AuditView:
    """Presents a log entry."""

    entry: AuditEntry

    @property
    def act(self) -> str:
        """The action in words."""
        return str(wording.ACTS[self.entry.act])


@dataclass(frozen=True)
class CasePresenter:
    """A case with all the facts that staff need to decide."""

    case: Case
    by: User
    now: float

    @property
    def about(self) -> Guest:
        """The person the case is about."""
        return self.case.about

    @cached_property
    def is_own(self) -> bool:
        """Whether it is about the viewer, who then can't act in it."""
        return is_own(self.by, self.about)

    @property
    def key(self) -> str:
        """A new idempotency key for a form."""
        return new_key()

    @cached_property
    def reports(self) -> list[ReportView]:
        """All reports of the case."""
        removals = AuditEntry.objects.filter(about=self.about, act="message").values_list("data", flat=True)
        removed = {data.get("message") for data in removals}
        rows = self.case.reports.select_related("reporter", "table")
        return [ReportView(each, each.message in removed) for each in rows]

    @cached_property
    def measures(self) -> list[MeasureView]:
        """All measures about the person, from this and other cases."""
        rows = Measure.objects.filter(about=self.about).select_related("about", "table", "appeal")
        return [MeasureView(each, self.now) for each in rows]

    @cached_property
    def games(self) -> list[ListedGame]:
        """The person's latest finished games."""
        rows = Table.objects.filter(seats__guest=self.about, is_over=True).distinct().order_by("-pk")[:GAMES]
        return [ListedGame.of(row) for row in rows.prefetch_related("seats__guest")]

    @cached_property
    def log(self) -> list[AuditView]:
        """The latest log entries about the person, the latest first."""
        return [
            AuditView(each) for each in AuditEntry.objects.filter(about=self.about).select_related("by")[:50]
        ]

    @cached_property
    def request(self) -> ErasureRequest | None:
        """The current request for the person's erasure, or None."""
        return erasure_requests.standing_request(self.about)

    @property
    def may_erase(self) -> bool:
        """Whether the viewer may request or confirm an erasure."""
        return may(self.by, ERASE) and not self.is_own

    @property
    def may_confirm(self) -> bool:
        """Whether the viewer may confirm the current request."""
        return self.may_erase and self.request is not None and self.request.asked_by_id != self.by.pk


def log_entries(by: str, about: str, act: str) -> "QuerySet[AuditEntry]":
    """The log entries filtered by staff username, handle and act; an empty filter matches all."""
    filters = Q()
    if by:
        filters &= Q(by__username__iexact=by)
    if about:
        filters &= Q(about__handle__iexact=about)
    if act:
        filters &= Q(act=act)
    return AuditEntry.objects.filter(filters).select_related("by", "about")


def open_cases() -> "QuerySet[Case]":
    """The open cases: those with appeals first, then by the number of accounts and of people reporting."""
    appeals = Appeal.objects.filter(measure__case=OuterRef("pk"), decided_at=None)
    reporters = Count("reports__reporter", distinct=True)
    accounts = Count("reports__reporter", Q(reports__reporter__handle__isnull=False), distinct=True)
    rows = Case.objects.filter(closed_at=None).select_related("about")
    rows = rows.annotate(has_appeal=Exists(appeals), reporters=reporters, accounts=accounts)
    return rows.order_by("-has_appeal", "-accounts", "-reporters", "pk")


def report_panel(shown: TablePresenter) -> SafeString:
    """For a player, a link to report each other person at the table.

    Spectators share one rendering, so nothing here may depend on which of them is viewing.
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
