"""Learning runs: rounds, and resuming after a stop."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi.search import AdvisedSearch, PatternSearch, PatternTable
from learn.needs import needed
from learn.played import QUICK, quick

torch = needed("torch")
needed("onnxruntime")

from kakomi.farm import Farm, open_farm  # noqa: E402
from kakomi.learn.plan import Plan, PlanError, continued, pattern_plan, teacher_of  # noqa: E402
from kakomi.learn.run import LearningRun, Progress  # noqa: E402
from kakomi.learn.self_play import RivalShares  # noqa: E402
from kakomi.networks.evaluator import open_evaluator  # noqa: E402
from kakomi.networks.weights import read_network  # noqa: E402

PIECE_GAMES = 16
PLAN = Plan(
    "rive",
    (dict(quick("rive").options),),
    channels=8,
    blocks=1,
    teacher_games=PIECE_GAMES,
    round_games=PIECE_GAMES,
    piece_games=PIECE_GAMES,
    batch=16,
    passes=1,
    how=replace(QUICK, halving=8),
)


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with open_farm(workers=1) as opened:
        yield opened


def until(checkpoints: int, run: LearningRun) -> Callable[[], bool]:
    return lambda: run.round < checkpoints


def so_often(times: int, run: LearningRun, checkpoints: int) -> Callable[[], bool]:
    """A function that returns true a number of times, at most until there are `checkpoints`."""
    left = iter(range(times))
    return lambda: run.round < checkpoints and next(left, None) is not None


def test_a_run_makes_networks_that_play(tmp_path: Path, farm: Farm) -> None:
    told: list[Progress] = []
    with LearningRun(tmp_path, PLAN) as run:
        run.go(farm, until(2, run), told.append)
    assert [path.name for path in run.checkpoints] == ["0000.npz", "0001.npz"]
    assert {progress.doing for progress in told} == {"games", "training"}
    last = told[-1]
    assert last.games == 2 * PIECE_GAMES and last.steps == int(last.rows * PLAN.passes / PLAN.batch) > 0
    players = [game.player for game in run._games]
    assert players == ["search"] * PIECE_GAMES + ["checkpoint 0000"] * PIECE_GAMES
    game = quick("rive")
    for path in (run.checkpoints[-1], run.checkpoints[-1].with_suffix(".onnx")):
        search = AdvisedSearch(game, evaluator=open_evaluator(path, game), mix=1.0)
        assert search.run(game.start(), simulations=20).action in game.start().legal_actions()


def test_a_run_that_was_stopped_comes_to_the_same(tmp_path: Path, farm: Farm) -> None:
    with LearningRun(tmp_path / "whole", PLAN) as whole:
        whole.go(farm, until(2, whole), lambda _: None)
    for _ in range(200):
        with LearningRun(tmp_path / "parts", PLAN) as run:
            if run.round == 2:
                break
            run.go(farm, so_often(7, run, 2), lambda _: None)
    assert [game.actions for game in run._games] == [game.actions for game in whole._games]
    networks = [torch.load(found.folder / "checkpoints" / "0001.pt")["weights"] for found in (run, whole)]
    for name, weights in networks[0].items():
        assert torch.equal(weights, networks[1][name]), name


def test_a_run_meets_earlier_checkpoints(tmp_path: Path, farm: Farm) -> None:
    rivals = RivalShares(past=1.0, levels=0.0)
    with LearningRun(tmp_path, replace(PLAN, how=replace(PLAN.how, rivals=rivals))) as run:
        run.go(farm, until(3, run), lambda _: None)
    met = {game.player for game in run._games}
    assert met == {"search", "checkpoint 0000", "checkpoint 0001 and checkpoint 0000"}


def test_patterns_learn_as_networks_do(tmp_path: Path, farm: Farm) -> None:
    plan = replace(
        pattern_plan("rive", (dict(quick("rive").options),)),
        teacher_games=PIECE_GAMES,
        round_games=PIECE_GAMES,
        piece_games=PIECE_GAMES,
    )
    plan = replace(plan, how=replace(plan.how, thorough=QUICK.thorough, quick=QUICK.quick))
    with LearningRun(tmp_path / "whole", plan) as whole:
        whole.go(farm, until(2, whole), lambda _: None)
    assert [path.name for path in whole.checkpoints] == ["0000.npz", "0001.npz"]
    assert {game.player for game in whole._games} == {"search", "checkpoint 0000"}
    for steps in (1, 3, 200, 2, 200):  # an interrupted fit starts afresh
        with LearningRun(tmp_path / "parts", plan) as run:
            run.go(farm, so_often(steps, run, 2), lambda _: None)
    assert run.round == 2
    found, wanted = (PatternTable.load(each.checkpoints[-1]) for each in (run, whole))
    for name in ("shares", "weights", "biases", "values", "outlook"):
        assert np.array_equal(getattr(found, name), getattr(wanted, name)), name
    game = quick("rive")
    search = PatternSearch(game, table=wanted)
    assert search.run(game.start(), simulations=20).action in game.start().legal_actions()


def test_patterns_that_come_with_a_game_teach(tmp_path: Path, farm: Farm) -> None:
    with LearningRun(tmp_path, replace(PLAN, teacher="patterns")) as run:
        run.go(farm, until(1, run), lambda _: None)
    assert [game.player for game in run._games] == ["patterns"] * PIECE_GAMES
    most = max(sum(policy.values()) for game in run._games for policy in game.policies.values())
    assert most > QUICK.thorough, "a teacher thinks for longer"


def test_whoever_is_strongest_teaches(tmp_path: Path, farm: Farm) -> None:
    teachers = {name: teacher_of(kakomi.game(name)) for name in ("rive", "ren", "lin")}
    assert teachers == {"rive": "patterns", "ren": "patterns", "lin": "search"}
    plan = Plan("lin", ({"size": 5, "line": 3},), teacher="patterns")
    with LearningRun(tmp_path, plan) as run, pytest.raises(PlanError, match="no patterns come with lin"):
        run.go(farm, until(1, run), lambda _: None)


def test_a_run_goes_on_from_a_network(tmp_path: Path, farm: Farm) -> None:
    with LearningRun(tmp_path / "first", PLAN) as first:
        first.go(farm, until(1, first), lambda _: None)
    origin, size = first.checkpoints[0], dict(kakomi.game("rive", size=3).options)
    plan = continued(replace(PLAN, boards=(size,), channels=32), origin)
    assert plan.channels == PLAN.channels and plan.teacher_games == 0
    with LearningRun(tmp_path / "second", plan) as run:
        run.go(farm, until(1, run), lambda _: None)
        same, other = (read_network(str(path)).numbers for path in (run.checkpoints[0], origin))
        assert all(np.array_equal(same[name], other[name]) for name in other)
        run.go(farm, until(2, run), lambda _: None)
    assert {game.player for game in run._games} == {"checkpoint 0000"}
    with pytest.raises(PlanError, match="is not for lin"):
        continued(Plan("lin", ({"size": 5, "line": 3},)), origin)
    with pytest.raises(PlanError, match="is no network"):
        continued(PLAN, Path(__file__))
    with pytest.raises(PlanError, match="patterns can't begin with a network"):
        continued(pattern_plan("rive", (size,)), origin)


def test_another_plan_is_refused(tmp_path: Path) -> None:
    LearningRun(tmp_path, PLAN).close()
    with pytest.raises(PlanError, match="other settings"):
        LearningRun(tmp_path, replace(PLAN, seed=2))
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(PlanError, match="no plan of learning"):
        LearningRun(tmp_path, PLAN)


def test_a_plan_that_cannot_be_is_refused() -> None:
    with pytest.raises(PlanError, match="a board"):
        Plan("rive", ())
    with pytest.raises(PlanError, match="'pupil' can't learn; network and patterns can"):
        Plan("rive", ({"size": 3},), "pupil")
    with pytest.raises(PlanError, match="'nobody' can't teach; search and patterns can"):
        Plan("rive", ({"size": 3},), teacher="nobody")
    with pytest.raises(PlanError, match="batch is 0"):
        Plan("rive", ({"size": 3},), batch=0)


def test_a_network_sees_several_boards(tmp_path: Path, farm: Farm) -> None:
    boards = tuple(dict(kakomi.game("rive", size=size).options) for size in (2, 3))
    with LearningRun(tmp_path, replace(PLAN, boards=boards, teacher_games=2 * PIECE_GAMES)) as run:
        run.go(farm, until(1, run), lambda _: None)
    assert read_network(str(run.checkpoints[-1])).boards == boards
    assert {game.game.options["size"] for game in run._games} == {2, 3}
