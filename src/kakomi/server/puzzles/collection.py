"""All puzzles that the site has, and which three are a day's."""

import random
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from kakomi import catalog
from kakomi.core.seeds import derived_seed
from kakomi.study.puzzles.puzzle import Puzzle, shipped_puzzles

A_DAY = 3
DAYS_BACK = 7
"""So many days before today can be looked at: who follows all links comes to an end."""
_SEED = 1
"""Of the order in which puzzles come."""


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


def puzzles_of(day: date) -> list[Puzzle]:
    """The puzzles of a day, of games in turn; fewer than three if there are no more.

    A game's puzzles come in a shuffled order, and each once before one comes again.
    """
    games: dict[str, list[Puzzle]] = {}
    for puzzle in all_puzzles().values():
        games.setdefault(puzzle.game, []).append(puzzle)
    names, first = sorted(games), day.toordinal() * A_DAY
    if not names:
        return []
    places = (divmod(place, len(names)) for place in range(first, first + A_DAY))
    chosen = [_in_turn(names[game], games[names[game]], turn) for turn, game in places]
    return list({puzzle.name: puzzle for puzzle in chosen}.values())


def _in_turn(game: str, puzzles: list[Puzzle], turn: int) -> Puzzle:
    """The puzzle of a game when its turn has come so many times before."""
    cycle, place = divmod(turn, len(puzzles))
    order = sorted(puzzles, key=lambda puzzle: puzzle.name)
    random.Random(derived_seed(_SEED, game, cycle)).shuffle(order)
    return order[place]
