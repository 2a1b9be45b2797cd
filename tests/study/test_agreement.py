"""Which turns of a game are compared with level 10, and what agrees with its search."""

import pytest

from kakomi import catalog, records
from kakomi.core import Game
from kakomi.core.level_config import LEVELS
from kakomi.search import Line, Report
from kakomi.study.agreement import MOST_TURNS, OPENING, agrees, limits_of, plies_to_compare, seed_for


@pytest.fixture
def game() -> Game:
    return catalog.game("rin", size=12)


def played(game: Game, plies: int) -> records.Record:
    position = game.start()
    while position.ply < plies and not position.is_over:
        legal = position.legal_actions()
        position = position.play_action(legal[position.ply % min(7, len(legal))])
    return records.recorded(game, position.played())


def test_turns_after_the_opening_are_compared_spread_over_the_game(game: Game) -> None:
    record = played(game, 100)
    found = plies_to_compare(record, game, 1)
    assert len(found) == MOST_TURNS
    assert all(ply.player == 1 and ply.turn > OPENING and ply.place == 1 for ply in found)
    numbers = [ply.turn for ply in found]
    assert numbers == sorted(set(numbers)) and numbers[-1] > 0.8 * len(record.turns)
    assert plies_to_compare(played(game, OPENING), game, 0) == []


def test_searches_are_those_of_level_10_and_asked_again_the_same(game: Game) -> None:
    assert limits_of(game).simulations == game.description.levels[LEVELS - 1].simulations
    first, second = (plies_to_compare(played(game, 30), game, 0) for _ in range(2))
    assert [seed_for(ply) for ply in first] == [seed_for(ply) for ply in second]
    assert len({seed_for(ply) for ply in first}) == len(first)


def report(*lines: tuple[int, float], **fields: object) -> Report:
    """A search by player 0: the visits of actions 0, 1, 2 ... and their chances."""
    found = tuple(
        Line(number, visits, (2 * chance - 1, 1 - 2 * chance))
        for number, (visits, chance) in enumerate(lines)
    )
    return Report(0, 1000, 0.1, found[0].returns, found, **fields)  # type: ignore[arg-type]


def test_what_level_10_plays_agrees_and_what_loses_nothing_against_it() -> None:
    found = report((600, 0.6), (300, 0.598), (200, 0.56), (2, 0.9))
    assert [agrees(found, action) for action in range(5)] == [True, True, False, False, False]


@pytest.mark.parametrize(
    "found",
    [
        report((900, 0.6), (100, 0.4)),  # one action alone comes into question
        report((900, 0.6)),
        report((500, 0.99), (500, 0.985)),  # decided
        report((500, 0.01), (500, 0.005)),
        report((500, 0.6), (500, 0.6), is_proven=True),
    ],
)
def test_positions_that_say_nothing(found: Report) -> None:
    assert agrees(found, 0) is None and agrees(found, 1) is None
