"""The end of a recorded game: from where on it is proved, and what was thrown away."""

import pytest

from kakomi import catalog, records
from kakomi.core import Game
from kakomi.kernel import random_state
from kakomi.solve import prove
from kakomi.study.analysis.move import Ply, plies
from kakomi.study.blunders import proved_ending
from kakomi.study.tournament.opening import random_walk

BUDGET = 1_000_000


def plies_of(game: Game, seed: int, leave: int = 0) -> list[Ply]:
    """A random game, but for its last actions."""
    *_, end = random_walk(game.start(), random_state(seed))
    texts = [game.action_texts[action] for action in end.played()]
    return plies(records.recorded(game, texts[: len(texts) - leave]), game)


def test_what_was_thrown_away_is_told_with_what_keeps_it() -> None:
    game = catalog.game("rive", size=2)
    found = [proved_ending(plies_of(game, seed), BUDGET) for seed in range(20)]
    thrown = [choice for ending in found for choice in ending.thrown_away]
    assert thrown
    for ending in found:
        assert ending.proved[0].turn == 1, "a board of seven points is proved from the start"
    for choice in thrown:
        results = prove(choice.ply.before, BUDGET).results
        assert results is not None
        assert choice.played == results[choice.ply.action] < choice.best == max(results.values())
        assert set(choice.keeping) == {
            game.action_texts[action] for action, result in results.items() if result == choice.best
        }


def test_choices_come_in_the_order_played() -> None:
    ending = proved_ending(plies_of(catalog.game("rive", size=2), 4), BUDGET)
    moments = [choice.ply.moment for choice in ending.choices]
    assert len(moments) > 1 and moments == sorted(moments)
    told = ending.as_data()
    assert list(told) == [(choice.ply.turn, choice.ply.place) for choice in ending.choices]
    assert told[ending.choices[0].ply.turn, ending.choices[0].ply.place]["best"] == ending.choices[0].best


def test_a_game_that_was_given_up_is_proved_as_far_as_it_went() -> None:
    whole = plies_of(catalog.game("rin", size=4), 5)
    part = plies_of(catalog.game("rin", size=4), 5, leave=3)
    left_out = {(ply.turn, ply.place) for ply in whole[len(part) :]}
    of_whole = proved_ending(whole, BUDGET).as_data()
    of_part = proved_ending(part, BUDGET).as_data()
    assert of_part == {key: told for key, told in of_whole.items() if key not in left_out}


def test_without_actions_nothing_is_proved() -> None:
    ending = proved_ending([], BUDGET)
    assert not ending.proved and not ending.choices


def test_three_players_are_refused() -> None:
    with pytest.raises(ValueError, match="results are proved between two players, and this game has 3"):
        proved_ending(plies_of(catalog.game("rings", size=2, players=3), 1), BUDGET)
