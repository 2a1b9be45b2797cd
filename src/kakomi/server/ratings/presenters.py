"""Ratings as pages show them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from kakomi import catalog
from kakomi.contest import FIRST, Rating, expected_place
from kakomi.contest.ratings import BEGINNER, PROVISIONAL
from kakomi.core import Description
from kakomi.core.description import WHOLE_CLASS
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings import models
from kakomi.server.ratings.curve import draw_curve
from kakomi.server.ratings.pools import SERIES, levels_of
from kakomi.server.ratings.seat_notes import in_points

CLASSES = {WHOLE_CLASS: gettext_lazy("standard boards"), "small": gettext_lazy("small boards")}
PACES = {"live": gettext_lazy("live"), "days": gettext_lazy("over days")}


@dataclass(frozen=True)
class PoolView:
    """A pool in words."""

    pool: models.Pool

    @property
    def description(self) -> Description:
        """The game."""
        return catalog.describe(self.pool.game)

    @property
    def key(self) -> tuple[str, str, str]:
        """What its address is made of."""
        return self.pool.game, self.pool.size_class, self.pool.pace

    @property
    def words(self) -> str:
        """The class of boards, and the pace."""
        boards = CLASSES.get(self.pool.size_class, self.pool.size_class)
        return f"{boards}, {PACES.get(self.pool.pace, self.pool.pace)}"

    @property
    def title(self) -> str:
        """The game, the boards and the pace."""
        return f"{self.description.title}: {self.words}"

    @cached_property
    def people(self) -> int:
        """The number of people who have a rating there."""
        return self.pool.ratings.filter(games__gt=0).count()

    @property
    def levels(self) -> list[tuple[str, str]]:
        """The bots' levels and their ratings."""
        return [
            (_level(str(bot)), in_points(rating))
            for bot, rating in levels_of(self.pool.game, self.pool.size_class).items()
        ]


def _level(bot: str) -> str:
    return gettext("Level {level}").format(level=bot)


def pool_views() -> list[PoolView]:
    """All pools in which something was rated, by game."""
    rows = models.Pool.objects.filter(ratings__games__gt=0, game__in=catalog.names()).distinct()
    return [PoolView(pool) for pool in rows.order_by("game", "-size_class", "-pace")]


@dataclass(frozen=True)
class RankedPerson:
    """A line of a ranking."""

    row: models.CurrentRating
    rank: int
    now: float

    @property
    def guest(self) -> Guest:
        """Who it is."""
        return self.row.guest

    @property
    def points(self) -> str:
        """The rating with its interval."""
        return in_points(self.row.standing.rating_at(self.now))


@dataclass(frozen=True)
class EntrantView:
    """Somebody in a rated game."""

    entrant: models.Entrant
    name: str
    before: str
    expected: float
    """The mean place of many such games."""
    after: str
    moved: int
    """By how many points the mean moved."""
    is_own: bool


@dataclass(frozen=True)
class RatedGame:
    """One game in the account of a rating."""

    result: models.Result
    entrants: Sequence[EntrantView]

    @property
    def at(self) -> datetime:
        """The end."""
        return datetime.fromtimestamp(self.result.ended_at, UTC)

    @property
    def own(self) -> EntrantView:
        """Whom the account is about."""
        return next(entrant for entrant in self.entrants if entrant.is_own)

    @property
    def note(self) -> str:
        """Why it counted for nothing, or not as it was played; empty if neither is so."""
        if self.result.is_annulled:
            ruling = self.result.rulings.last()
            reason = ruling.reason if ruling else ""
            return gettext("annulled by the staff: {reason}").format(reason=reason)
        if correction := self.result.corrections.last():
            return gettext("corrected by the director: {reason}").format(reason=correction.reason)
        if not self.own.entrant.change.counted:
            return gettext("not counted: a time-out in succession")
        return gettext("lost on time") if self.own.entrant.ran_out else ""


def rated_games(results: Sequence[int], guest: Guest) -> list[RatedGame]:
    """Some games of a guest, with all that entered into their ratings, in the order of the results."""
    rows = models.Result.objects.filter(pk__in=results).select_related("table")
    known = {
        row.pk: row
        for row in rows.prefetch_related("entrants__guest", "entrants__change", "rulings", "corrections")
    }
    return [_rated_game(known[number], guest) for number in results]


def _rated_game(result: models.Result, guest: Guest) -> RatedGame:
    entrants = sorted(result.entrants.all(), key=lambda entrant: entrant.counted_place)
    rated = [entrant.change.rated for entrant in entrants]
    return RatedGame(result, [_entrant(entrants, rated, i, guest) for i in range(len(entrants))])


def _entrant(
    entrants: Sequence[models.Entrant], rated: Sequence[Rating], number: int, guest: Guest
) -> EntrantView:
    entrant = entrants[number]
    change = entrant.change
    return EntrantView(
        entrant,
        entrant.guest.called if entrant.guest else _level(entrant.bot),
        in_points(change.rated),
        expected_place(rated, number),
        in_points(change.after),
        round(change.mean_after) - round(change.mean_before),
        entrant.guest_id == guest.pk,
    )


def curve_of(guest: Guest, pool: models.Pool) -> SafeString:
    """The curve of a guest's rating over the games that counted, with its interval."""
    rows = models.Change.objects.filter(entrant__guest=guest, entrant__result__pool=pool, counted=True)
    rows = rows.order_by("entrant__result__ended_at", "entrant__result__table")
    ratings = [FIRST, *(Rating(*known) for known in rows.values_list("mean_after", "sigma_after"))]
    return draw_curve(ratings)


@dataclass(frozen=True)
class Rules:
    """The numbers that the page on how ratings are made names."""

    first: str = in_points(FIRST)
    beginner: int = round(BEGINNER)
    provisional: int = round(PROVISIONAL)
    counted: int = SERIES["days"].counted

    def games(self) -> Iterator[tuple[Description, list[tuple[str, str]], list[str]]]:
        """Every game with its levels' ratings on the board on which they were measured, and which sizes are
        rated."""
        for name in catalog.names():
            description = catalog.describe(name)
            ladder = catalog.game(name, **description.ladder_options)
            levels = levels_of(name, description.size_class(ladder.options) or WHOLE_CLASS)
            said = [(_level(str(bot)), in_points(rating)) for bot, rating in levels.items()]
            yield description, said, [_class_words(name, sizes) for name, sizes in _classes(description)]


def _classes(description: Description) -> list[tuple[str, Sequence[int]]]:
    return list(description.size_classes.items())


def _class_words(name: str, sizes: Sequence[int]) -> str:
    said = gettext("{boards}: sizes {sizes}")
    return said.format(boards=CLASSES.get(name, name), sizes=", ".join(map(str, sizes)))
