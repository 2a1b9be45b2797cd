"""What staff decide in cases, appeals against it, and the log of what staff did.

Each deed is written with its entry in the log, whose key has it done once. Write the log inside the
transaction of the deed.
"""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.database import writing
from kakomi.server.exceptions import Conflict
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
    tell_answered,
    tell_decided,
    tell_lifted,
    tell_measure,
    tell_staff,
)
from kakomi.server.moderation.permissions import MODERATE, expect_other, others_who
from kakomi.server.moderation.restrictions import holds
from kakomi.server.notices.services import read_under
from kakomi.server.ratings import services as ratings
from kakomi.server.ratings.models import Result
from kakomi.session import Refused
from kakomi.session.time_control import DAY

Act = tuple[str, Mapping[str, Any]]
"""What a deed is called in the log, and the numbers that belong to it."""


def open_case(guest: Guest, by: User, key: str, reason: str) -> Case:
    """The open case about somebody, made now if there is none. Raises Refused for oneself."""
    with writing():
        expect_other(by, guest)
        case = case_of(guest)
        if not was_done(by, key) and case.version == 1 and not case.reports.exists():
            note(by, guest, "open", reason, key, {"case": case.pk})
    return case


def case_of(guest: Guest) -> Case:
    """The open case about somebody, made now if there is none. Must be inside a transaction."""
    made, _ = Case.objects.get_or_create(about=guest, closed_at=None, defaults={"opened_at": clock.now()})
    return made


def decide(number: int, by: User, sent: Submission) -> None:
    """Do in a case what one of staff asks for, once.

    Raises Case.DoesNotExist, Refused for what can't be done, Conflict if the case has changed since then.
    """
    with writing():
        case = Case.objects.select_for_update().get(pk=number)
        if was_done(by, sent.key):
            return
        expect_other(by, case.about)
        if case.closed_at is not None:
            raise Conflict(lazy_message("This case has been closed meanwhile."))
        if case.version != sent.seen:
            raise Conflict(
                lazy_message("Somebody has done something in this case meanwhile: look at it again.")
            )
        act, data = _do(sent.command, case, by, sent.reason)
        case.version += 1
        case.save(update_fields=["version", "closed_at"])
        noted = note(by, case.about, act, sent.reason, sent.key, {"case": case.pk, **data})
        if isinstance(sent.command, Lift):
            tell_lifted(noted)


@singledispatch
def _do(command: Command, case: Case, by: User, reason: str) -> Act:
    """Do it, and say what is noted of it."""
    raise TypeError(command)


@_do.register
def _(command: Mute, case: Case, by: User, reason: str) -> Act:
    return _impose(case, Measure.Kind.MUTE, reason, until=clock.now() + command.days * DAY)


@_do.register
def _(command: Suspend, case: Case, by: User, reason: str) -> Act:
    return _impose(case, Measure.Kind.SUSPENSION, reason, until=clock.now() + command.days * DAY)


@_do.register
def _(command: DemandName, case: Case, by: User, reason: str) -> Act:
    name = case.about.called
    if not name:
        raise Refused(lazy_message("This person has no name."))
    return _impose(case, Measure.Kind.NAME, reason, name=name)


@_do.register
def _(command: Annul, case: Case, by: User, reason: str) -> Act:
    results = Result.objects.filter(table__code=command.code, entrants__guest=case.about)
    result = results.select_related("table").first()
    if result is None:
        raise Refused(lazy_message("This person has no rated result at a table of that code."))
    if result.entrants.filter(guest=by.guest).exists():
        raise Refused(lazy_message("You have played in this game yourself: somebody else has to decide it."))
    if ratings.annul(result, by=by, reason=reason[: ratings.LONGEST_REASON]) is None:
        raise Refused(lazy_message("This result doesn’t count already."))
    return _impose(case, Measure.Kind.ANNULMENT, reason, table=result.table)


def _impose(case: Case, kind: Measure.Kind, reason: str, **fields: Any) -> Act:
    measure = Measure.objects.create(
        about=case.about, case=case, kind=kind, reason=reason, at=clock.now(), **fields
    )
    tell_measure(measure)
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
        raise Refused(lazy_message("There is no appeal that waits for an answer."))
    if imposed_by(measure) == by.pk and others_who(MODERATE, by):
        raise Refused(lazy_message("You have decided this yourself: somebody else has to answer the appeal."))
    if command.is_granted:
        _lift(measure, by, reason)
    appeal.decided_at, appeal.is_granted, appeal.answer = clock.now(), command.is_granted, reason
    appeal.save(update_fields=["decided_at", "is_granted", "answer"])
    tell_decided(appeal)
    return f"appeal {'granted' if command.is_granted else 'refused'}", {"measure": measure.pk}


@_do.register
def _(command: Close, case: Case, by: User, reason: str) -> Act:
    waiting = Appeal.objects.filter(measure__case=case, decided_at=None)
    if waiting.exists():
        raise Refused(lazy_message("An appeal waits for an answer: answer it first."))
    case.closed_at = clock.now()
    has_acted = case.measures.filter(lifted_at=None, at__gte=case.opened_at).exists()
    outcome = Report.Outcome.ACTED if has_acted else Report.Outcome.NOTHING
    for report in case.reports.filter(outcome=Report.Outcome.OPEN):
        report.outcome = outcome
        report.save(update_fields=["outcome"])
        tell_answered(report)
    read_under(CASE, f"{case.pk}.")
    return "close", {"outcome": str(outcome)}


def _measure(case: Case, number: int) -> Measure:
    """A measure about the case's person, locked."""
    found = Measure.objects.select_for_update().filter(pk=number, about=case.about).first()
    if found is None:
        raise Refused(lazy_message("This person has no such measure."))
    return found


def _lift(measure: Measure, by: User, reason: str) -> None:
    is_annulment = measure.kind == Measure.Kind.ANNULMENT
    if measure.lifted_at is not None or not (is_annulment or holds(measure, clock.now())):
        raise Refused(lazy_message("This measure has ended already."))
    if is_annulment and measure.table is not None:
        result = Result.objects.get(table=measure.table)
        ratings.reinstate(result, by=by, reason=reason[: ratings.LONGEST_REASON])
    measure.lifted_at = clock.now()
    measure.save(update_fields=["lifted_at"])


def imposed_by(measure: Measure) -> int | None:
    """The number of the user who imposed a measure, as the log has it; None if they are gone."""
    entry = AuditEntry.objects.filter(about=measure.about, act=measure.kind, data__measure=measure.pk).first()
    return entry.by_id if entry else None


_WAITS = lazy_message("An appeal waits")


def appeal(number: int, guest: Guest, text: str) -> Appeal:
    """Keep what a guest says against a measure about them; it comes to staff in an open case.

    Sent twice, it is the first one. Raises Refused for a measure that isn't theirs, and for no text.
    """
    text = text.strip()
    with writing():
        measure = Measure.objects.select_for_update().filter(pk=number, about=guest).first()
        if measure is None or measure.lifted_at is not None:
            raise Refused(lazy_message("There is no such measure that you could appeal against."))
        if known := Appeal.objects.filter(measure=measure).first():
            return known
        if not 0 < len(text) <= TEXT_LENGTH:
            raise Refused(
                lazy_message("Write what you have to say, in {most} characters at most.", most=TEXT_LENGTH)
            )
        case = case_of(guest)
        measure.case = case
        measure.save(update_fields=["case"])
        made = Appeal.objects.create(measure=measure, by=guest, text=text, at=clock.now())
        tell_staff(case, f"appeal.{made.pk}", _WAITS, guest)
        return made


def was_done(by: User, key: str) -> bool:
    """Whether one of staff has done before what a key names."""
    return AuditEntry.objects.filter(key=_named(by, key)).exists()


def note(
    by: User, about: Guest | None, act: str, reason: str, key: str, data: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Write what one of staff did. Raises IntegrityError if it is there under this key already."""
    return AuditEntry.objects.create(
        key=_named(by, key), by=by, about=about, act=act, reason=reason, data=dict(data or {}), at=clock.now()
    )


def _named(by: User, key: str) -> str:
    return f"{by.pk}:{key}"
