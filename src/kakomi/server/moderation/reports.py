"""Reporting people to staff, once per subject and within a daily budget."""

from dataclasses import dataclass

from django.utils import translation

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import TEXT_LENGTH, Report
from kakomi.server.moderation.notices import notify_staff
from kakomi.server.moderation.services import case_of
from kakomi.server.moderation.wording import REPORTS
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables.models import Table
from kakomi.session import Refused
from kakomi.session.time_control import DAY

PER_DAY, PER_DAY_OF_GUESTS = 10, 3
"""The maximum number of reports per person in 24 hours, with and without an account."""


@dataclass(frozen=True)
class Complaint:
    """The content of a report."""

    about: Guest
    kind: str
    text: str = ""
    table: Table | None = None
    quote: str = ""
    """The reported text, if the report is about one."""
    address: str = ""
    """The address of its subject, such as a tournament. Only one report per address counts."""
    message: int | None = None
    """The number of the table message that it is about."""


def file_report(reporter: Guest, complaint: Complaint) -> Report:
    """Create a report, or return the earlier one about the same subject. Raises Refused with the reason."""
    if wrong := why_not_report(reporter, complaint):
        raise Refused(wrong)
    with writing():
        Guest.objects.select_for_update(no_key=True).get(pk=reporter.pk)  # one request at a time
        case = case_of(complaint.about)
        place = complaint.table.pk if complaint.table else 0
        key = f"{case.pk}.{reporter.pk}.{complaint.kind}.{complaint.address or place}"
        key += f".{complaint.message}" if complaint.message else ""
        if known := Report.objects.filter(key=key).first():
            return known
        if not budget_left(reporter):
            raise Refused(lazy_message("You’ve sent many reports today. They’re being reviewed."))
        made = Report.objects.create(
            case=case,
            reporter=reporter,
            kind=complaint.kind,
            table=complaint.table,
            text=complaint.text.strip(),
            quote=complaint.quote[:TEXT_LENGTH],
            address=complaint.address,
            message=complaint.message,
            at=clock.now(),
            key=key,
        )
        with translation.override("en"):  # notices store English
            title = str(REPORTS[Report.Kind(made.kind)])
        notify_staff(case, str(made.pk), title, reporter)
        return made


def why_not_report(reporter: Guest | None, complaint: Complaint) -> str:
    """Why somebody can't report this, and what would help; empty if they can.

    A `reporter` of None is a visitor without a guest, who can't have met anybody.
    """
    about, table = complaint.about, complaint.table
    if complaint.kind not in Report.Kind.values:
        return lazy_message("Choose a reason.")
    if len(complaint.text.strip()) > TEXT_LENGTH:
        return lazy_message("Enter up to {most} characters.", most=TEXT_LENGTH)
    if reporter is not None and about.pk == reporter.pk:
        return lazy_message("You can’t report yourself.")
    if about.is_erased:
        return lazy_message("This player no longer exists.")
    if reporter is not None and reporter.has_user:
        return ""
    if reporter is None or table is None or not table.seats.filter(guest=reporter).exists():
        return lazy_message("Without an account, you can only report players in your own games.")
    return ""


def budget_left(reporter: Guest) -> int:
    """The number of reports that somebody may still make within 24 hours."""
    made = Report.objects.filter(reporter=reporter, at__gt=clock.now() - DAY).count()
    return max(0, (PER_DAY if reporter.has_user else PER_DAY_OF_GUESTS) - made)
