"""What somebody may not do for now: the one place that says so, for games, the lobby and chat."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import Measure
from kakomi.server.moderation.wording import until_in_words
from kakomi.session import Refused


def in_force(now: float) -> "QuerySet[Measure]":
    """All mutes, suspensions and demands for a name that hold at a moment, if the name is still the same."""
    lasting = Q(kind__in=(Measure.Kind.MUTE, Measure.Kind.SUSPENSION), until__gt=now)
    return Measure.objects.filter(lasting | Q(kind=Measure.Kind.NAME), lifted_at=None)


def holds(measure: Measure, now: float) -> bool:
    """Whether a measure keeps its person from something; the person has to be fetched."""
    if measure.lifted_at is not None:
        return False
    if measure.kind == Measure.Kind.NAME:
        return measure.about.called == measure.name
    return measure.until is not None and measure.until > now


def kept_from_people(guests: Iterable[int]) -> dict[int, Measure]:
    """Those of some guests, by number, who begin no games with others for now; what keeps each longest."""
    now = clock.now()
    kinds = (Measure.Kind.SUSPENSION, Measure.Kind.NAME)
    rows = in_force(now).filter(about__in=list(guests), kind__in=kinds).select_related("about")
    found: dict[int, Measure] = {}
    for row in rows:
        if holds(row, now):
            before = found.get(row.about_id)
            found[row.about_id] = row if before is None or _lasts(row) > _lasts(before) else before
    return found


def mute_of(guest: Guest) -> Measure | None:
    """What keeps somebody from writing to others for now: the mute or suspension that lasts longest."""
    kinds = (Measure.Kind.MUTE, Measure.Kind.SUSPENSION)
    return in_force(clock.now()).filter(about=guest, kind__in=kinds).order_by("-until").first()


def expect_free(guest: Guest) -> None:
    """Raise Refused, saying until when, if somebody begins no games with others for now."""
    if measure := kept_from_people([guest.pk]).get(guest.pk):
        raise Refused(why_kept(measure))


def why_kept(measure: Measure) -> str:
    """Why the reader begins no games with others, and what ends that; the person should be fetched."""
    if measure.kind == Measure.Kind.NAME:
        return lazy_message("Choose another name first, on your page: then you can begin games with others.")
    return lazy_message(
        "You are suspended until {until}, and begin no games with others until then. You can play bots.",
        until=until_in_words(measure),
    )


def _lasts(measure: Measure) -> float:
    return measure.until if measure.until is not None else float("inf")
