"""The games for a budget: the same on every machine, and more for larger budgets."""

import pytest

from kakomi.study.matches import Pairing
from kakomi.study.report.plan import CostModel, Sample, budget_in_words, cost_model, parse_budget, plan_for
from study.report.made import RIN, THREE

MODEL = CostModel(actions=16, steps=10, random_actions=16)


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1.5h", 5400), (" 2H ", 7200)])
def test_budgets_are_read(text: str, seconds: float) -> None:
    assert parse_budget(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "ten minutes", "0m", "-5m", "9999h", "nan s"])
def test_what_is_no_budget_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="10m or 2h"):
        parse_budget(text)


def test_budgets_are_written_as_they_are_read() -> None:
    assert [budget_in_words(seconds) for seconds in (90, 600, 7200, 9000)] == ["90s", "10m", "2h", "2.5h"]


def test_a_plan_depends_on_its_arguments_alone_and_grows_with_the_budget() -> None:
    assert plan_for(RIN, 5, 1).samples == plan_for(RIN, 5, 1).samples
    small, large = (plan_for(RIN, seconds, 1, MODEL) for seconds in (5, 500))
    assert large.top > small.top >= 1 and large.games > small.games
    assert small.core_seconds < 2 * 5 and large.core_seconds < 2 * 500


def test_a_larger_plan_begins_as_a_smaller_one_does() -> None:
    short, long = (Sample("ladder", 2, games).pairings(RIN, 1) for games in (4, 8))
    assert long[:4] == short and len(long) == 8


def test_games_of_equals_begin_at_the_start_and_those_of_neighbours_in_blocks() -> None:
    equals, neighbours = Sample("self", 2, 5).pairings(RIN, 1), Sample("ladder", 2, 4).pairings(RIN, 1)
    assert len(equals) == 5 and {one.opening_plies for one in equals} == {0}
    assert all(set(one.specs) == {"2"} for one in equals)
    first, second = neighbours[:2]
    assert first.opening == second.opening and first.seats == second.seats[::-1] == ("2", "1")
    assert set(Sample("ladder", 1, 2).pairings(RIN, 1)[0].seats) == {"1", "random"}


def test_three_players_are_seated_in_all_ways() -> None:
    seats = {one.seats for one in Sample("ladder", 2, 6).pairings(THREE, 1)}
    assert len(seats) == 6 and all(len(set(each)) == 2 for each in seats)
    assert all(len(set(one.seats)) == 3 for one in Sample("self", 2, 3).pairings(THREE, 1))


def test_no_two_games_of_a_plan_have_a_number_in_common() -> None:
    plan = plan_for(RIN, 50, 1, MODEL)
    numbers = [pairing.number for pairing in plan.in_order()]
    assert len(set(numbers)) == len(numbers) == plan.games


def test_samples_grow_side_by_side() -> None:
    """A report stopped halfway has half of each sample."""
    plan = plan_for(RIN, 50, 1, MODEL)
    half = {pairing.number for pairing in plan.in_order()[: plan.games // 2]}

    def part(pairings: list[Pairing]) -> float:
        return sum(pairing.number in half for pairing in pairings) / len(pairings)

    assert all(0.3 < part(pairings) < 0.7 for pairings in plan.pairings.values() if len(pairings) >= 10)


def test_where_no_level_is_affordable_random_play_is_all_there_is() -> None:
    dear = CostModel(actions=10_000, steps=10_000, random_actions=10_000)
    plan = plan_for(RIN, 1, 1, dear)
    assert [sample.kind for sample in plan.samples] == ["random"] and plan.top == 0


def test_the_model_counts_actions_and_not_seconds() -> None:
    model = cost_model(RIN, 1)
    assert model == cost_model(RIN, 1)
    assert 8 <= model.actions <= 16 and 8 <= model.random_actions <= 16 and 0 < model.steps <= 16
    assert model.searched_game(100) > model.searched_game(10) > model.random_game()


def test_copying_is_tried_by_two_alone() -> None:
    assert any(sample.kind == "mirror" for sample in plan_for(RIN, 5, 1, MODEL).samples)
    assert not any(sample.kind == "mirror" for sample in plan_for(THREE, 5, 1, MODEL).samples)
    seats = [one.specs for one in Sample("mirror", 2, 2).pairings(RIN, 1)]
    assert seats == [("mirror:2", "2"), ("2", "mirror:2")]


def test_samples_are_titled_by_who_plays() -> None:
    samples = [Sample("random"), Sample("self", 3), Sample("ladder", 3), Sample("ladder", 1), Sample("own")]
    titles = [
        "random play",
        "level 3",
        "level 3 against level 2",
        "level 1 against random play",
        "these games",
    ]
    assert [sample.title for sample in samples] == titles
    assert [sample.key for sample in samples] == ["random", "self-3", "ladder-3", "ladder-1", "own"]
