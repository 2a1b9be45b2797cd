"""Ratings of people at puzzles and of puzzles: an attempt is a game of the one against the other."""

from kakomi import catalog
from kakomi.contest import FIRST, Entrant, Outcome, Rating, Standing, replay
from kakomi.contest.ratings import BEGINNER
from kakomi.study.puzzles.puzzle import Puzzle

UNTRIED = 250.0
"""The sigma of a puzzle that nobody has tried: what bots miss need not be hard for people."""
_PERSON, _PUZZLE = "person", "puzzle"


def first_rating(puzzle: Puzzle) -> Rating:
    """What is held of a puzzle that nobody has tried: it is as hard as the level that misses it is strong."""
    elo = catalog.describe(puzzle.game).levels[puzzle.level - 1].elo
    return FIRST if elo is None else Rating(BEGINNER + elo, UNTRIED)


def after_attempt(person: Standing, puzzle: Rating, *, is_right: bool, at: float) -> tuple[Standing, Rating]:
    """What is known of both after an attempt. A person's rating gets less certain with time; a puzzle stays
    as hard as it is."""
    places = (1, 2) if is_right else (2, 1)
    entrants = [Entrant(name, place) for name, place in zip((_PERSON, _PUZZLE), places, strict=True)]
    standings = {_PERSON: person, _PUZZLE: Standing(puzzle)}
    ((of_person, of_puzzle),) = replay([Outcome(at, entrants)], standings, {})
    return of_person.after, of_puzzle.after.rating
