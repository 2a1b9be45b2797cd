"""Rivals of self-play: which there are, how often they play, and that their turns aren't learned from."""

from dataclasses import replace
from pathlib import Path

import pytest

import kakomi
from kakomi.learn.plan import Plan, by_visits, pattern_plan, with_rivals
from kakomi.learn.self_play import (
    MOST_SIMULATIONS,
    NO_RIVALS,
    PATTERNS,
    Rival,
    RivalShares,
    play_games,
    rivals_among_levels,
)
from kakomi.search.pattern_table import own_patterns
from learn.played import QUICK, assignment, quick

every_game = pytest.mark.parametrize("name", kakomi.names())
EARLIER = [Path(f"{number:04}.npz") for number in range(5)]


@every_game
def test_levels_that_play_their_best_are_rivals(name: str) -> None:
    game = quick(name)
    found = rivals_among_levels(game)
    assert found
    for rival in found:
        level = game.description.levels[int(rival.name.removeprefix("level ")) - 1]
        assert rival.simulations == level.simulations <= MOST_SIMULATIONS and not level.temperature


def test_rivals_are_drawn_as_often_as_told() -> None:
    game, shares = quick("rive"), RivalShares(past=0.2, levels=0.1)
    drawn = [shares.draw(game, EARLIER, 48, (1, number)) for number in range(2_000)]
    assert drawn == [shares.draw(game, EARLIER, 48, (1, number)) for number in range(2_000)]
    past = [rival for rival in drawn if rival and rival.file]
    levels = [rival for rival in drawn if rival and not rival.file]
    assert len(past) == pytest.approx(400, abs=80) and len(levels) == pytest.approx(200, abs=60)
    assert {rival.file for rival in past} == {str(path) for path in EARLIER}
    assert {rival.simulations for rival in past} == {48} and past[0].name.startswith("checkpoint 000")
    assert {rival.name for rival in levels} == {rival.name for rival in rivals_among_levels(game)}


def test_without_earlier_checkpoints_there_are_levels_alone() -> None:
    shares = RivalShares(past=0.5, levels=0.5)
    drawn = [shares.draw(quick("rive"), [], 48, (1, number)) for number in range(50)]
    assert {bool(rival.file) for rival in drawn if rival} == {False}
    assert not any(NO_RIVALS.draw(quick("rive"), EARLIER, 48, (1, number)) for number in range(50))


@pytest.mark.parametrize("players", [2, 3])
def test_a_rival_has_one_seat_and_nobody_learns_from_it(players: int) -> None:
    game = kakomi.game("rings", size=2, players=players)
    how = replace(QUICK, opening_share=0.0, thorough_share=1.0)
    told = replace(assignment(game, games=8), how=how, rival=Rival("a rival", 10))
    games = play_games(game, told)
    assert games == play_games(game, told)
    silent = set()
    for each in games:
        position, learned = game.start(), set()
        for action in each.actions:
            if position.ply in each.policies:
                learned.add(position.to_move)
            position = position.play_action(action)
        assert position.is_over
        [seat] = set(range(players)) - learned
        silent.add(seat)
    assert len(silent) > 1, "a rival takes now this seat, now that"


def test_who_is_advised_meets_rivals_too() -> None:
    game = quick("rive")
    how = replace(QUICK, mix=0.5, noise=0.25, thorough_share=1.0)
    told = replace(assignment(game), how=how, advisor=str(own_patterns(game)), adviser=PATTERNS)
    met = play_games(game, replace(told, rival=Rival("a rival", 4)))
    learned = [len(each.policies) / len(each.actions) for each in met]
    assert all(0.2 < share < 0.8 for share in learned)


def test_a_plan_says_how_often(tmp_path: Path) -> None:
    plan = Plan("rive", ({"size": 2},))
    assert with_rivals(plan, 0.3, levels=True).how.rivals == RivalShares(
        pytest.approx(0.2), pytest.approx(0.1)
    )
    assert with_rivals(plan, 0.3, levels=False).how.rivals == RivalShares(0.3, 0.0)
    assert pattern_plan("rive", plan.boards).how.rivals == NO_RIVALS
    told = by_visits(with_rivals(plan, 0.3, levels=False), 100)
    told.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json") == told
    assert [told.how.of_round(checkpoints).thorough for checkpoints in (1, 5, 30)] == [100] * 3
