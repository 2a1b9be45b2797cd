"""Looks through the ledger for what is unlikely by chance, and puts it into cases."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db.models import Max, QuerySet

from kakomi.contest import Rating, chance
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.moderation.compared import compared_by_guest
from kakomi.server.moderation.models import Case, Finding
from kakomi.server.moderation.queue import reweigh
from kakomi.server.moderation.services import case_of
from kakomi.server.moderation.suspicions import Surprise, agreement, only_lose_to_each_other, time_outs
from kakomi.server.ratings.models import Entrant
from kakomi.session.time_control import DAY

SPAN = 90 * DAY
"""So far back the ledger is looked through."""
MOST_ENTRANTS = 50_000
"""So many at most, the last ones: a bound on memory and time."""
ABSENCE = 3 * DAY
"""Games over days in which somebody's time is up within so long are lost by one absence, and count once."""
_SHOWN = 10
"""Games that a finding names."""


@dataclass(frozen=True)
class Game:
    """A rated game of two, as one of them has it."""

    code: str
    other: int | None
    """The other one's number; None for a bot."""
    is_lost: bool
    ran_out: bool
    loss: float
    """The chance of a loss, by the ratings before the game."""
    at: float
    is_over_days: bool


@dataclass
class Found:
    """A surprise about somebody."""

    about: int
    kind: str
    surprise: Surprise
    other: int | None = None
    codes: list[str] = field(default_factory=list)


def look_through() -> None:
    """Keep what is unlikely in the ledger in open cases; what is there already is counted anew."""
    since = clock.now() - SPAN
    games = games_by_guest(since)
    for found in (
        *series_of_time_outs(games),
        *pairs_that_only_lose_to_each_other(games),
        *agreements_with_level_10(since),
    ):
        _keep(found)


def _closings() -> dict[int, float]:
    """When the last case about somebody was closed: what was before is done with."""
    closed = Case.objects.exclude(closed_at=None).values_list("about")
    return dict(closed.annotate(last=Max("closed_at")).order_by())


def games_by_guest(since: float) -> dict[int, list[Game]]:
    """The rated games of two since a moment, by guest; of those with a closed case only later ones."""
    closed = _closings()
    games: dict[int, list[Game]] = defaultdict(list)
    for one, other in _pairs(_entrants(since)):
        for own, opposite in ((one, other), (other, one)):
            if own.guest_id is not None and own.result.ended_at > closed.get(own.guest_id, 0.0):
                games[own.guest_id].append(_game(own, opposite))
    return dict(games)


def _entrants(since: float) -> "QuerySet[Entrant]":
    rows = Entrant.objects.filter(
        result__ended_at__gt=since, result__is_annulled=False, change__isnull=False
    ).select_related("change", "result__table", "result__pool")
    return rows.order_by("-result__ended_at", "-result", "seat")[:MOST_ENTRANTS]


def _pairs(rows: "QuerySet[Entrant]") -> Iterator[tuple[Entrant, Entrant]]:
    """The entrants of each result that has two, of different people."""
    results: dict[int, list[Entrant]] = defaultdict(list)
    for row in rows:
        results[row.result_id].append(row)
    for entrants in results.values():
        if len(entrants) == 2 and entrants[0].guest_id != entrants[1].guest_id:
            yield entrants[0], entrants[1]


def _game(own: Entrant, opposite: Entrant) -> Game:
    before, against = (Rating(row.change.mean_before, row.change.sigma_rated) for row in (own, opposite))
    return Game(
        own.result.table.code,
        opposite.guest_id,
        own.place > opposite.place,
        own.ran_out,
        chance(against, before),
        own.result.ended_at,
        own.result.pool.pace == "days",
    )


def series_of_time_outs(games: Mapping[int, list[Game]]) -> Iterator[Found]:
    """Those whose time is up much more often than that of all others."""
    counted = {guest: list(without_absences(own)) for guest, own in games.items()}
    total = sum(map(len, counted.values()))
    lost = sum(game.ran_out for each in counted.values() for game in each)
    for guest, own in counted.items():
        of_own = sum(game.ran_out for game in own)
        share = (lost - of_own) / (total - len(own)) if total > len(own) else 0.0
        surprise = time_outs([game.ran_out for game in own], share)
        if surprise.is_finding:
            yield Found(guest, "time_outs", surprise, None, [game.code for game in own if game.ran_out])


def without_absences(games: Iterable[Game]) -> Iterator[Game]:
    """Somebody's games in their order; of those over days that one absence has lost, the first alone."""
    away_until = -math.inf
    for game in sorted(games, key=lambda game: game.at):
        if game.ran_out and game.is_over_days:
            if game.at < away_until:
                continue
            away_until = game.at + ABSENCE
        yield game


def pairs_that_only_lose_to_each_other(games: Mapping[int, list[Game]]) -> Iterator[Found]:
    """Pairs of people, both of whom lose to nobody else; found for each of the two."""
    for guest, own in games.items():
        for other in sorted({game.other for game in own if game.other is not None and game.other > guest}):
            theirs = games.get(other, [])
            together = [game for game in own if game.other == other]
            decided = [game.loss for game in together if game.is_lost]
            decided += [game.loss for game in theirs if game.other == guest and game.is_lost]
            elsewhere = [game for game in own if game.other != other]
            elsewhere += [game for game in theirs if game.other != guest]
            surprise = only_lose_to_each_other(
                decided, [game.loss for game in elsewhere], sum(game.is_lost for game in elsewhere)
            )
            if surprise.is_finding:
                codes = [game.code for game in together]
                yield Found(guest, "pair", surprise, other, codes)
                yield Found(other, "pair", surprise, guest, codes)


def agreements_with_level_10(since: float) -> Iterator[Found]:
    """Those who agree with level 10 far more than their ratings explain."""
    closed = _closings()
    for guest, compared in compared_by_guest(since).items():
        later = [each for each in compared if each.at > closed.get(guest, 0.0)]
        surprise = agreement([each.agreement for each in later])
        if surprise.is_finding:
            yield Found(guest, "agreement", surprise, None, [each.code for each in later])


def _keep(found: Found) -> None:
    """Keep what was found, in the open case about its person."""
    with writing():
        guest = Guest.objects.get(pk=found.about)
        if guest.is_erased:
            return
        case, surprise = case_of(guest), found.surprise
        Finding.objects.update_or_create(
            key=f"{case.pk}.{found.kind}.{found.other or 0}",
            defaults={
                "case": case,
                "kind": found.kind,
                "other_id": found.other,
                "count": surprise.count,
                "of": surprise.of,
                "expected": surprise.expected,
                "low": surprise.low,
                "high": surprise.high,
                "surprise": surprise.bits,
                "tables": found.codes[:_SHOWN],
                "at": clock.now(),
            },
        )
        reweigh(case)
