"""Reports, appeals and erasures in a season, and the decisions of staff about them."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from kakomi.server.accounts.models import Guest, User
from kakomi.server.chat import services as chat
from kakomi.server.chat.models import Message
from kakomi.server.moderation import erasure_requests, services
from kakomi.server.moderation.commands import submission_of_form
from kakomi.server.moderation.models import Appeal, Case, ErasureRequest, Measure, Report
from kakomi.server.moderation.presenters import open_cases
from kakomi.server.moderation.reports import Complaint, file_report
from kakomi.server.moderation.restrictions import is_in_force
from kakomi.server.people.erasure import erase
from kakomi.server.ratings.models import Result
from kakomi.server.site import clock
from kakomi.server.tables import models, selectors

Deed = dict[str, Any]
MOST_CASES = 3
"""The most cases that a moderator handles per visit."""


def about_others(guest: Guest, rows: Sequence[models.Table], chance: random.Random) -> Iterator[Deed]:
    """Yield reports and appeals of a person, who rarely also asks to be erased."""
    others = [
        seat.guest_id for row in rows for seat in row.seats.all() if seat.guest_id not in (None, guest.pk)
    ]
    if others and chance.random() < 0.04:
        table = next(row for row in rows if any(seat.guest_id == others[0] for seat in row.seats.all()))
        yield {
            "do": "report",
            "about": others[0],
            "what": chance.choice(Report.Kind.values),
            "code": table.code,
        }
    for measure in Measure.objects.filter(about=guest, lifted_at=None, appeal=None):
        if chance.random() < 0.3:
            yield {"do": "appeal", "number": measure.pk}
    if chance.random() < 0.001:
        yield {"do": "erase"}


def of_staff(guest: Guest, chance: random.Random, slowness: float) -> Iterator[Deed]:
    """Yield the actions of a visiting moderator."""
    for case in open_cases()[:MOST_CASES]:
        form = _decision(case, guest.user, chance, slowness)
        yield {"do": "decide", "case": case.pk, "form": {**form, "seen": str(case.version)}}
        if chance.random() < 0.02:
            yield {"do": "ask_erasure", "about": case.about_id}
    for asked in ErasureRequest.objects.exclude(asked_by=guest.user):
        yield {"do": chance.choice(("confirm_erasure", "withdraw_erasure")), "about": asked.about_id}
    messages = list(Message.objects.filter(removed_at=None, at__gt=clock.now() - 24 * 3600.0))
    if messages and chance.random() < 0.1:
        yield {"do": "remove_message", "message": chance.choice(messages).pk}


def _decision(case: Case, by: User, chance: random.Random, slowness: float) -> dict[str, str]:
    """The form of a moderator's decision on a case, without its version and key."""
    reason = {"reason": f"I have seen case {case.pk}"}
    appeal = Appeal.objects.filter(measure__case=case, decided_at=None).first()
    if appeal is not None and services.imposed_by(appeal.measure) != by.pk:
        return {**reason, "kind": chance.choice(("grant", "refuse")), "number": str(appeal.measure_id)}
    standing = [each for each in case.about.measures.filter(lifted_at=None) if is_in_force(each, clock.now())]
    results = Result.objects.filter(entrants__guest=case.about, is_annulled=False)
    codes = list(results.values_list("table__code", flat=True))
    kinds = ["mute", "suspend", "close", "close"]
    kinds += ["lift"] * bool(standing) + ["annul", "annul"] * bool(codes)
    kind = chance.choice(kinds)
    form = {**reason, "kind": kind, "days": str(round(chance.randint(1, 3) * max(slowness / 3, 1)))}
    if kind == "lift":
        form["number"] = str(chance.choice(standing).pk)
    elif kind == "annul":
        form["code"] = chance.choice(codes)
    return form


def _report(guest: Guest, deed: Deed) -> None:
    about, table = Guest.objects.get(pk=deed["about"]), selectors.find_table(deed["code"])
    file_report(guest, Complaint(about, deed["what"], f"I report {deed['key']}", table))


def _erase(guest: Guest, deed: Deed) -> None:
    if not guest.is_erased:  # a repeated request may not know that it was done
        erase(guest)


def _decide(guest: Guest, deed: Deed) -> None:
    sent = submission_of_form({**deed["form"], "key": deed["key"]})
    services.decide(deed["case"], guest.user, replace(sent, key=deed["key"]))


def _ask_erasure(guest: Guest, deed: Deed) -> None:
    erasure_requests.ask(_about(deed), guest.user, f"I ask for it: {deed['key']}", deed["key"])


def _confirm_erasure(guest: Guest, deed: Deed) -> None:
    erasure_requests.confirm(_about(deed), guest.user, deed["key"])


def _withdraw_erasure(guest: Guest, deed: Deed) -> None:
    erasure_requests.withdraw(_about(deed), guest.user, f"I withdraw it: {deed['key']}", deed["key"])


def _about(deed: Deed) -> Guest:
    return Guest.objects.get(pk=deed["about"])


def _remove_message(guest: Guest, deed: Deed) -> None:
    chat.remove_message(Message.objects.get(pk=deed["message"]), guest.user, "I remove it", deed["key"])


DEEDS: dict[str, Callable[[Guest, Deed], object]] = {
    "report": _report,
    "appeal": lambda guest, deed: services.appeal(deed["number"], guest, f"I appeal {deed['key']}"),
    "erase": _erase,
    "decide": _decide,
    "ask_erasure": _ask_erasure,
    "confirm_erasure": _confirm_erasure,
    "withdraw_erasure": _withdraw_erasure,
    "remove_message": _remove_message,
}
