"""Results that a search calls proven, compared with brute force, and several threads on one tree."""

import random
import threading
from dataclasses import replace

import pytest

import kakomi
from kakomi.core import Game, Position
from kakomi.core.level_config import SearchConfig
from kakomi.kernel.records import EMPTY
from kakomi.search import Report, Search
from kakomi.search.tree import NOBODY, ROOT

SMALL = [
    kakomi.game("rin", size=4),
    kakomi.game("lin", size=5),
    kakomi.game("rive", size=2),
    kakomi.game("rings", size=2),
    kakomi.game("rings", size=2, players=3),
]
LEFT = {"rin": 5, "lin": 8, "rive": 5, "rings": 1}
"""The most empty points for brute force."""
LOOKED_AT = 8000
"""The number of positions that brute force searches per player before it gives up."""


def empty_points(position: Position) -> int:
    stones = position.states()["stones"][0][: position.game.geometry.points]
    return int((stones == EMPTY).sum())


def late_positions(game: Game, n: int) -> list[Position]:
    """Positions from random games, late enough for a full search."""
    choose = random.Random(f"{game!r}")
    found: list[Position] = []
    while len(found) < n:
        position = game.start()
        while not position.is_over and empty_points(position) > LEFT[game.name]:
            position = position.play_action(choose.choice(position.legal_actions()))
        if not position.is_over and len(position.legal_actions()) > 1:
            found.append(position)
    return found


class TooManyError(Exception):
    """Brute force would take too long."""


def can_force(position: Position, player: int, known: dict[bytes, bool]) -> bool:
    """Whether a player can force a sole win, by exhaustive search."""
    if position.is_over:
        return bool(position.returns()[player] == 1)
    key = bytes([player]) + position.key()
    if key not in known:
        if len(known) > LOOKED_AT:
            raise TooManyError
        known[key] = False  # cycles don't win
        results = (can_force(position.play_action(a), player, known) for a in position.legal_actions())
        known[key] = any(results) if position.to_move == player else all(results)
    return known[key]


def winners_by_force(position: Position) -> list[int] | None:
    """The players who can force a win, at most one; None if the search takes too long."""
    try:
        return [player for player in range(position.game.players) if can_force(position, player, {})]
    except TooManyError:
        return None


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_what_is_proven_is_true_and_what_is_true_is_proven(game: Game) -> None:
    proven = 0
    for position in late_positions(game, 16):
        forced = winners_by_force(position)
        if forced is None:
            continue
        eager = replace(game.description.search_config, exploration=1.0)  # explores everything, however bad
        search = Search(game, seed=1, config=eager)
        report = search.run(position, simulations=5000)
        winner = int(search._tree.nodes["winner"][ROOT])
        if winner in range(game.players):
            assert forced == [winner]
            if winner == position.to_move:
                assert winners_by_force(position.play_action(report.action)) == [winner]
        elif winner != NOBODY:
            assert not forced, "a draw"
        proven += report.is_proven
    assert proven >= 5


@pytest.mark.parametrize("name", kakomi.names())
def test_threads_share_one_tree_and_count_every_visit(name: str) -> None:
    game = kakomi.game(name, **kakomi.game(name).description.quick)
    search = Search(game, seed=1, threads=3)
    for worker in search._workers:
        worker._slice = 100
    report = search.run(game.start(), simulations=6000)
    tree = search._tree
    assert report.simulations == tree.arrays.visits[ROOT] == sum(line.visits for line in report.lines) == 6000
    assert tree.sums[ROOT].sum() == pytest.approx(6000)
    waiting = [ROOT]
    while waiting:
        children = tree.children(waiting.pop())
        actions = [int(tree.nodes[child]["action"]) for child in children]
        assert len(set(actions)) == len(actions)
        assert all(child < tree.arrays.used[0] for child in children)
        waiting += children


def test_a_stop_reaches_every_thread() -> None:
    game = kakomi.game("rin", size=8)
    search = Search(game, threads=2)
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    report = search.run(game.start(), stop=stop)
    assert threading.active_count() < 10 and stop.is_set() and report.simulations > 0


def test_a_listener_that_fails_ends_all_threads() -> None:
    class EnoughError(Exception):
        pass

    def fail(report: Report) -> None:
        raise EnoughError

    game = kakomi.game("rin", size=8)
    with pytest.raises(EnoughError):
        Search(game, threads=2).run(game.start(), seconds=60, on_slice=fail)


def test_no_search_has_fewer_threads_than_one() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Search(kakomi.game("rin", size=4), threads=0)


@pytest.mark.parametrize("setting", ["equivalence", "exploration", "margin", "prior_visits", "expand_after"])
def test_every_setting_changes_the_search(setting: str) -> None:
    game = kakomi.game("lin", size=7)
    plain = SearchConfig(equivalence=100.0)
    changed = SearchConfig(**{"equivalence": 100.0, setting: {"margin": 0.5}.get(setting, 7.0)})
    reports = [Search(game, config=config).run(game.start(), simulations=500) for config in (plain, changed)]
    assert reports[0].lines != reports[1].lines
