"""The search plays every game: legal actions, seeded, stopped, within its memory."""

import threading

import pytest

from conformance.cases import Case, quick_cases, random_game, some
from kakomi.search import Search


@quick_cases
def test_a_search_gives_legal_actions(case: Case) -> None:
    search = Search(case.game, seed=1, memory_mb=8)
    for position in some(random_game(case)[:-1], 6):
        report = search.run(position, simulations=60)
        legal = position.legal_actions()
        assert report.action in legal
        assert {line.action for line in report.lines} <= set(legal)
        assert report.simulations == 60 or report.is_proven
        assert sum(report.returns) == pytest.approx(0, abs=1e-9)
        assert len(report.returns) == case.game.players
        assert report.principal[0] == report.action


@quick_cases
def test_a_search_plays_a_whole_game_on_its_own_tree(case: Case) -> None:
    search = Search(case.game, seed=2, memory_mb=8)
    start = random_game(case)[-1].ply // 2
    position = random_game(case)[start]
    limit = case.game.description.max_game_length
    most_plies = limit(case.game.geometry, case.game.options) if limit else 10**6
    while not position.is_over and position.ply < most_plies:
        position = position.play_action(search.run(position, simulations=12).action)
    with pytest.raises(ValueError, match="over" if position.is_over else "limit"):
        search.run(position)


@quick_cases
def test_equal_seeds_search_alike_and_others_differently(case: Case) -> None:
    position = case.game.start()
    reports = [Search(case.game, seed=seed, memory_mb=8).run(position, simulations=200) for seed in (1, 1, 2)]
    assert reports[0].lines == reports[1].lines
    assert reports[0].plies == reports[1].plies
    assert (reports[0].lines, reports[0].plies) != (reports[2].lines, reports[2].plies)


@quick_cases
def test_a_search_stops_when_told(case: Case) -> None:
    stop = threading.Event()
    stop.set()
    report = Search(case.game, memory_mb=8).run(case.game.start(), seconds=60, stop=stop)
    assert report.simulations > 0
    assert report.seconds < 30


@quick_cases
def test_a_search_lives_with_little_memory(case: Case) -> None:
    search = Search(case.game, seed=3, memory_mb=0.05)
    report = search.run(case.game.start(), simulations=3000)
    assert report.action in case.game.start().legal_actions()
    assert report.simulations == 3000
