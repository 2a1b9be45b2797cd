"""Notices about reports and measures. Call these inside the transaction of their cause."""

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, Measure, Report
from kakomi.server.moderation.permissions import MODERATE, is_own, staff_with
from kakomi.server.moderation.wording import MEASURE_TITLES
from kakomi.server.notices.services import notify, notify_all, text_reference

CASE = "case"
_OUTCOMES = {
    Report.Outcome.ACTED: lazy_message("We took action. Thank you."),
    Report.Outcome.NOTHING: lazy_message("We didn’t find a reason to act. Thanks for reporting it anyway."),
}
_DECISIONS = {
    True: lazy_message("It was granted: the restriction has been lifted."),
    False: lazy_message("It was rejected: the restriction stays."),
}


def notify_measure(measure: Measure) -> None:
    """Notify a person of a measure about them, and its reason."""
    title = str(MEASURE_TITLES[Measure.Kind(measure.kind)])
    data = {"title": title, "words": text_reference(measure, "reason"), "address": _page()}
    notify(measure.about_id, "measure", str(measure.pk), data)


def notify_measure_lifted(entry: AuditEntry) -> None:
    """Notify a person that a measure was lifted, with the reason in the log."""
    data = {"words": text_reference(entry, "reason"), "address": _page()}
    notify(entry.about_id or 0, "measure_lifted", str(entry.data["measure"]), data)


def notify_appeal_decided(appeal: Appeal) -> None:
    """Notify a person of the decision on their appeal."""
    title = str(_DECISIONS[bool(appeal.is_granted)])
    data = {"title": title, "words": text_reference(appeal, "answer"), "address": _page()}
    notify(appeal.by_id, "appeal_decided", str(appeal.measure_id), data)


def notify_report_answered(report: Report) -> None:
    """Notify a person of the outcome of their report, without details."""
    title = str(_OUTCOMES[Report.Outcome(report.outcome)])
    notify(report.reporter_id, "report_answered", str(report.pk), {"title": title, "address": _page()})


def notify_staff(case: Case, key: str, title: str, but: Guest) -> None:
    """Notify staff that a case needs attention, except the person it is about and `but`, who caused it."""
    others = [user.guest_id for user in staff_with(MODERATE) if not is_own(user, case.about)]
    data = {"number": case.pk, "title": title, "address": reverse("moderation_case", args=[case.pk])}
    recipients = [guest for guest in others if guest != but.pk]
    notify_all(recipients, CASE, f"{case.pk}.{key}", data, about=case.about)


def _page() -> str:
    return reverse("standing")
