"""Ratings as pages show them: rankings, a person's curve with its 95 % band, notes beside names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from kakomi import catalog
from kakomi.contest import FIRST, Rating, expected_place
from kakomi.contest.ratings import BEGINNER, PROVISIONAL, SHOWN_AFTER
from kakomi.core import Description
from kakomi.core.description import WHOLE_CLASS
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings import models, selectors
from kakomi.server.ratings.selectors import SERIES, levels_of, shown
from kakomi.server.tables import models as tables
from kakomi.session import MatchConfig, TimeControl

CLASSES = {WHOLE_CLASS: gettext_lazy("standard boards"), "small": gettext_lazy("small boards")}
PACES = {"live": gettext_lazy("live"), "days": gettext_lazy("correspondence")}


@dataclass(frozen=True)
class PoolView:
    """A pool as text."""

    pool: models.Pool

    @property
    def description(self) -> Description:
        """The game's description."""
        return catalog.describe(self.pool.game)

    @property
    def key(self) -> tuple[str, str, str]:
        """The arguments of its address."""
        return self.pool.game, self.pool.size_class, self.pool.pace

    @property
    def words(self) -> str:
        """The class of board sizes, and the pace."""
        boards = CLASSES.get(self.pool.size_class, self.pool.size_class)
        return f"{boards}, {PACES.get(self.pool.pace, self.pool.pace)}"

    @property
    def title(self) -> str:
        """The game, the boards and the pace."""
        return f"{self.description.title}: {self.words}"

    @cached_property
    def people(self) -> int:
        """The number of people with a rating in the pool."""
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
    """All pools with rated results, ordered by game."""
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
        """The person."""
        return self.row.guest

    @property
    def points(self) -> str:
        """The rating with its interval."""
        return in_points(self.row.standing.rating_at(self.now))


@dataclass(frozen=True)
class EntrantView:
    """A player in a rated game."""

    entrant: models.Entrant
    name: str
    before: str
    expected: float
    """The expected place, from 1."""
    after: str
    moved: str
    """The change of the mean in points; empty while the rating isn't shown."""
    is_own: bool


@dataclass(frozen=True)
class RatedGame:
    """A game in a rating's history."""

    result: models.Result
    entrants: Sequence[EntrantView]

    @property
    def at(self) -> datetime:
        """When the game ended."""
        return datetime.fromtimestamp(self.result.ended_at, UTC)

    @property
    def own(self) -> EntrantView:
        """The person whose history this is."""
        return next(entrant for entrant in self.entrants if entrant.is_own)

    @property
    def note(self) -> str:
        """Why it didn't count or was corrected, or that it was lost on time; otherwise empty."""
        if self.result.is_annulled:
            ruling = self.result.rulings.last()
            reason = ruling.reason if ruling else ""
            return gettext("annulled by a moderator: {reason}").format(reason=reason)
        if correction := self.result.corrections.last():
            return gettext("corrected by the organiser: {reason}").format(reason=correction.reason)
        if not self.own.entrant.change.counted:
            return gettext("not counted: repeated loss on time")
        return gettext("lost on time") if self.own.entrant.ran_out else ""


def rated_games(results: Sequence[int], guest: Guest) -> list[RatedGame]:
    """A guest's games with all players' ratings, in the order of the primary keys `results`."""
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
    change, (games, games_after) = entrant.change, _games(entrant)
    return EntrantView(
        entrant,
        entrant.guest.display_name if entrant.guest else _level(entrant.bot),
        in_points(change.rated, games),
        expected_place(rated, number),
        in_points(change.after, games_after),
        "" if games < SHOWN_AFTER else _moved(change),
        entrant.guest_id == guest.pk,
    )


def _games(entrant: models.Entrant) -> tuple[int, int]:
    """The rated games before and after a result; enough for a bot's rating, which is fixed."""
    before = entrant.change.games_before if entrant.guest_id else SHOWN_AFTER
    return before, before + entrant.change.counted


def curve_of(guest: Guest, pool: models.Pool) -> SafeString:
    """The curve of a guest's rating from the first that was shown, with its 95 % band; "" before it."""
    rows = models.Change.objects.filter(entrant__guest=guest, entrant__result__pool=pool, counted=True)
    rows = rows.order_by("entrant__result__ended_at", "entrant__result__table")
    known = rows.values_list("mean_after", "sigma_after")[SHOWN_AFTER - 1 :]
    ratings = [Rating(mean, sigma) for mean, sigma in known]
    return draw_curve(ratings, SHOWN_AFTER) if len(ratings) > 1 else SafeString()


def in_points(rating: Rating, games: int = SHOWN_AFTER) -> str:
    """A rating with its 95 % interval, as `1523 ± 80` or `1523? ± 280`; `new` after too few games."""
    words, said = shown(rating, games), gettext("{mean} ± {reach}")
    return words if games < SHOWN_AFTER else said.format(mean=words, reach=round(rating.reach))


@dataclass(frozen=True)
class Rules:
    """The numbers in the page that explains ratings."""

    first: int = round(FIRST.mean)
    shown_after: int = SHOWN_AFTER
    beginner: int = round(BEGINNER)
    provisional: int = round(PROVISIONAL)
    counted: int = SERIES["days"].counted

    def games(self) -> Iterator[tuple[Description, list[tuple[str, str]], list[str]]]:
        """For every game: its description, its levels' ratings on the board on which they were measured, and
        the sizes that are rated."""
        for name in catalog.names():
            description = catalog.describe(name)
            ladder = catalog.game(name, **description.ladder_options)
            levels = levels_of(name, description.size_class(ladder.options) or WHOLE_CLASS)
            said = [(_level(str(bot)), in_points(rating)) for bot, rating in levels.items()]
            yield description, said, [_class_words(*each) for each in description.size_classes.items()]


def _class_words(name: str, sizes: Sequence[int]) -> str:
    said = gettext("{boards}: sizes {sizes}")
    return said.format(boards=CLASSES.get(name, name), sizes=", ".join(map(str, sizes)))


WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 8, 26
"""The drawing's size and its margins, in SVG units."""
MOST = 300
"""Most points drawn; if there are more, evenly spaced ones are chosen."""


def draw_curve(ratings: Sequence[Rating], games: int) -> SafeString:
    """An SVG curve of ratings, the first after `games`. The table below it has the same figures in text."""
    last = len(ratings) - 1
    chosen = _chosen(last)
    low, high = min(ratings[i].low for i in chosen), max(ratings[i].high for i in chosen)

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / max(last, 1)

    def y(points: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - points) / max(high - low, 1.0)

    upper = [f"{x(i):.1f},{y(ratings[i].high):.1f}" for i in chosen]
    lower = [f"{x(i):.1f},{y(ratings[i].low):.1f}" for i in reversed(chosen)]
    mean = [f"{x(i):.1f},{y(ratings[i].mean):.1f}" for i in chosen]
    lines = [(LEFT, WIDTH - RIGHT, f"{y(mark):.1f}", LEFT - 6, mark) for mark in _marks(low, high)]
    return format_html(
        '<svg class="rating-curve" viewBox="0 0 {} {}" role="img" aria-label="{}">{}'
        '<polygon class="band" points="{}"/><polyline class="mean" points="{}"/>'
        '<text x="{}" y="{}" text-anchor="middle">{}</text></svg>',
        WIDTH,
        HEIGHT,
        gettext(
            "Rating after each game with its 95 % interval: first {first}, now {last}, highest {most}."
        ).format(
            first=round(ratings[0].mean),
            last=round(ratings[-1].mean),
            most=round(max(rating.mean for rating in ratings)),
        ),
        format_html_join(
            "",
            '<g class="mark"><line x1="{0}" x2="{1}" y1="{2}" y2="{2}"/>'
            '<text x="{3}" y="{2}" dy="4" text-anchor="end">{4}</text></g>',
            lines,
        ),
        " ".join([*upper, *lower]),
        " ".join(mean),
        (WIDTH + LEFT) // 2,
        HEIGHT - 6,
        gettext("games: {count}").format(count=last + games),
    )


def _chosen(last: int) -> list[int]:
    if last < MOST:
        return list(range(last + 1))
    return sorted({round(i * last / (MOST - 1)) for i in range(MOST)})


def _marks(low: float, high: float) -> range:
    """At most ten round numbers between two, for the scale."""
    step = next(step for step in (50, 100, 200, 500, 1000, 5000) if (high - low) / step <= 9)
    return range(int(-(-low // step)) * step, int(high) + 1, step)


def ratings_beside_names(row: tables.Table, seats: Sequence[tables.Seat]) -> Mapping[int, str]:
    """Seat -> rating, at a rated table; once the result is rated, the new rating and its change."""
    if not row.is_rated:
        return {}
    if row.is_over and (result := selectors.result_of(row)):
        entrants = selectors.entrants_of(result)
        if all(hasattr(entrant, "change") for entrant in entrants):
            return {entrant.seat: _changed(entrant) for entrant in entrants}
    return _known(row, seats)


def _known(row: tables.Table, seats: Sequence[tables.Seat]) -> dict[int, str]:
    game = MatchConfig.from_json(row.begun["terms"]).game
    size_class = game.description.size_class(game.options) or ""
    pace = TimeControl.from_json(row.begun["time"]).pace
    levels = levels_of(row.game, size_class)
    pool = selectors.find_pool(row.game, size_class, pace)
    guests = [seat.guest_id for seat in seats if seat.guest_id is not None]
    known = selectors.ratings_in(pool, guests) if pool else {}
    notes = {}
    for seat in seats:
        if seat.bot in levels:
            notes[seat.number] = shown(levels[seat.bot])
        elif seat.guest_id is not None:
            person = known.get(seat.guest_id)
            notes[seat.number] = person.words if person else shown(FIRST, 0)
    return notes


def _changed(entrant: models.Entrant) -> str:
    change, (games, games_after) = entrant.change, _games(entrant)
    moved = f" ({_moved(change)})" if change.counted and games >= SHOWN_AFTER else ""
    return shown(change.after, games_after) + moved


def _moved(change: models.Change) -> str:
    return f"{round(change.mean_after) - round(change.mean_before):+d}".replace("-", "−")
