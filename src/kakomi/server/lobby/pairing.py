"""Automatic pairing: merge compatible seeks, after each change and as waiting widens the rating range.

A quick wish is a seek under the site's usual terms, so it is also listed and others may join it. Of two
compatible seeks the younger is merged into the older, with everybody who has joined it.
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
from kakomi.core.description import WHOLE_CLASS
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import with_locked_people
from kakomi.server.lobby import feed, selectors, services
from kakomi.server.lobby.conditions import Visitor, barred_people, obstacle
from kakomi.server.lobby.models import Place, Seek
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.services import SeekOutcome, Wish, end_seek, settle
from kakomi.server.lobby.terms import SeekTerms, boards_of, seats_of
from kakomi.server.ratings.selectors import find_pool, ratings_in
from kakomi.server.site import clock
from kakomi.session import TimeControl, usual_terms
from kakomi.session.time_control import DAY, Pace

CONTROLS: dict[Pace, TimeControl] = {
    "live": TimeControl(600.0, 5.0),
    "days": TimeControl(3 * DAY, kind="days"),
}
"""The usual time controls: ten minutes plus five seconds per turn, or three days per turn."""
NEAR = 150.0
"""The rating difference that is acceptable at once, in points."""
WIDENING = {"live": 10.0, "days": 0.02}
"""How much the acceptable difference grows, in points per second: by 600 in a minute (live) or by 720 in ten
hours (days)."""
QUICK_DAYS = 14
"""The lifetime in days of a quick wish for a game over days."""


@dataclass(frozen=True)
class QuickWish:
    """A wish to play a game with anybody."""

    game: str
    pace: Pace = "live"
    sizes: tuple[int, ...] = ()
    """The acceptable board sizes; if empty, any that is offered."""
    least: int = 0
    most: int = 0
    """The range of the number of players; 0 stands for the game's own limit."""
    is_rated: bool = False

    @property
    def wish(self) -> Wish:
        """The wish for a seek under the usual terms."""
        description = catalog.describe(self.game)
        fewest, most = seats_of(description)
        sizes, negotiate = self.sizes or boards_of(description), usual_terms(description).negotiate
        terms = SeekTerms(self.game, CONTROLS[self.pace], sizes=sizes, negotiate=negotiate)
        return Wish(
            Seek.Kind.QUICK,
            terms,
            is_rated=self.is_rated,
            least=self.least or fewest,
            most=self.most or most,
            days=QUICK_DAYS,
        )


def request_quick_game(guest: Guest, quick: QuickWish) -> SeekOutcome:
    """Register a quick wish. The outcome has a table if opponents are already waiting.

    A repeated wish keeps its place; a different one for the same game and pace replaces it.
    """
    wish = quick.wish
    mine = guest.seeks.filter(kind=Seek.Kind.QUICK, ended_at=None, game=quick.game, pace=quick.pace)
    if waiting := mine.first():
        if waiting.terms == wish.terms.to_json() and (waiting.least, waiting.most) == (wish.least, wish.most):
            return SeekOutcome(waiting)
        services.withdraw(waiting.code, guest)
    return look_for(guest, wish, f"quick-{secrets.token_hex(12)}")


def look_for(guest: Guest, wish: Wish, key: str) -> SeekOutcome:
    """Create a seek and pair it with compatible ones. Raises Refused.

    A repeated key returns the existing seek.
    """
    row = services.create_seek(guest, wish, key).seek
    if row.is_open:
        merge_compatible(row.game, row.pace)
        row.refresh_from_db()
    return SeekOutcome(row, selectors.game_of(row, guest))


def merge_compatible(game: str, pace: str) -> float:
    """Merge all compatible seeks for a game and pace.

    Returns the time before which no other pair can become compatible unless something changes.
    """
    open_to_all = Seek.objects.filter(ended_at=None, game=game, pace=pace).exclude(kind=Seek.Kind.CHALLENGE)
    waiting = open_to_all.order_by("created_at", "pk")
    alike: dict[Hashable, list[int]] = {}
    for number, terms, is_rated in waiting.values_list("pk", "terms", "is_rated"):
        alike.setdefault((_kind(terms), is_rated), []).append(number)
    until = math.inf
    for numbers in alike.values():
        if len(numbers) > 1:
            pairs, later = compatible_pairs(selectors.states(waiting.filter(pk__in=numbers)))
            until = min(until, later)
            for older, younger in pairs:
                _merge(older.row, younger.row)
    return until


def _kind(terms: Mapping[str, Any]) -> Hashable:
    """A key that is equal for the terms of all seeks that might be merged."""
    return _frozen({name: value for name, value in terms.items() if name not in ("sizes", "side")})


def _frozen(value: Any) -> Hashable:
    """JSON data as a hashable value."""
    if isinstance(value, Mapping):
        return frozenset((name, _frozen(each)) for name, each in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def compatible_pairs(waiting: Sequence[SeekState]) -> tuple[list[tuple[SeekState, SeekState]], float]:
    """The pairs of seeks to merge, each seek in at most one, and the earliest time at which more may fit.

    All seeks must be for one game and pace. Pairs with the smallest rating difference take precedence, then
    those that have waited longest. The acceptable difference grows while both wait. People without a rating
    match anybody.
    """
    now, ratings, until = clock.now(), _ratings(waiting), math.inf
    possible = []
    for older, younger in combinations(waiting, 2):
        apart = _rating_difference(older, younger, ratings)
        in_reach = _in_reach(younger, apart)
        if in_reach > now:
            until = min(until, in_reach)
        elif common_terms(older, younger):
            possible.append((apart, older, younger))
    taken: set[int] = set()
    pairs = []
    for _, older, younger in sorted(possible, key=lambda pair: pair[0]):
        if taken.isdisjoint((older.row.pk, younger.row.pk)):
            taken |= {older.row.pk, younger.row.pk}
            pairs.append((older, younger))
    return pairs, until


def _in_reach(younger: SeekState, apart: float) -> float:
    """The time at which the younger seek has waited long enough for this rating difference."""
    if apart <= NEAR:
        return -math.inf
    return younger.row.created_at + (apart - NEAR) / WIDENING[younger.row.pace]


def _rating_difference(
    older: SeekState, younger: SeekState, ratings: Mapping[str, Mapping[int, float]]
) -> float:
    """The difference of the owners' ratings in the pool of the game that the seeks would become; 0 if one has
    none there."""
    sizes = _common_sizes(older, younger)
    if not sizes and older.terms.sizes:
        return 0.0  # they are never paired
    means = ratings.get(older.terms.on(sizes).rating_class(min(older.row.most, younger.row.most)) or "", {})
    one, other = means.get(older.row.owner_id), means.get(younger.row.owner_id)
    return 0.0 if one is None or other is None else abs(one - other)


def _ratings(waiting: Sequence[SeekState]) -> dict[str, dict[int, float]]:
    """The owners' mean ratings by board-size class and guest number."""
    row, owners = waiting[0].row, [seek.row.owner_id for seek in waiting]
    found: dict[str, dict[int, float]] = {}
    for size_class in catalog.describe(row.game).size_classes or (WHOLE_CLASS,):
        if pool := find_pool(row.game, size_class, row.pace):
            found[size_class] = {
                number: known.rating.mean for number, known in ratings_in(pool, owners).items()
            }
    return found


def _common_sizes(older: SeekState, younger: SeekState) -> tuple[int, ...]:
    return tuple(size for size in older.terms.sizes if size in younger.terms.sizes)


@dataclass(frozen=True)
class Merged:
    """The terms that two seeks have in common."""

    sizes: tuple[int, ...]
    least: int
    most: int


def common_terms(older: SeekState, younger: SeekState) -> Merged | None:
    """The common terms of two seeks, or None if they can't be merged."""
    first, second = older.row, younger.row
    least, most = max(first.least, second.least), min(first.most, second.most)
    sizes = _common_sizes(older, younger)
    has_board = bool(sizes) or older.terms.sizes == younger.terms.sizes
    fits = len(older.numbers | younger.numbers) <= most and least <= most
    agree = _without_choice(older.terms) == _without_choice(younger.terms)
    if not (agree and has_board and fits and first.is_rated == second.is_rated):
        return None
    if second.times > 1 or younger.terms.side != "lot" or (older.numbers | older.former) & younger.numbers:
        return None
    if younger.has_range and most > 2:
        return None
    if not (_may_meet(older, younger) and _may_meet(younger, older)):
        return None
    return None if barred_people(older) or barred_people(younger) else Merged(sizes, least, most)


def _without_choice(terms: SeekTerms) -> SeekTerms:
    """The terms that must be equal in both: all but the board sizes and the side."""
    return replace(terms, sizes=(), side="lot")


def _may_meet(older: SeekState, younger: SeekState) -> bool:
    """Whether everybody in the younger seek may join the older one."""
    visitors = map(Visitor.of, younger.people)
    return all(visitor.sees(older) and not obstacle(older, visitor) for visitor in visitors)


def _merge(older: Seek, younger: Seek) -> None:
    """Move the people of the younger seek into the older one, whose game may begin as a result."""
    concerned: set[int] = set()

    def do(_: frozenset[int]) -> None:
        into, taken = selectors.find_seek(older.code), selectors.find_seek(younger.code)
        common = common_terms(into, taken) if into.row.is_open and taken.row.is_open else None
        if common is None:
            return  # one of them has changed in the meantime
        concerned.update(into.numbers | taken.numbers)
        now = clock.now()
        _take_over(into, taken, common, now)
        settle(selectors.find_seek(older.code), now, concerned)
        feed.announce_change(concerned)

    with_locked_people(lambda: selectors.people_in(older.pk) | selectors.people_in(younger.pk), do)


def _take_over(into: SeekState, taken: SeekState, common: Merged, now: float) -> None:
    row = into.row
    end_seek(taken.row, Seek.Ending.MERGED, now)
    Seek.objects.filter(pk=taken.row.pk).update(merged_into=row)
    seen = {taken.row.owner_id: taken.row.seen_at, **{p.guest_id: p.seen_at for p in taken.places}}
    for guest in taken.people:
        Place.objects.create(seek=row, guest=guest, round=row.round, joined_at=now, seen_at=seen[guest.pk])
    row.terms = into.terms.on(common.sizes).to_json()
    row.least, row.most = common.least, common.most
    row.save(update_fields=["terms", "least", "most"])


SAFETY_SECONDS = 60.0
"""The maximum interval between full checks, as changed ratings and removed blocks aren't announced."""


class PairingSchedule:
    """Runs pairing in one process, and skips runs while nothing has changed."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Make the next run compare everything."""
        self._number, self._until, self._again = -1, -math.inf, -math.inf

    @staticmethod
    def seeks_to_pair() -> "QuerySet[Seek]":
        """The waiting seeks with an older one by somebody else for the same game, pace and rating mode."""
        waiting = Seek.objects.filter(ended_at=None).exclude(kind=Seek.Kind.CHALLENGE)
        same = {name: OuterRef(name) for name in ("game", "pace", "is_rated")}
        older = waiting.filter(**same, pk__lt=OuterRef("pk")).exclude(owner=OuterRef("owner"))
        return waiting.filter(Exists(older))

    def run(self) -> None:
        """Merge compatible seeks, unless nothing can have changed since the last run."""
        number, now = feed.latest_number(), clock.now()
        if number == self._number and now < self._until and time.monotonic() < self._again:
            return
        kinds = self.seeks_to_pair().order_by().values_list("game", "pace").distinct()
        self._until = min((merge_compatible(game, pace) for game, pace in kinds), default=math.inf)
        self._number, self._again = number, time.monotonic() + SAFETY_SECONDS


PAIRING_SCHEDULE = PairingSchedule()
