"""All puzzles that the site has, how hard they are, and which three somebody gets on a day.

Which three follows from the date, from how strong somebody is, and from what they have answered before.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import pairwise, zip_longest

from kakomi import catalog
from kakomi.contest import FIRST, Rating
from kakomi.contest.ratings import BEGINNER, anchor
from kakomi.study.puzzles.puzzle import Puzzle, shipped_puzzles

A_DAY = 3
DAYS_BACK = 7
"""So many days before today can be looked at: who follows all links comes to an end."""
BANDS = 3
"""Into so many equally large parts the puzzles are split by how hard they are."""
COUNTED = 10
"""So many of the last answers say how strong somebody without a rating is."""
SWING = 400.0
"""Who solves all puzzles is held to be so many points above them, and who solves none as many below."""


@cache
def all_puzzles() -> Mapping[str, Puzzle]:
    """Every puzzle that comes with a game, by its name."""
    games = map(catalog.describe, catalog.names())
    return {puzzle.name: puzzle for game in games for puzzle in shipped_puzzles(game)}


def first_shown(today: date) -> date:
    """The earliest day whose puzzles can be looked at."""
    return today - timedelta(days=DAYS_BACK)


def day_before(day: date, today: date) -> date | None:
    """The day before one, if it can be looked at."""
    return None if day == first_shown(today) else day - timedelta(days=1)


def difficulty(puzzle: Puzzle) -> float:
    """How hard a puzzle is, in points of ratings: as many as the level has that misses it."""
    elo = catalog.describe(puzzle.game).levels[puzzle.level - 1].elo
    return FIRST.mean if elo is None else anchor(elo).mean


def level_of(rating: Rating | None, answers: Sequence[tuple[Puzzle, bool]]) -> float:
    """How strong somebody is, in points.

    Their rating in games says it; without one their last answers to puzzles do, each right or not. Who has
    answered none is a beginner.
    """
    if rating is not None:
        return rating.mean
    if not answers:
        return BEGINNER
    hard = sum(difficulty(puzzle) for puzzle, _ in answers) / len(answers)
    share = sum(is_right for _, is_right in answers) / len(answers)
    return hard + SWING * (2 * share - 1)


def three_of(
    puzzles: Iterable[Puzzle], day: date, level: float, answered: Collection[str] = ()
) -> list[Puzzle]:
    """The puzzles of a day for somebody of a level; fewer than three if there are no more.

    They come from the band of that level, and from the nearest other one when all of it are answered. None
    comes again before all are answered.
    """
    bands = _bands(puzzles)
    own = sum(difficulty(band[0]) <= level for band in bands[1:])
    nearest = sorted(range(len(bands)), key=lambda number: abs(number - own))
    ordered = [puzzle for number in nearest for puzzle in _from_day(bands[number], day)]
    return sorted(ordered, key=lambda puzzle: puzzle.name in answered)[:A_DAY]


def _bands(puzzles: Iterable[Puzzle]) -> list[Sequence[Puzzle]]:
    """The puzzles by how hard they are, the easiest first."""
    ordered = sorted(puzzles, key=lambda puzzle: (difficulty(puzzle), puzzle.name))
    ends = [len(ordered) * number // BANDS for number in range(BANDS + 1)]
    return [ordered[start:end] for start, end in pairwise(ends) if start < end]


def _from_day(band: Sequence[Puzzle], day: date) -> list[Puzzle]:
    """A band, games in turn, from where a day begins: each day goes on where the one before has ended."""
    games: dict[str, list[Puzzle]] = {}
    for puzzle in sorted(
        band, key=lambda puzzle: puzzle.name
    ):  # names are digests, so this is a shuffled order
        games.setdefault(puzzle.game, []).append(puzzle)
    mixed = [puzzle for turn in zip_longest(*games.values()) for puzzle in turn if puzzle is not None]
    start = day.toordinal() * A_DAY % len(mixed)
    return mixed[start:] + mixed[:start]
