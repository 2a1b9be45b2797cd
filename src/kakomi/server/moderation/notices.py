"""What people hear of reports and measures, as notices. Call these inside the transaction of their cause."""

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, Measure, Report
from kakomi.server.moderation.permissions import MODERATE, is_own, staff_who
from kakomi.server.moderation.wording import TOLD
from kakomi.server.notices.services import kept_in, notify, notify_all

CASE = "case"
_OUTCOMES = {
    Report.Outcome.ACTED: lazy_message("Something was done. Thank you."),
    Report.Outcome.NOTHING: lazy_message("Staff saw no need to do anything. Thank you all the same."),
}
_DECISIONS = {
    True: lazy_message("It was granted: the measure is taken back."),
    False: lazy_message("It was refused: the measure stays."),
}


def tell_measure(measure: Measure) -> None:
    """Tell somebody what was decided about them, and why."""
    title = str(TOLD[Measure.Kind(measure.kind)])
    data = {"title": title, "words": kept_in(measure, "reason"), "address": _page()}
    notify(measure.about_id, "measure", str(measure.pk), data)


def tell_lifted(entry: AuditEntry) -> None:
    """Tell somebody that a measure was taken back, and why, as the log has it."""
    data = {"words": kept_in(entry, "reason"), "address": _page()}
    notify(entry.about_id or 0, "measure_lifted", str(entry.data["measure"]), data)


def tell_decided(appeal: Appeal) -> None:
    """Tell somebody what became of their appeal."""
    title = str(_DECISIONS[bool(appeal.is_granted)])
    data = {"title": title, "words": kept_in(appeal, "answer"), "address": _page()}
    notify(appeal.by_id, "appeal_decided", str(appeal.measure_id), data)


def tell_answered(report: Report) -> None:
    """Tell somebody that their report was looked at, without details."""
    title = str(_OUTCOMES[Report.Outcome(report.outcome)])
    notify(report.reporter_id, "report_answered", str(report.pk), {"title": title, "address": _page()})


def tell_staff(case: Case, key: str, title: str, but: Guest) -> None:
    """Tell staff what waits in a case, but nobody of whom it is, and not who has brought it there."""
    others = [user.guest_id for user in staff_who(MODERATE) if not is_own(user, case.about)]
    data = {"number": case.pk, "title": title, "address": reverse("moderation_case", args=[case.pk])}
    told = [guest for guest in others if guest != but.pk]
    notify_all(told, CASE, f"{case.pk}.{key}", data, about=case.about)


def _page() -> str:
    return reverse("standing")
