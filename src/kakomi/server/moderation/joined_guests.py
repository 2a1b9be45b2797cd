"""Reports and measures of a guest who turns out to be a user: they become the user's."""

from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, ErasureRequest, Measure, Report


def take_over_standing(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest all that staff know and have decided of another one. Must be inside a transaction.

    So nobody leaves a mute or a suspension behind by signing in. What one of the two has reported of the
    other is dropped: nobody reports themselves.
    """
    Measure.objects.filter(about=left).update(about=guest)
    Appeal.objects.filter(by=left).update(by=guest)
    AuditEntry.objects.hand_over(left, guest)
    _take_over_cases(left, guest)
    Report.objects.filter(reporter=left).update(reporter=guest)
    Report.objects.filter(reporter=guest, case__about=guest).delete()
    ErasureRequest.objects.filter(about=left).delete()


def _take_over_cases(left: Guest, guest: Guest) -> None:
    """Of two open cases one stays."""
    own = Case.objects.filter(about=guest, closed_at=None).first()
    for case in Case.objects.filter(about=left, closed_at=None) if own else ():
        case.reports.update(case=own)
        case.measures.update(case=own)
        case.delete()
    Case.objects.filter(about=left).update(about=guest)
