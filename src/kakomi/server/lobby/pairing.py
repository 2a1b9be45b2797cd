"""Automatic pairing: people who would play anybody are brought together, after a change or a while.

A quick wish is a seek under the site's usual terms, so it stands in the list as well and others may join it.
Wishes that fit are merged into the oldest one, with all who have joined them.
"""

import math
import secrets
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from kakomi import catalog
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import with_people
from kakomi.server.lobby import news, selectors, services
from kakomi.server.lobby.conditions import Visitor, held_up, obstacle
from kakomi.server.lobby.models import Place, Seek
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.services import Outcome, Wish, end, settle
from kakomi.server.lobby.terms import SeekTerms, boards_of, seats_of
from kakomi.server.ratings.selectors import find_pool, ratings_in
from kakomi.session import TimeControl
from kakomi.session.time_control import DAY, Pace

CONTROLS: dict[Pace, TimeControl] = {
    "live": TimeControl(600.0, 5.0),
    "days": TimeControl(3 * DAY, kind="days"),
}
"""The usual clocks: ten minutes and five seconds more a turn; three days for each turn."""
NEAR = 150.0
"""So far apart ratings may be at once, in points."""
WIDENING = {"live": 10.0, "days": 0.02}
"""And so many points more with every second, by pace: after a minute, or ten hours, nearly all will do."""
QUICK_DAYS = 14
"""For so many days somebody waits for a game over days."""


@dataclass(frozen=True)
class QuickWish:
    """To play a game with anybody."""

    game: str
    pace: Pace = "live"
    sizes: tuple[int, ...] = ()
    """The boards that will do; empty: any that is offered."""
    least: int = 0
    most: int = 0
    """How many may play; 0: as few, or as many, as the game allows."""
    is_rated: bool = False

    @property
    def wish(self) -> Wish:
        """As a seek. Raises Refused for seats or boards that the game hasn't."""
        description = catalog.describe(self.game)
        fewest, most = seats_of(description)
        terms = SeekTerms(self.game, CONTROLS[self.pace], sizes=self.sizes or boards_of(description))
        return Wish(
            Seek.Kind.QUICK,
            terms,
            is_rated=self.is_rated,
            least=self.least or fewest,
            most=self.most or most,
            days=QUICK_DAYS,
        )


def play(guest: Guest, quick: QuickWish) -> Outcome:
    """Have somebody wait for a game with anybody; at once there is a table if others wait already.

    Whoever wishes the same again goes on waiting as before.
    """
    wish = quick.wish
    mine = guest.seeks.filter(kind=Seek.Kind.QUICK, ended_at=None, game=quick.game, pace=quick.pace)
    if waiting := mine.first():
        if waiting.terms == wish.terms.to_json() and (waiting.least, waiting.most) == (wish.least, wish.most):
            return Outcome(waiting)
        services.withdraw(waiting.code, guest)
    return look_for(guest, wish, f"quick-{secrets.token_hex(12)}")


def look_for(guest: Guest, wish: Wish, key: str) -> Outcome:
    """Keep what somebody wishes, and bring them together with whoever wishes the same. Raises Refused.

    Under the same key it is the same seek.
    """
    row = services.create(guest, wish, key).seek
    if row.is_open:
        pair(row.game, row.pace)
        row.refresh_from_db()
    return Outcome(row, selectors.game_of(row, guest))


def pair(game: str, pace: str) -> float:
    """Merge all wishes for a game at a pace that fit. Until the moment that is the answer no others will, if
    nothing changes."""
    open_to_all = Seek.objects.filter(ended_at=None, game=game, pace=pace).exclude(kind=Seek.Kind.CHALLENGE)
    waiting = open_to_all.order_by("created_at", "pk")
    alike: dict[Hashable, list[int]] = {}
    for number, terms, is_rated in waiting.values_list("pk", "terms", "is_rated"):
        alike.setdefault((_kind(terms), is_rated), []).append(number)
    until = math.inf
    for numbers in alike.values():
        if len(numbers) > 1:
            pairs, later = fitting(selectors.states(waiting.filter(pk__in=numbers)))
            until = min(until, later)
            for older, younger in pairs:
                _merge(older.row, younger.row)
    return until


def _kind(terms: Mapping[str, Any]) -> Hashable:
    """What is the same in the terms of wishes that may go together."""
    return _frozen({name: value for name, value in terms.items() if name not in ("sizes", "side")})


def _frozen(value: Any) -> Hashable:
    """Data of JSON as something to be looked up."""
    if isinstance(value, Mapping):
        return frozenset((name, _frozen(each)) for name, each in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def fitting(waiting: Sequence[SeekState]) -> tuple[list[tuple[SeekState, SeekState]], float]:
    """The pairs of wishes to merge, each wish in one of them at most, and the moment from which there may be
    more.

    Those whose ratings are nearest come first, then those who wait longest. How far apart they may be grows
    while both wait; whoever has no rating yet goes with anybody.
    """
    now, means, until = clock.now(), _means(waiting), math.inf
    possible = []
    for older, younger in combinations(waiting, 2):
        one, other = means.get(older.row.owner_id), means.get(younger.row.owner_id)
        apart = 0.0 if one is None or other is None else abs(one - other)
        in_reach = _in_reach(younger, apart)
        if in_reach > now:
            until = min(until, in_reach)
        elif merged(older, younger):
            possible.append((apart, older, younger))
    taken: set[int] = set()
    pairs = []
    for _, older, younger in sorted(possible, key=lambda pair: pair[0]):
        if taken.isdisjoint((older.row.pk, younger.row.pk)):
            taken |= {older.row.pk, younger.row.pk}
            pairs.append((older, younger))
    return pairs, until


def _in_reach(younger: SeekState, apart: float) -> float:
    """The moment at which the one who came last has waited long enough for ratings so far apart."""
    if apart <= NEAR:
        return -math.inf
    return younger.row.created_at + (apart - NEAR) / WIDENING[younger.row.pace]


def _means(waiting: Sequence[SeekState]) -> dict[int, float]:
    """The means of their owners' ratings, as far as they have any in the pool of their seek."""
    found: dict[int, float] = {}
    for game, size_class, pace in {seek.pool for seek in waiting if len(waiting) > 1}:
        pool = find_pool(game, size_class, pace) if size_class else None
        owners = [seek.row.owner_id for seek in waiting]
        if pool:
            found |= {number: rating.mean for number, rating in ratings_in(pool, owners).items()}
    return found


@dataclass(frozen=True)
class Merged:
    """What two wishes come to together."""

    sizes: tuple[int, ...]
    least: int
    most: int


def merged(older: SeekState, younger: SeekState) -> Merged | None:
    """What two wishes come to; None if they don't go together."""
    first, second = older.row, younger.row
    least, most = max(first.least, second.least), min(first.most, second.most)
    sizes = tuple(size for size in older.terms.sizes if size in younger.terms.sizes)
    has_board = bool(sizes) or older.terms.sizes == younger.terms.sizes
    fits = len(older.numbers | younger.numbers) <= most and least <= most
    agree = _without_choice(older.terms) == _without_choice(younger.terms)
    if not (agree and has_board and fits and first.is_rated == second.is_rated):
        return None
    if second.times > 1 or younger.terms.side != "lot" or (older.numbers | older.former) & younger.numbers:
        return None
    if younger.has_range and most > 2:
        return None
    may_meet = _may_meet(older, younger) and _may_meet(younger, older)
    return Merged(sizes, least, most) if may_meet and not held_up(older) and not held_up(younger) else None


def _without_choice(terms: SeekTerms) -> SeekTerms:
    """What has to be the same in both: not the boards, of which one is chosen, and not the sides."""
    return replace(terms, sizes=(), side="lot")


def _may_meet(older: SeekState, younger: SeekState) -> bool:
    """Whether all those of the one may play with those of the other."""
    visitors = map(Visitor.of, younger.people)
    return all(visitor.sees(older) and not obstacle(older, visitor) for visitor in visitors)


def _merge(older: Seek, younger: Seek) -> None:
    """Bring the people of the younger wish into the older one; its game may begin with that."""
    concerned: set[int] = set()

    def do(_: frozenset[int]) -> None:
        into, taken = selectors.find_seek(older.code), selectors.find_seek(younger.code)
        common = merged(into, taken) if into.row.is_open and taken.row.is_open else None
        if common is None:
            return  # somebody was quicker
        concerned.update(into.numbers | taken.numbers)
        now = clock.now()
        _take_over(into, taken, common, now)
        settle(selectors.find_seek(older.code), now, concerned)
        news.tell(concerned)

    with_people(lambda: selectors.people_in(older.pk) | selectors.people_in(younger.pk), do)


def _take_over(into: SeekState, taken: SeekState, common: Merged, now: float) -> None:
    row = into.row
    end(taken.row, Seek.Ending.MERGED, now)
    Seek.objects.filter(pk=taken.row.pk).update(merged_into=row)
    seen = {taken.row.owner_id: taken.row.seen_at, **{p.guest_id: p.seen_at for p in taken.places}}
    for guest in taken.people:
        Place.objects.create(seek=row, guest=guest, round=row.round, joined_at=now, seen_at=seen[guest.pk])
    row.terms = into.terms.on(common.sizes).to_json()
    row.least, row.most = common.least, common.most
    row.save(update_fields=["terms", "least", "most"])


SAFETY_SECONDS = 60.0
"""After which one looks in any case: ratings change, and people no longer keep out of each other's way."""


class PairingSchedule:
    """One process's: it compares no wishes twice that have not changed."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self._number, self._until, self._again = -1, -math.inf, -math.inf

    @staticmethod
    def several() -> "QuerySet[Seek]":
        """The seeks that wait together with an older one of somebody else for the same game."""
        waiting = Seek.objects.filter(ended_at=None).exclude(kind=Seek.Kind.CHALLENGE)
        same = {name: OuterRef(name) for name in ("game", "pace", "is_rated")}
        older = waiting.filter(**same, pk__lt=OuterRef("pk")).exclude(owner=OuterRef("owner"))
        return waiting.filter(Exists(older))

    def run(self) -> None:
        """Bring together what fits, unless nothing has changed since nothing did."""
        number, now = news.latest(), clock.now()
        if number == self._number and now < self._until and time.monotonic() < self._again:
            return
        kinds = self.several().order_by().values_list("game", "pace").distinct()
        self._until = min((pair(game, pace) for game, pace in kinds), default=math.inf)
        self._number, self._again = number, time.monotonic() + SAFETY_SECONDS


PAIRING_SCHEDULE = PairingSchedule()
