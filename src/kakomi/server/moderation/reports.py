"""Reports: what somebody tells staff about somebody else, within a budget, and once."""

from dataclasses import dataclass

from django.utils import translation

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.moderation.models import TEXT_LENGTH, Report
from kakomi.server.moderation.notices import tell_staff
from kakomi.server.moderation.services import case_of
from kakomi.server.moderation.wording import REPORTS
from kakomi.server.tables.models import Table
from kakomi.session import Refused
from kakomi.session.time_control import DAY

PER_DAY, PER_DAY_OF_GUESTS = 10, 3
"""Reports that somebody may make in 24 hours, with an account and without."""


@dataclass(frozen=True)
class Complaint:
    """What somebody reports."""

    about: Guest
    kind: str
    text: str = ""
    table: Table | None = None
    quote: str = ""
    """What was said, if it is about that."""
    address: str = ""
    """The page of the thing that it is about, such as a tournament: of each thing one report counts."""
    message: int | None = None
    """The number of the message at the table that it is about."""


def report(reporter: Guest, complaint: Complaint) -> Report:
    """Keep a report; the same once more is the first one. Raises Refused, saying why."""
    if wrong := why_not(reporter, complaint):
        raise Refused(wrong)
    with writing():
        Guest.objects.select_for_update(no_key=True).get(pk=reporter.pk)  # one after the other
        case = case_of(complaint.about)
        place = complaint.table.pk if complaint.table else 0
        key = f"{case.pk}.{reporter.pk}.{complaint.kind}.{complaint.address or place}"
        key += f".{complaint.message}" if complaint.message else ""
        if known := Report.objects.filter(key=key).first():
            return known
        if not budget_left(reporter):
            raise Refused(lazy_message("You have reported much today. Your reports are being looked at."))
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
        with translation.override("en"):  # as notices have it
            title = str(REPORTS[Report.Kind(made.kind)])
        tell_staff(case, str(made.pk), title, reporter)
        return made


def why_not(reporter: Guest | None, complaint: Complaint) -> str:
    """Why somebody can't report this, and what would be right; empty if they can.

    A visitor who has done nothing here yet, None, has met nobody.
    """
    about, table = complaint.about, complaint.table
    if complaint.kind not in Report.Kind.values:
        return lazy_message("Choose what it is about.")
    if len(complaint.text.strip()) > TEXT_LENGTH:
        return lazy_message("Write {most} characters at most.", most=TEXT_LENGTH)
    if reporter is not None and about.pk == reporter.pk:
        return lazy_message("You can’t report yourself.")
    if about.is_erased:
        return lazy_message("This person isn’t here any more.")
    if reporter is not None and reporter.has_user:
        return ""
    if reporter is None or table is None or not table.seats.filter(guest=reporter).exists():
        return lazy_message("Without an account you can report those with whom you sit at a table.")
    return ""


def budget_left(reporter: Guest) -> int:
    """How many reports somebody may still make today."""
    made = Report.objects.filter(reporter=reporter, at__gt=clock.now() - DAY).count()
    return max(0, (PER_DAY if reporter.has_user else PER_DAY_OF_GUESTS) - made)
