"""Searches advised by a network: the effects of a blank one and of others."""

import random
from dataclasses import replace

import pytest

import kakomi
from kakomi.core import Game
from kakomi.kernel import use_mode
from kakomi.search import AdvisedSearch, Search
from sampling import is_compiled
from search.evaluators import ConfidentEvaluator, CountingEvaluator, InsistentEvaluator

every_game = pytest.mark.parametrize("name", list(filter(is_compiled, kakomi.names())))
SIMULATIONS = 400


def quick(name: str) -> Game:
    return kakomi.game(name, **kakomi.game(name).description.quick)


@every_game
@pytest.mark.parametrize("puct", [0.0, 1.0])
def test_a_network_that_knows_nothing_changes_no_visit(name: str, puct: float) -> None:
    game = quick(name)
    config = replace(game.description.search_config, puct=puct, use_prior=0)
    advised = AdvisedSearch(game, evaluator=CountingEvaluator(game), mix=0.0, config=config, seed=3)
    plain = Search(game, config=config, seed=3)
    position = game.start()
    for _ in range(3):  # with trees kept between actions
        reports = [search.run(position, simulations=SIMULATIONS) for search in (plain, advised)]
        assert reports[0].lines == reports[1].lines
        assert reports[0].plies == reports[1].plies
        position = position.play_action(reports[0].action)


def test_it_changes_none_where_the_tree_is_full_or_the_game_is_soon_over() -> None:
    game = kakomi.game("rive", size=2)
    config = replace(game.description.search_config, use_prior=0)
    for memory_mb in (0.001, 1):
        searches = [
            Search(game, config=config, seed=1, memory_mb=memory_mb),
            AdvisedSearch(
                game, evaluator=CountingEvaluator(game), mix=0, config=config, seed=1, memory_mb=memory_mb
            ),
        ]
        reports = [search.run(game.start(), simulations=3000) for search in searches]
        assert reports[0].lines == reports[1].lines
        assert reports[0].is_full == reports[1].is_full


@every_game
@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_all_modes_of_the_kernel_make_the_same_of_advice(name: str, mix: float) -> None:
    game = quick(name)

    def lines() -> object:
        search = AdvisedSearch(
            game, evaluator=InsistentEvaluator(game, game.start().legal_actions()[0]), mix=mix, seed=2
        )
        return search.run(game.start(), simulations=12).lines

    compiled = lines()
    with use_mode("interpreted"):
        assert lines() == compiled


@every_game
def test_advice_draws_visits_to_an_action(name: str) -> None:
    game = quick(name)
    action = game.start().legal_actions()[-1]
    config = replace(game.description.search_config, puct=2.0, use_candidates=0)
    search = AdvisedSearch(game, evaluator=InsistentEvaluator(game, action), mix=0.0, config=config, seed=1)
    report = search.run(game.start(), simulations=100)
    assert report.action == action
    assert report.lines[0].visits > 90


@every_game
def test_a_network_alone_needs_no_playouts(name: str) -> None:
    game = quick(name)
    evaluator = ConfidentEvaluator(game)
    search = AdvisedSearch(game, evaluator=evaluator, mix=1.0, seed=1)
    report = search.run(game.start(), simulations=100)
    assert evaluator.asked == 1 + 100  # the root is expanded first; each simulation ends at a new node
    assert report.plies < 100 * 100
    mixed = AdvisedSearch(game, evaluator=ConfidentEvaluator(game), mix=0.5, seed=1)
    assert mixed.run(game.start(), simulations=100).plies > report.plies


def test_what_a_network_expects_is_what_a_search_without_playouts_reports() -> None:
    game = kakomi.game("ren", size=6)
    evaluator = ConfidentEvaluator(game)
    with use_mode("interpreted"):
        report = AdvisedSearch(game, evaluator=evaluator, mix=1.0, seed=1).run(game.start(), simulations=1)
    certain, margin = 1.0, 0.5 + 0.5 * 50 / (50 + game.description.search_config.margin_scale)
    gain = certain + game.description.search_config.margin * (margin - certain)
    assert report.returns[1] == pytest.approx(2 * gain - 1, abs=1e-6)  # for the next player to act


def test_a_network_alone_finds_an_action_where_the_game_is_decided_but_not_over() -> None:
    game = kakomi.game("rive", size=3)
    decided = 0
    for seed in range(4):
        position, chance = game.start(), random.Random(seed)
        while not position.is_over:
            report = AdvisedSearch(game, evaluator=CountingEvaluator(game), mix=1.0).run(
                position, simulations=8
            )
            assert report.action in position.legal_actions()
            decided += report.is_proven
            position = position.play_action(chance.choice(position.legal_actions()))
    assert decided > 4


def test_a_mix_is_a_share() -> None:
    game = quick("rive")
    with pytest.raises(ValueError, match="mix is 2; it must be from 0"):
        AdvisedSearch(game, evaluator=CountingEvaluator(game), mix=2)
