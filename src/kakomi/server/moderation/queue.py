"""The order in which staff look at cases."""

from django.db.models import QuerySet

from kakomi.server.moderation.models import Appeal, Case
from kakomi.server.moderation.suspicions import weight


def open_cases() -> "QuerySet[Case]":
    """Those that wait, what is likely first."""
    return Case.objects.filter(closed_at=None).select_related("about").order_by("-weight", "pk")


def reweigh(case: Case) -> None:
    """Give a case its place in the queue anew. Must be inside a transaction."""
    reporters = dict(case.reports.values_list("reporter", "reporter__handle"))
    accounts = sum(handle is not None for handle in reporters.values())
    surprises = list(case.findings.values_list("surprise", flat=True))
    waits = Appeal.objects.filter(measure__case=case, decided_at=None).exists()
    case.weight = weight(accounts, len(reporters) - accounts, surprises, has_appeal=waits)
    case.save(update_fields=["weight"])
