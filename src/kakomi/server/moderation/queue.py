"""The order in which staff look at cases."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from kakomi.server.moderation.models import Appeal, Case


def open_cases() -> "QuerySet[Case]":
    """Those that wait: appeals first, then what most accounts have reported, then what most guests have."""
    appeals = Appeal.objects.filter(measure__case=OuterRef("pk"), decided_at=None)
    reporters = Count("reports__reporter", distinct=True)
    accounts = Count("reports__reporter", Q(reports__reporter__handle__isnull=False), distinct=True)
    rows = Case.objects.filter(closed_at=None).select_related("about")
    rows = rows.annotate(has_appeal=Exists(appeals), reporters=reporters, accounts=accounts)
    return rows.order_by("-has_appeal", "-accounts", "-reporters", "pk")
