"""A person's current restrictions, for games, the lobby and chat."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import Measure
from kakomi.server.moderation.wording import until_in_words
from kakomi.server.site import clock
from kakomi.session import Refused


def in_force(now: float) -> "QuerySet[Measure]":
    """All mutes, suspensions and name demands in force at a time, even if the name has been changed."""
    lasting = Q(kind__in=(Measure.Kind.MUTE, Measure.Kind.SUSPENSION), until__gt=now)
    return Measure.objects.filter(lasting | Q(kind=Measure.Kind.NAME), lifted_at=None)


def is_in_force(measure: Measure, now: float) -> bool:
    """Whether a measure currently restricts its person. `measure.about` should be prefetched."""
    if measure.lifted_at is not None:
        return False
    if measure.kind == Measure.Kind.NAME:
        return measure.about.display_name == measure.name
    return measure.until is not None and measure.until > now


def barred_from_games(guests: Iterable[int]) -> dict[int, Measure]:
    """The guests who currently may not begin games with others, with the longest measure of each."""
    now = clock.now()
    kinds = (Measure.Kind.SUSPENSION, Measure.Kind.NAME)
    rows = in_force(now).filter(about__in=list(guests), kind__in=kinds).select_related("about")
    found: dict[int, Measure] = {}
    for row in rows:
        if is_in_force(row, now):
            before = found.get(row.about_id)
            found[row.about_id] = row if before is None or _lasts(row) > _lasts(before) else before
    return found


def mute_of(guest: Guest) -> Measure | None:
    """The longest mute or suspension that bars a guest from writing to others, or None."""
    kinds = (Measure.Kind.MUTE, Measure.Kind.SUSPENSION)
    return in_force(clock.now()).filter(about=guest, kind__in=kinds).order_by("-until").first()


def check_not_barred(guest: Guest) -> None:
    """Raise Refused, with the end date, if a guest may not begin games with others."""
    if measure := barred_from_games([guest.pk]).get(guest.pk):
        raise Refused(why_barred(measure))


def why_barred(measure: Measure) -> str:
    """Why the reader may not begin games with others, and what ends that. `about` should be prefetched."""
    if measure.kind == Measure.Kind.NAME:
        return lazy_message("Choose another name on your account page before starting games with others.")
    return lazy_message(
        "You’re suspended until {until}: you can’t start games with others, but you can play bots.",
        until=until_in_words(measure),
    )


def _lasts(measure: Measure) -> float:
    return measure.until if measure.until is not None else float("inf")
