"""The audit of moderation after a season: each measure is logged once, is enforced, and ends by itself."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kakomi.server.accounts.models import Guest, User
from kakomi.server.chat.models import Message
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, Measure, Report
from kakomi.server.moderation.restrictions import barred_from_games, mute_of
from kakomi.server.notices.models import Notice
from kakomi.server.ratings.models import Change, Result, Ruling
from kakomi.server.site import clock
from kakomi.server.tables.models import Table
from season.course import kept_lines
from season.deeds import OF_STAFF
from season.reckoning import SLACK

Kind = Measure.Kind
HOLDING = (Kind.MUTE, Kind.SUSPENSION)


def findings(done: Path) -> Iterator[str]:
    """Yield all that is wrong with moderation."""
    yield from _undone(done)
    yield from _measures()
    yield from _lifted()
    yield from _cases()
    yield from _rulings()
    yield from _messages(done)
    for measure in Measure.objects.filter(kind__in=HOLDING):
        yield from broken(measure)
    yield from _held_now()


def _undone(done: Path) -> Iterator[str]:
    """Yield confirmed actions that left no trace."""
    users = dict(User.objects.values_list("guest", "pk"))
    keys = set(AuditEntry.objects.values_list("key", flat=True))
    for kind in OF_STAFF:
        for deed in kept_lines(done, kind):
            if kind != "remove_message" and f"{users[deed['person']]}:{deed['key']}" not in keys:
                yield f"{kind} {deed['key']} is not in the log of what staff did"
    erased = frozenset(Guest.objects.filter(is_erased=True).values_list("pk", flat=True))
    reports = set(Report.objects.values_list("reporter", "case__about", "kind", "table__code"))
    for deed in kept_lines(done, "report"):
        told = (deed["person"], deed["about"], deed["what"], deed["code"])
        if not erased.intersection(told[:2]) and told not in reports:
            yield f"the report {told} is lost"
    for person in {deed["person"] for deed in kept_lines(done, "erase")} - erased:
        yield f"{person} was erased, and is there"


def _measures() -> Iterator[str]:
    """Yield measures without exactly one log entry or one notice."""
    entries = Counter(
        (entry.act, entry.data["measure"])
        for entry in AuditEntry.objects.filter(act__in=Kind.values)
        if entry.data
    )
    notices = Counter(Notice.objects.filter(kind="measure").values_list("key", flat=True))
    for measure in Measure.objects.all():
        if (times := entries.pop((measure.kind, measure.pk), 0)) != 1:
            yield f"measure {measure.pk}, {measure.kind}, is {times} times in the log of what staff did"
        if notices[f"measure.{measure.pk}.{measure.about_id}"] != 1:
            yield f"nobody has told {measure.about_id} of measure {measure.pk}"
    yield from (f"the log has {act} {number}, and there is none" for act, number in entries)


def _lifted() -> Iterator[str]:
    """Yield lifted measures and answered appeals without exactly one log entry."""
    entries = Counter(
        entry.data["measure"]
        for entry in AuditEntry.objects.filter(act__in=("lift", "appeal granted"))
        if entry.data
    )
    for measure in Measure.objects.all():
        if entries[measure.pk] != (measure.lifted_at is not None):
            yield f"measure {measure.pk} was taken back {entries[measure.pk]} times by the log"
    answers = Counter(
        entry.data["measure"] for entry in AuditEntry.objects.filter(act__startswith="appeal ") if entry.data
    )
    for appeal in Appeal.objects.all():
        if answers[appeal.measure_id] != (appeal.decided_at is not None):
            yield f"appeal {appeal.pk} was answered {answers[appeal.measure_id]} times by the log"


def _cases() -> Iterator[str]:
    """Yield closed cases without exactly one log entry, or with unanswered reports."""
    closings = Counter(entry.data["case"] for entry in AuditEntry.objects.filter(act="close") if entry.data)
    for case in Case.objects.prefetch_related("reports"):
        if closings[case.pk] != (case.closed_at is not None):
            yield f"case {case.pk} was closed {closings[case.pk]} times by the log"
        if case.closed_at is not None and any(not report.outcome for report in case.reports.all()):
            yield f"case {case.pk} is closed, and a report in it open"


def _rulings() -> Iterator[str]:
    """Yield results that contradict their latest ruling, and compare annulments with their log entries."""
    last = dict(Ruling.objects.order_by("pk").values_list("result", "annuls"))
    for number, is_annulled in Result.objects.values_list("pk", "is_annulled"):
        if is_annulled != last.get(number, False):
            yield f"result {number} is annulled: {is_annulled}, and its rulings say otherwise"
    if Change.objects.filter(entrant__result__is_annulled=True, counted=True).exists():
        yield "an annulled result has moved a rating"
    decided, noted = (
        Ruling.objects.filter(annuls=True).count(),
        AuditEntry.objects.filter(act=Kind.ANNULMENT).count(),
    )
    if decided != noted:
        yield f"{decided} results were annulled, and the log of what staff did has {noted}"


def _messages(done: Path) -> Iterator[str]:
    """Yield lost and duplicate messages, and removed ones without exactly one log entry."""
    texts = Counter(Message.objects.exclude(text="").values_list("text", flat=True))
    yield from (f"{text!r} stands {count} times at a table" for text, count in texts.items() if count > 1)
    keys = set(Message.objects.values_list("key", flat=True))
    tables = dict(Table.objects.values_list("code", "pk"))
    for deed in kept_lines(done, "say"):
        place = f"{tables.get(deed['code'])}.{Message.Room.PLAYERS[0]}"
        if f"{deed['person']}.{place}.{deed['key'][:30]}" not in keys:
            yield f"what {deed['person']} said at {deed['code']} is lost: {deed['key']}"
    removals = Counter(
        entry.data["message"] for entry in AuditEntry.objects.filter(act="message") if entry.data
    )
    for message in Message.objects.filter(author__is_erased=False):
        if removals[message.pk] != (message.removed_at is not None):
            yield f"message {message.pk} was removed {removals[message.pk]} times by the log"


def broken(measure: Measure) -> Iterator[str]:
    """Yield violations of a measure while it was in force."""
    ends = [at for at in (measure.until, measure.lifted_at) if at is not None]
    first, last = measure.at + SLACK, min(ends) - SLACK
    words = Message.objects.filter(author=measure.about_id, at__gt=first, at__lt=last)
    if words.exists():
        yield f"{measure.about_id} said something while measure {measure.pk} held"
    if measure.kind == Kind.SUSPENSION:
        for row in Table.objects.filter(seats__guest=measure.about_id).distinct():
            if first < row.begun["at"] < last:
                yield f"{measure.about_id} began {row.code} while suspended by measure {measure.pk}"


def _held_now() -> Iterator[str]:
    """Check that those restricted now are exactly those with a measure in force."""
    now = clock.now()
    standing = Measure.objects.filter(lifted_at=None, until__gt=now, kind__in=HOLDING)
    people = list(Measure.objects.values_list("about", flat=True).distinct())
    suspended = set(standing.filter(kind=Kind.SUSPENSION).values_list("about", flat=True))
    if set(barred_from_games(people)) != suspended:
        yield f"{sorted(barred_from_games(people))} begin no games, and {sorted(suspended)} are suspended"
    muted = set(standing.values_list("about", flat=True))
    for guest in Guest.objects.filter(pk__in=people):
        if (mute_of(guest) is not None) != (guest.pk in muted):
            yield f"{guest.pk} may write or not, other than their measures say"


def figures() -> dict[str, int]:
    """Counts of moderation."""
    kinds = Counter(Measure.objects.values_list("kind", flat=True))
    return {
        "reports": Report.objects.count(),
        **{f"{kind.value}s": kinds[kind.value] for kind in HOLDING},
        "annulments": Ruling.objects.filter(annuls=True).count(),
        "appeals": Appeal.objects.count(),
        "entries of staff": AuditEntry.objects.count(),
        "messages": Message.objects.count(),
        "people erased": Guest.objects.filter(is_erased=True).count(),
    }
