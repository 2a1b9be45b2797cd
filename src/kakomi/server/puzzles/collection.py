"""The site's puzzles, their difficulty, and the choice of three for a person and day.

The choice depends on the date, the person's strength, and the puzzles that they have answered before.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import pairwise, zip_longest

from kakomi import catalog
from kakomi.contest import FIRST, Rating
from kakomi.contest.ratings import BEGINNER, anchor
from kakomi.puzzles import Puzzle, shipped_puzzles

PUZZLES_PER_DAY = 3
"""Puzzles per day."""
DAYS_BACK = 7
"""How many days before today can be viewed; the limit keeps crawlers from following links forever."""
BANDS = 3
"""The number of equally large groups by difficulty."""
COUNTED = 10
"""How many latest answers determine the strength of a person without a rating."""
SWING = 400.0
"""A person who solves all puzzles counts as this many points above them; one who solves none, below."""


@cache
def all_puzzles() -> Mapping[str, Puzzle]:
    """Name -> puzzle, for all puzzles that come with the games."""
    games = map(catalog.describe, catalog.names())
    return {puzzle.name: puzzle for game in games for puzzle in shipped_puzzles(game)}


def first_shown(today: date) -> date:
    """The earliest day whose puzzles can be viewed."""
    return today - timedelta(days=DAYS_BACK)


def day_before(day: date, today: date) -> date | None:
    """The day before another; None if it can't be viewed."""
    return None if day == first_shown(today) else day - timedelta(days=1)


def difficulty(puzzle: Puzzle) -> float:
    """A puzzle's difficulty in rating points: the rating of the bot level that misses it."""
    return strength_of_level(puzzle.game, puzzle.level)


def strength_of_level(game: str, level: int) -> float:
    """The rating of a bot's level on the board on which it was measured."""
    elo = catalog.describe(game).levels[level - 1].elo
    return FIRST.mean if elo is None else anchor(elo).mean


def level_of(rating: Rating | None, answers: Sequence[tuple[Puzzle, bool]], first: float = BEGINNER) -> float:
    """A person's strength in rating points.

    It is their rating in games, or without one an estimate from their latest answers to puzzles, each with
    whether it was right. Without answers it is `first`.
    """
    if rating is not None:
        return rating.mean
    if not answers:
        return first
    hard = sum(difficulty(puzzle) for puzzle, _ in answers) / len(answers)
    share = sum(is_right for _, is_right in answers) / len(answers)
    return hard + SWING * (2 * share - 1)


def puzzles_of_day(
    puzzles: Iterable[Puzzle], day: date, level: float, answered: Collection[str] = ()
) -> list[Puzzle]:
    """The puzzles of a day for a person of a strength; fewer than three only if there are no more.

    They come from the band of that strength, or once all of it are answered, from the nearest other band.
    None is repeated before all are answered.
    """
    bands = _bands(puzzles)
    own = sum(difficulty(band[0]) <= level for band in bands[1:])
    nearest = sorted(range(len(bands)), key=lambda number: abs(number - own))
    ordered = [puzzle for number in nearest for puzzle in _from_day(bands[number], day)]
    return sorted(ordered, key=lambda puzzle: puzzle.name in answered)[:PUZZLES_PER_DAY]


def _bands(puzzles: Iterable[Puzzle]) -> list[Sequence[Puzzle]]:
    """The puzzles in bands by difficulty, easiest first."""
    ordered = sorted(puzzles, key=lambda puzzle: (difficulty(puzzle), puzzle.name))
    ends = [len(ordered) * number // BANDS for number in range(BANDS + 1)]
    return [ordered[start:end] for start, end in pairwise(ends) if start < end]


def _from_day(band: Sequence[Puzzle], day: date) -> list[Puzzle]:
    """A band with its games alternating, rotated so that each day starts where the previous one ended."""
    games: dict[str, list[Puzzle]] = {}
    for puzzle in sorted(
        band, key=lambda puzzle: puzzle.name
    ):  # names are digests, so this is a shuffled order
        games.setdefault(puzzle.game, []).append(puzzle)
    mixed = [puzzle for turn in zip_longest(*games.values()) for puzzle in turn if puzzle is not None]
    start = day.toordinal() * PUZZLES_PER_DAY % len(mixed)
    return mixed[start:] + mixed[:start]
