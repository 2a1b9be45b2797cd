"""While one thread uses compiled code's workspace, a second is refused, and the first continues."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kakomi
from kakomi.networks import evaluator
from kakomi.networks.evaluator import BlankEvaluator, CompiledEvaluator
from kakomi.research import VectorEnv, steps
from kakomi.search import PlainSearch, Search, playout
from kakomi.search.advised_search import AdvisedSearch
from kakomi.search.playout import Playouts
from kakomi.solve import Solver
from kakomi.solve import solver as solver_module

GAME = kakomi.game("rin", size=4)
START = GAME.start()


class Meanwhile:
    """A call by another thread during a call, and the exception that it raised."""

    def __init__(self, does: Callable[[], object]) -> None:
        self._does = does
        self.raised: list[BaseException | None] = []

    def __call__(self, *args: Any) -> bool:
        if not self.raised:
            thread = threading.Thread(target=self._do)
            thread.start()
            thread.join()
        return False

    def _do(self) -> None:
        try:
            self._does()
            self.raised.append(None)
        except RuntimeError as error:
            self.raised.append(error)

    @property
    def was_refused(self) -> bool:
        return len(self.raised) == 1 and "is in use, by another thread" in str(self.raised[0])


def test_a_search() -> None:
    search = Search(GAME, seed=1)
    meanwhile = Meanwhile(lambda: search.run(START.play("0,0"), simulations=1))
    report = search.run(START, simulations=200, on_slice=meanwhile)
    assert meanwhile.was_refused
    assert report.lines == Search(GAME, seed=1).run(START, simulations=200).lines
    assert search.run(START, simulations=1).simulations == 1


def test_a_search_that_its_own_listener_starts_again() -> None:
    search = Search(GAME)

    def again(report: object) -> None:
        search.run(START, simulations=1)

    with pytest.raises(RuntimeError, match="by a call that has not ended"):
        search.run(START, simulations=10, on_slice=again)


def test_two_searches_with_one_evaluator() -> None:
    evaluator = BlankEvaluator(GAME)
    one, other = (AdvisedSearch(GAME, evaluator=evaluator) for _ in range(2))
    meanwhile = Meanwhile(lambda: other.run(START, simulations=1))
    one.run(START, simulations=20, on_slice=meanwhile)
    assert meanwhile.was_refused
    assert other.run(START, simulations=5).simulations == 5


@pytest.mark.parametrize("kind", [PlainSearch, AdvisedSearch])
def test_searches_whose_tree_threads_cannot_share(kind: Any) -> None:
    more = {"evaluator": BlankEvaluator(GAME)} if kind is AdvisedSearch else {}
    with pytest.raises(ValueError, match=f"threads is 2; {kind.__name__} works on one"):
        kind(GAME, threads=2, **more)


def test_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "SLICE", 20)
    solver = Solver(START, memory_mb=1)
    asked = (
        Meanwhile(solver.run),
        Meanwhile(lambda: solver.settle(1)),
        Meanwhile(lambda: solver.is_at_least(START, 1)),
    )
    assert not solver.run(lambda progress: list(map(Meanwhile.__call__, asked)) == [])
    assert all(each.was_refused for each in asked)
    assert not solver.run(lambda progress: False)


def test_an_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    env = VectorEnv(GAME, 3)
    calls = (
        lambda: env.step(np.zeros(3, np.int64)),
        env.reset,
        env.sample,
        env.network_inputs,
        lambda: env.place(0, START),
        lambda: env.set_states(env.get_states()),
    )
    asked, step_games = [Meanwhile(call) for call in calls], steps.step_games

    def step_meanwhile(*arguments: Any) -> None:
        for each in asked:
            each()
        step_games(*arguments)

    monkeypatch.setattr(steps, "step_games", step_meanwhile)
    assert env.step(np.arange(3)).to_move.tolist() == [1, 1, 1]
    assert all(each.was_refused for each in asked)


def test_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    playouts = Playouts(GAME, 1)
    meanwhile = Meanwhile(lambda: playouts.run(1))
    monkeypatch.setattr(playout, "playouts", meanwhile)
    playouts.run(1)
    assert meanwhile.was_refused


def test_an_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = CompiledEvaluator.__new__(CompiledEvaluator)
    compiled.arguments = ()  # type: ignore[assignment]
    meanwhile = Meanwhile(compiled.evaluate)
    monkeypatch.setattr(evaluator, "evaluate", meanwhile)
    compiled.evaluate()
    assert meanwhile.was_refused
