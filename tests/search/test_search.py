"""The tree search: limits, seeds, its tree between calls, and wins that it must find."""

import gc
import os
import random
import subprocess
import sys
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

import kakomi
from kakomi.core import Game, Position
from kakomi.kernel import Mode, use_mode
from kakomi.search import PlainSearch, Search, mcts, uct
from kakomi.search.tree import NO_FOCUS, ROOT, Tree
from kakomi.search.worker import Worker

GAMES = kakomi.names()


def quick(name: str) -> Game:
    return kakomi.game(name, **kakomi.game(name).description.quick)


def random_game(game: Game, seed: int) -> list[Position]:
    """All positions of a random game, first to last."""
    choose = random.Random(seed)
    positions = [game.start()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play_action(choose.choice(positions[-1].legal_actions())))
    return positions


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_and_a_limit_in_simulations_decide_everything(name: str) -> None:
    game = quick(name)
    reports = [Search(game, seed=5).run(game.start(), simulations=700) for _ in range(2)]
    assert reports[0].lines == reports[1].lines
    assert reports[0].simulations == 700
    assert sum(line.visits for line in reports[0].lines) == 700
    assert Search(game, seed=6).run(game.start(), simulations=700).lines != reports[0].lines


@pytest.mark.parametrize("name", GAMES)
def test_slices_do_not_change_the_result(name: str) -> None:
    game = quick(name)
    whole, sliced = Search(game, seed=1), Search(game, seed=1)
    worker = sliced._workers[0]
    worker._size_slice = lambda n, seconds, aim: None  # type: ignore[method-assign]
    worker._slice = 7
    assert whole.run(game.start(), simulations=300).lines == sliced.run(game.start(), simulations=300).lines


@pytest.mark.parametrize("name", ["ren", "rings"])
def test_playouts_are_cut_off_where_told_and_prove_nothing(name: str) -> None:
    game = quick(name)
    reports = [
        Search(game, config=replace(game.description.search_config, playout_plies=plies)).run(
            game.start(), simulations=100
        )
        for plies in (5, 0)
    ]
    cut, whole = reports
    assert 5 * 100 <= cut.plies < 10 * 100 < whole.plies
    assert not cut.is_proven


@pytest.mark.parametrize("name", GAMES)
def test_values_are_one_a_player_and_sum_to_nothing(name: str) -> None:
    game = quick(name)
    report = Search(game, seed=2).run(game.start(), simulations=500)
    assert len(report.returns) == game.players
    assert abs(sum(report.returns)) < 1e-9
    assert all(-1 <= value <= 1 for value in report.returns)
    assert report.principal[0] == report.action == report.lines[0].action


def test_a_search_without_a_limit_or_of_a_finished_game_is_refused() -> None:
    game = kakomi.game("rin", size=4)
    with pytest.raises(ValueError, match="needs a limit"):
        Search(game).run(game.start())
    with pytest.raises(ValueError, match="the game is over"):
        Search(game).run(random_game(game, 1)[-1], simulations=1)
    with pytest.raises(ValueError, match="this search is for"):
        Search(game).run(kakomi.game("rin", size=6).start(), simulations=1)


def test_a_limit_in_time_and_a_stop_from_another_thread_end_the_search() -> None:
    game = quick("rin")
    search = Search(game)
    search.run(game.start(), simulations=10)
    started = time.monotonic()
    search.run(game.start(), seconds=0.2)
    assert time.monotonic() - started < 30  # not a performance test: it must end
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    report = search.run(game.start(), stop=stop)
    assert stop.is_set() and report.simulations > 0


def test_compiling_is_not_in_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quick("rin")
    search = Search(game)
    seen: list[bool] = []
    monkeypatch.setattr(search, "warm", lambda: seen.append(search._position is None))
    search.run(game.start(), seconds=0.01)
    assert seen == [True]


@pytest.mark.parametrize("name", GAMES)
def test_memory_is_bounded_and_the_search_goes_on_without_it(name: str) -> None:
    game = quick(name)
    search = Search(game, memory_mb=0.01, seed=1)
    report = search.run(game.start(), simulations=3000)
    assert report.is_full
    assert search._tree.header["used"][0] <= len(search._tree.nodes)
    assert sum(line.visits for line in report.lines) == 3000


@pytest.mark.parametrize("kind", [Search, PlainSearch])
def test_memory_is_freed_as_soon_as_a_search_is_not_needed(kind: type[Search]) -> None:
    """It doesn't wait for the cyclic garbage collector, which counts objects regardless of their size."""
    game = quick("rin")
    gc.disable()
    try:
        search = kind(game, memory_mb=1)
        search.run(game.start(), simulations=20)
        followed = weakref.ref(search)
        del search
        assert followed() is None
    finally:
        gc.enable()


def test_a_tree_that_fills_its_memory_is_given_up_when_play_goes_on() -> None:
    """Otherwise the next search couldn't add nodes."""
    position = kakomi.game("lin", size=5).start()
    search = Search(position.game, memory_mb=0.5, seed=1)
    for _ in range(6):
        position = position.play_action(search.run(position, simulations=20_000).action)
        search.run(position, simulations=1)
        assert not search._tree.is_crowded


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_is_kept_when_play_follows_it(name: str) -> None:
    game = quick(name)
    position = game.start()
    search = Search(game, seed=3)
    for _ in range(6):
        report = search.run(position, simulations=400)
        best = report.lines[0]
        position = position.play_action(best.action)
        if position.is_over:
            break
        search._move_root(position)
        assert search._tree.nodes[ROOT]["visits"] == best.visits
        assert_whole(search)


def assert_whole(search: Search) -> None:
    """Check a tree: a node's visits are its children's plus those before it was expanded, and actions are
    unique."""
    tree, most = search._tree, search.config.expand_after
    waiting = [ROOT]
    while waiting:
        node = waiting.pop()
        children = tree.children(node)
        visits = [int(tree.nodes[child]["visits"]) for child in children]
        actions = [int(tree.nodes[child]["action"]) for child in children]
        assert len(set(actions)) == len(actions)
        assert not children or 0 <= tree.nodes[node]["visits"] - sum(visits) <= most
        assert all(node < child < tree.header["used"][0] for child in children)
        waiting += children


@pytest.mark.parametrize("name", GAMES)
def test_a_focus_leads_every_simulation_through_one_action(name: str) -> None:
    game = quick(name)
    tree, worker = worker_of(game)
    roots = game.start().states()
    worker.simulate(roots, 1)
    child = tree.children(ROOT)[-1]
    before = int(tree.nodes["visits"][child])
    tree.focus(child)
    worker.simulate(roots, 30)
    assert tree.nodes["visits"][child] == before + 30
    tree.focus(NO_FOCUS)
    worker.simulate(roots, 100)
    assert tree.nodes["visits"][child] < before + 130
    tree.focus(child)
    tree.descend([int(tree.nodes["action"][child])])
    assert tree.header["focus"][0] == NO_FOCUS


def worker_of(game: Game) -> tuple[Tree, Worker]:
    """A tree and a worker on it."""
    tree = Tree(game.players, len(game.actions), 4.0)
    return tree, Worker(game, tree, game.description.search_config, 1)


def test_an_unrelated_position_starts_a_new_tree() -> None:
    game = quick("rin")
    search = Search(game, seed=1)
    search.run(game.start(), simulations=500)
    elsewhere = game.arranged({"3,3": 0, "4,4": 1}, to_move=1)
    report = search.run(elsewhere, simulations=200)
    assert sum(line.visits for line in report.lines) == 200
    assert {line.action for line in report.lines} <= set(elsewhere.legal_actions())


@pytest.mark.parametrize("name", GAMES)
def test_nothing_of_a_freed_tree_is_left_in_the_next_one(name: str) -> None:
    game = quick(name)
    start = game.start()
    search = Search(game, seed=1)
    follow = search.run(start, simulations=1000).lines[0].action
    for position in (start.play_action(follow), start):  # first its tree is kept, then there is none to keep
        search._move_root(position)
        tree = search._tree
        assert not tree.sums[tree.header["used"][0] :].any()
        report = search.run(position, simulations=1000)
        values = [value for line in report.lines for value in line.returns]
        assert min(values) >= -1 and max(values) <= 1


def winning_turns(position: Position) -> list[Position]:
    """The positions after turns with which the player to act wins immediately."""
    mover, found, waiting = position.to_move, [], [position]
    while waiting and len(waiting) < 2000:
        node = waiting.pop()
        for action in node.legal_actions():
            after = node.play_action(action)
            if after.is_over and after.returns()[mover] == 1:
                found.append(after)
            elif not after.is_over and after.to_move == mover:
                waiting.append(after)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_forced_wins_of_one_turn_are_taken(name: str) -> None:
    game = quick(name)
    # In Rive the turn that ends a game is one placement, and no other is legal: after a capture too many
    # cells are empty for the next placement to be the last.
    fewest = 1 if name == "rive" else 2
    tried = 0
    for seed in range(200):
        for before in reversed(random_game(game, seed)[:-1][-6:]):
            if before.turn or len(before.legal_actions()) < fewest or not winning_turns(before):
                continue
            position, mover = before, before.to_move
            search = Search(game, seed=seed)
            while not position.is_over and position.to_move == mover:
                position = position.play_action(search.run(position, simulations=2000).action)
            assert position.is_over and position.returns()[mover] == 1, before.text()
            tried += 1
            break
        if tried == 10:
            return
    pytest.fail(f"only {tried} positions with a win of one turn were found")


@pytest.mark.parametrize("name", ["rin", "rive"])
def test_a_search_that_proves_its_result_ends_where_it_does_whatever_the_slices(name: str) -> None:
    game = kakomi.game(name, size={"rin": 4, "rive": 2}[name])
    position = random_game(game, 3)[-7 if name == "rin" else -9]
    reports = []
    for slices in (1, 13, 5000):
        search = Search(game, seed=1)
        worker = search._workers[0]
        worker._size_slice = lambda n, seconds, aim: None  # type: ignore[method-assign]
        worker._slice = slices
        reports.append(search.run(position, simulations=20_000))
    assert reports[0].is_proven and reports[0].simulations < 20_000
    assert len({(report.simulations, report.lines) for report in reports}) == 1


@pytest.mark.parametrize("kind", [Search, PlainSearch])
@pytest.mark.parametrize("mode", [Mode.COMPILED, Mode.INTERPRETED])
def test_visits_are_counted_beyond_what_32_bits_hold(kind: type[Search], mode: Mode) -> None:
    game, before = kakomi.game("rin", size=4), 2**31 - 10
    with use_mode(mode):
        search = kind(game)
        search.run(game.start(), simulations=50)
        nodes, sums = search._tree.nodes, search._tree.sums
        busiest = int(nodes["visits"][1:].argmax()) + 1
        for node in (ROOT, busiest):
            sums[node] *= before / nodes["visits"][node]
            nodes["visits"][node] = before
        report = search.run(game.start(), simulations=100)
    assert nodes["visits"][ROOT] == before + 100
    assert report.lines[0].visits == nodes["visits"][busiest] >= before
    assert all(-1 <= value <= 1 for value in report.returns)


@pytest.mark.parametrize("kind", [Search, PlainSearch])
def test_an_adaptive_search_finds_the_same_without_compiling(
    kind: type[Search], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kakomi.game("rin", size=4)
    found = kind(game, seed=3).run(game.start(), simulations=20)
    monkeypatch.setenv("KAKOMI_CACHE_DIR", str(tmp_path))
    for simulate in (mcts.simulate, uct.simulate):  # as in a process without compiled code
        monkeypatch.setattr(simulate, "_compiled", {})
        monkeypatch.setattr(simulate, "_cached", set())
        monkeypatch.setattr(simulate, "_checks", {})
    with use_mode(Mode.ADAPTIVE):
        assert kind(game, seed=3).run(game.start(), simulations=20).lines == found.lines
    assert not list(tmp_path.iterdir())


def test_an_adaptive_search_uses_what_is_compiled() -> None:
    game = kakomi.game("rin", size=4)
    PlainSearch(game).warm()
    program = (
        "import kakomi; from kakomi.search import PlainSearch, uct;"
        "game = kakomi.game('rin', size=4);"
        "PlainSearch(game).run(game.start(), simulations=20);"
        "assert uct.simulate._cached"
    )
    subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "KAKOMI_KERNEL": "adaptive"}, check=True
    )


def test_odds_are_sharpened_where_gains_are_too_cautious() -> None:
    """The visits and the order of actions stay the same."""
    game = kakomi.game("ren", size=6)
    sharp, plain = Search(game, seed=3), Search(game, seed=3)
    assert sharp.sharpness == game.description.sharpness > 1
    plain._findings._sharpness = 1.0
    found, raw = (search.run(game.start(), simulations=2_000) for search in (sharp, plain))
    assert [(one.action, one.visits) for one in found.lines] == [
        (one.action, one.visits) for one in raw.lines
    ]
    chances = [found.chances, *(line.chances for line in found.lines)]
    for (mine, theirs), (my_raw, their_raw) in zip(
        chances, [raw.chances, *(line.chances for line in raw.lines)], strict=True
    ):
        assert mine / theirs == pytest.approx((my_raw / their_raw) ** sharp.sharpness)
        assert mine + theirs == pytest.approx(1)
    assert PlainSearch(game).sharpness == Search(kakomi.game("lin", size=7)).sharpness == 1
