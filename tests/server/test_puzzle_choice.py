"""The choice of three puzzles for a person and day."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

import pytest

from kakomi import catalog
from kakomi.contest import Rating
from kakomi.puzzles import Puzzle
from kakomi.server.puzzles.collection import (
    BANDS,
    PUZZLES_PER_DAY,
    all_puzzles,
    difficulty,
    level_of,
    puzzles_of_day,
)

DAY = date(2026, 11, 25)
PUZZLES = sorted(all_puzzles().values(), key=lambda puzzle: (difficulty(puzzle), puzzle.name))
LEVELS = tuple(difficulty(PUZZLES[len(PUZZLES) * band // BANDS]) for band in range(BANDS))
"""A strength in each band: that of its easiest puzzle."""
EASY = PUZZLES[: len(PUZZLES) // BANDS]


def day(number: int) -> date:
    return DAY + timedelta(days=number)


def mean(puzzles: Sequence[Puzzle]) -> float:
    return sum(map(difficulty, puzzles)) / len(puzzles)


def test_a_puzzle_is_as_hard_as_the_level_that_misses_it_is_strong() -> None:
    for puzzle in PUZZLES:
        assert difficulty(puzzle) == 1000 + catalog.describe(puzzle.game).levels[puzzle.level - 1].elo
    assert difficulty(PUZZLES[0]) + 1000 < difficulty(PUZZLES[-1])


def test_day_and_level_say_which() -> None:
    chosen = puzzles_of_day(PUZZLES, DAY, 1500.0)
    assert len({puzzle.name for puzzle in chosen}) == PUZZLES_PER_DAY
    assert chosen == puzzles_of_day(reversed(PUZZLES), DAY, 1500.0) != puzzles_of_day(PUZZLES, day(1), 1500.0)


def test_games_take_turns() -> None:
    shown = [
        [puzzle.game for puzzle in puzzles_of_day(PUZZLES, day(number), LEVELS[0])] for number in range(10)
    ]
    assert {game for games in shown for game in games} == {puzzle.game for puzzle in EASY}
    assert all(len(set(games)) > 1 for games in shown)


def test_bands_are_of_one_size_and_the_harder_the_stronger_somebody_is() -> None:
    bands = []
    for level in LEVELS:
        chosen = {
            puzzle.name: puzzle
            for number in range(30)
            for puzzle in puzzles_of_day(PUZZLES, day(number), level)
        }
        bands.append(sorted(chosen.values(), key=difficulty))
    assert sorted(puzzle.name for band in bands for puzzle in band) == sorted(all_puzzles())
    assert max(map(len, bands)) - min(map(len, bands)) <= 1
    for easier, harder in pairwise(bands):
        assert difficulty(easier[-1]) <= difficulty(harder[0])
    assert puzzles_of_day(PUZZLES, DAY, 0.0) == puzzles_of_day(PUZZLES, DAY, LEVELS[0])
    assert puzzles_of_day(PUZZLES, DAY, 9999.0) == puzzles_of_day(PUZZLES, DAY, LEVELS[-1])


@pytest.mark.parametrize("level", LEVELS)
def test_who_only_looks_sees_all_of_a_band_before_one_comes_again(level: float) -> None:
    seen = [puzzle.name for number in range(60) for puzzle in puzzles_of_day(PUZZLES, day(number), level)]
    size = len(set(seen))
    assert all(len(set(seen[start : start + size])) == size for start in range(len(seen) - size))


@pytest.mark.parametrize("level", LEVELS)
def test_who_answers_gets_no_puzzle_twice_before_all_are_answered(level: float) -> None:
    answered: list[str] = []
    for number in range(len(PUZZLES) // PUZZLES_PER_DAY):
        chosen = puzzles_of_day(PUZZLES, day(number), level, answered)
        assert not {puzzle.name for puzzle in chosen} & set(answered)
        answered += [puzzle.name for puzzle in chosen]
    last = puzzles_of_day(PUZZLES, day(100), level, answered)
    assert (
        len(last) == PUZZLES_PER_DAY
        and {*answered, *(puzzle.name for puzzle in last)} == all_puzzles().keys()
    )
    assert len(puzzles_of_day(PUZZLES, day(101), level, all_puzzles().keys())) == PUZZLES_PER_DAY


def test_the_nearest_band_comes_next() -> None:
    middle = puzzles_of_day(PUZZLES, DAY, LEVELS[0], {puzzle.name for puzzle in EASY})
    assert {puzzle.name for puzzle in middle} == {
        puzzle.name for puzzle in puzzles_of_day(PUZZLES, DAY, LEVELS[1])
    }


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_puzzles_are_no_failure(count: int) -> None:
    assert sorted(puzzle.name for puzzle in puzzles_of_day(PUZZLES[:count], DAY, 1500.0)) == sorted(
        puzzle.name for puzzle in PUZZLES[:count]
    )


def test_a_rating_in_games_goes_first_and_nothing_known_is_a_beginner() -> None:
    answers = [(PUZZLES[-1], True)] * 10
    assert level_of(Rating(1234.0, 50.0), answers) == 1234.0
    assert level_of(None, []) == 1000.0


def test_answers_move_the_level_by_the_share_that_is_right() -> None:
    hard, easy = PUZZLES[-1], PUZZLES[0]
    half = level_of(None, [(hard, True), (easy, False)])
    assert half == mean([hard, easy])
    assert level_of(None, [(hard, True), (easy, True)]) == half + 400
    assert level_of(None, [(hard, False), (easy, False)]) == half - 400


def test_all_bands_are_reached_and_left_again() -> None:
    answers: list[tuple[Puzzle, bool]] = []
    reached = []
    for number in range(40):
        level = level_of(None, answers[-10:])
        reached.append(sum(each <= level for each in LEVELS[1:]))
        answers += [(puzzle, number < 20) for puzzle in puzzles_of_day(PUZZLES, day(number), level)]
    assert reached[0] == 0 and reached[19] == BANDS - 1 and reached[-1] == 0
    assert set(reached) == set(range(BANDS))
