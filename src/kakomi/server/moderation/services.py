"""Staff's decisions in cases, appeals against them, and the audit log.

Each action is logged in its own transaction, and the log entry's key makes it idempotent.
"""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.moderation.commands import (
    Annul,
    AnswerAppeal,
    Close,
    Command,
    DemandName,
    Lift,
    Mute,
    Submission,
    Suspend,
)
from kakomi.server.moderation.models import TEXT_LENGTH, Appeal, AuditEntry, Case, Measure, Report
from kakomi.server.moderation.notices import (
    CASE,
    notify_appeal_decided,
    notify_measure,
    notify_measure_lifted,
    notify_report_answered,
    notify_staff,
)
from kakomi.server.moderation.permissions import MODERATE, check_not_own, has_other_staff
from kakomi.server.moderation.restrictions import is_in_force
from kakomi.server.notices.services import mark_key_read
from kakomi.server.ratings import rulings
from kakomi.server.ratings.models import Result
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.exceptions import Conflict
from kakomi.session import Refused
from kakomi.session.time_control import DAY

Act = tuple[str, Mapping[str, Any]]
"""An action's name in the log, and its data."""


def open_case(guest: Guest, by: User, key: str, reason: str) -> Case:
    """Get or create the open case about a person, as staff. Raises Refused for oneself."""
    with writing():
        check_not_own(by, guest)
        case = case_of(guest)
        if not is_logged(by, key) and case.version == 1 and not case.reports.exists():
            log_action(by, guest, "open", reason, key, {"case": case.pk})
    return case


def case_of(guest: Guest) -> Case:
    """Get or create the open case about a person. Must be inside a transaction."""
    case, _ = Case.objects.get_or_create(about=guest, closed_at=None, defaults={"opened_at": clock.now()})
    return case


def decide(number: int, by: User, sent: Submission) -> None:
    """Carry out a staff member's command in a case, once.

    Raises Case.DoesNotExist, Refused if it isn't possible, and Conflict if the case has changed since `seen`.
    """
    with writing():
        case = Case.objects.select_for_update().get(pk=number)
        if is_logged(by, sent.key):
            return
        check_not_own(by, case.about)
        if case.closed_at is not None:
            raise Conflict(lazy_message("This case has already been closed."))
        if case.version != sent.seen:
            raise Conflict(lazy_message("This case has changed since you loaded it. Check it and try again."))
        act, data = _do(sent.command, case, by, sent.reason)
        case.version += 1
        case.save(update_fields=["version", "closed_at"])
        entry = log_action(by, case.about, act, sent.reason, sent.key, {"case": case.pk, **data})
        if isinstance(sent.command, Lift):
            notify_measure_lifted(entry)


@singledispatch
def _do(command: Command, case: Case, by: User, reason: str) -> Act:
    """Carry out a command, and return its log data."""
    raise TypeError(command)


@_do.register
def _(command: Mute, case: Case, by: User, reason: str) -> Act:
    return _impose(case, Measure.Kind.MUTE, reason, until=clock.now() + command.days * DAY)


@_do.register
def _(command: Suspend, case: Case, by: User, reason: str) -> Act:
    return _impose(case, Measure.Kind.SUSPENSION, reason, until=clock.now() + command.days * DAY)


@_do.register
def _(command: DemandName, case: Case, by: User, reason: str) -> Act:
    name = case.about.display_name
    if not name:
        raise Refused(lazy_message("This player has no name."))
    return _impose(case, Measure.Kind.NAME, reason, name=name)


@_do.register
def _(command: Annul, case: Case, by: User, reason: str) -> Act:
    results = Result.objects.filter(table__code=command.code, entrants__guest=case.about)
    result = results.select_related("table").first()
    if result is None:
        raise Refused(lazy_message("This player has no rated result in a game with that code."))
    if result.entrants.filter(guest=by.guest).exists():
        raise Refused(lazy_message("You played in this game: another moderator has to decide."))
    if rulings.annul(result, by=by, reason=reason[: rulings.LONGEST_REASON]) is None:
        raise Refused(lazy_message("This result has already been annulled."))
    return _impose(case, Measure.Kind.ANNULMENT, reason, table=result.table)


def _impose(case: Case, kind: Measure.Kind, reason: str, **fields: Any) -> Act:
    measure = Measure.objects.create(
        about=case.about, case=case, kind=kind, reason=reason, at=clock.now(), **fields
    )
    notify_measure(measure)
    return kind.value, {"measure": measure.pk}


@_do.register
def _(command: Lift, case: Case, by: User, reason: str) -> Act:
    measure = _measure(case, command.number)
    _lift(measure, by, reason)
    return "lift", {"measure": measure.pk}


@_do.register
def _(command: AnswerAppeal, case: Case, by: User, reason: str) -> Act:
    measure = _measure(case, command.number)
    appeal = Appeal.objects.select_for_update().filter(measure=measure, decided_at=None).first()
    if appeal is None:
        raise Refused(lazy_message("There is no pending appeal."))
    if imposed_by(measure) == by.pk and has_other_staff(MODERATE, by):
        raise Refused(lazy_message("You made this decision: another moderator has to answer the appeal."))
    if command.is_granted:
        _lift(measure, by, reason)
    appeal.decided_at, appeal.is_granted, appeal.answer = clock.now(), command.is_granted, reason
    appeal.save(update_fields=["decided_at", "is_granted", "answer"])
    notify_appeal_decided(appeal)
    return f"appeal {'granted' if command.is_granted else 'refused'}", {"measure": measure.pk}


@_do.register
def _(command: Close, case: Case, by: User, reason: str) -> Act:
    waiting = Appeal.objects.filter(measure__case=case, decided_at=None)
    if waiting.exists():
        raise Refused(lazy_message("Answer the pending appeal first."))
    case.closed_at = clock.now()
    has_acted = case.measures.filter(lifted_at=None, at__gte=case.opened_at).exists()
    outcome = Report.Outcome.ACTED if has_acted else Report.Outcome.NOTHING
    for report in case.reports.filter(outcome=Report.Outcome.OPEN):
        report.outcome = outcome
        report.save(update_fields=["outcome"])
        notify_report_answered(report)
    mark_key_read(CASE, f"{case.pk}.")
    return "close", {"outcome": str(outcome)}


def _measure(case: Case, number: int) -> Measure:
    """Load and lock a measure about the case's person."""
    found = Measure.objects.select_for_update().filter(pk=number, about=case.about).first()
    if found is None:
        raise Refused(lazy_message("This player has no such restriction."))
    return found


def _lift(measure: Measure, by: User, reason: str) -> None:
    is_annulment = measure.kind == Measure.Kind.ANNULMENT
    if measure.lifted_at is not None or not (is_annulment or is_in_force(measure, clock.now())):
        raise Refused(lazy_message("This restriction has already ended."))
    if is_annulment and measure.table is not None:
        result = Result.objects.get(table=measure.table)
        rulings.reinstate(result, by=by, reason=reason[: rulings.LONGEST_REASON])
    measure.lifted_at = clock.now()
    measure.save(update_fields=["lifted_at"])


def imposed_by(measure: Measure) -> int | None:
    """The number of the user who imposed a measure, according to the log; None if they are gone."""
    entry = AuditEntry.objects.filter(about=measure.about, act=measure.kind, data__measure=measure.pk).first()
    return entry.by_id if entry else None


_WAITS = lazy_message("Appeal pending")


def appeal(number: int, guest: Guest, text: str) -> Appeal:
    """Record a guest's appeal against a measure about them, in an open case.

    A second appeal returns the first one. Raises Refused for a measure that is lifted or not theirs, and for
    an invalid text.
    """
    text = text.strip()
    with writing():
        measure = Measure.objects.select_for_update().filter(pk=number, about=guest).first()
        if measure is None or measure.lifted_at is not None:
            raise Refused(lazy_message("There’s no decision to appeal here."))
        if known := Appeal.objects.filter(measure=measure).first():
            return known
        if not 0 < len(text) <= TEXT_LENGTH:
            raise Refused(lazy_message("Enter an appeal of up to {most} characters.", most=TEXT_LENGTH))
        case = case_of(guest)
        measure.case = case
        measure.save(update_fields=["case"])
        made = Appeal.objects.create(measure=measure, by=guest, text=text, at=clock.now())
        notify_staff(case, f"appeal.{made.pk}", _WAITS, guest)
        return made


def is_logged(by: User, key: str) -> bool:
    """Whether a staff member has already carried out the action with this key."""
    return AuditEntry.objects.filter(key=_named(by, key)).exists()


def log_action(
    by: User, about: Guest | None, act: str, reason: str, key: str, data: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Log an action of a staff member. Raises IntegrityError if the key is already in the log."""
    return AuditEntry.objects.create(
        key=_named(by, key), by=by, about=about, act=act, reason=reason, data=dict(data or {}), at=clock.now()
    )


def _named(by: User, key: str) -> str:
    return f"{by.pk}:{key}"
