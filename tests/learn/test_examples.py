"""The scripts in examples/ learn, save their networks, measure them and explain their usage."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import kakomi
from kakomi.bots import make_bot
from kakomi.core import Position
from kakomi.research import VectorEnv
from kakomi.research.suite import Budget
from kakomi.research.suite.agent import AgentMaker
from kakomi.solve import Prover
from learn.needs import needed

torch = needed("torch")
needed("matplotlib")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MEASURED = ("--openings", "2", "--bots", "random", "1")
ROUNDS = ("--rounds", "2", "--games", "4", "--every", "1", *MEASURED)
QUICK = {
    "train.py": ROUNDS,
    "dqn.py": ROUNDS,
    "descent.py": ("--actions", "3000", "--every", "1500", "--evaluations", "25", *MEASURED),
}


def script(name: str, *arguments: str, folder: Path, code: int = 0) -> str:
    """Run a script, check its exit code, and return its output."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def scores(printed: str) -> list[float]:
    """The printed percentages against the first bot, in order."""
    return [float(score) for score in re.findall(r"^ *[\d,]+ +([\d.]+)%", printed, re.MULTILINE)]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A folder with a briefly trained network of a script."""

    @cache
    def folder(name: str) -> Path:
        made = tmp_path_factory.mktemp("learned")
        script(name, *QUICK[name], folder=made)
        return made

    return folder


@pytest.mark.parametrize("name", [*QUICK, "evaluate.py"])
def test_help_shows_how_it_is_used(name: str, tmp_path: Path) -> None:
    shown = script(name, "--help", folder=tmp_path)
    assert f"python examples/{name}" in shown
    options = re.findall(r"^  (--\w+)", shown, re.MULTILINE)
    assert {"--bots", "--openings", "--seed", "--threads", "--plot"} <= set(options)
    assert shown.count("(default:") >= len(options)


@pytest.mark.parametrize("name", QUICK)
def test_learning_leaves_a_network_and_a_curve(name: str, learned: Callable[[str], Path]) -> None:
    folder = learned(name)
    assert {path.name for path in folder.iterdir()} >= {"network.pt", "curve.png"}
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["train.py", "dqn.py"])
def test_what_is_learned_can_be_evaluated(name: str, learned: Callable[[str], Path]) -> None:
    settings = ("network.pt", "--bots", "random", "1", "--openings", "2", "--plot", "levels.svg")
    printed = script("evaluate.py", *settings, folder=learned(name))
    assert re.findall(r"^ *(\w+) +[\d.]+% +\([\d.]+% to [\d.]+%\)", printed, re.MULTILINE) == ["random", "1"]
    assert "<svg" in (learned(name) / "levels.svg").read_text(encoding="utf-8")


def test_three_players_learn_and_are_evaluated(tmp_path: Path) -> None:
    game = ("--game", "rings", "size=2", "players=3", "--bots", "random")
    script("train.py", *ROUNDS, *game, folder=tmp_path)
    script("evaluate.py", "--bots", "random", "--openings", "2", folder=tmp_path)
    assert (tmp_path / "levels.png").exists()


def weights(folder: Path) -> list[Any]:
    return list(torch.load(folder / "network.pt", weights_only=True)["weights"].values())


@pytest.mark.parametrize("name", QUICK)
def test_a_seed_decides_what_is_learned(name: str, learned: Callable[[str], Path], tmp_path: Path) -> None:
    first = weights(learned(name))
    same, other = tmp_path / "same", tmp_path / "other"
    for folder, seed in ((same, "1"), (other, "2")):
        folder.mkdir()
        script(name, *QUICK[name], "--seed", seed, folder=folder)
    assert all(map(torch.equal, weights(same), first))
    assert not any(map(torch.equal, weights(other), first))


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to a child alone")
@pytest.mark.parametrize(
    ("name", "length"), [("train.py", "--rounds"), ("dqn.py", "--rounds"), ("descent.py", "--actions")]
)
def test_ctrl_c_keeps_what_was_learned(name: str, length: str, tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / name), *QUICK[name], length, "100000000"]
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=unbuffered
    ) as running:
        assert running.stdout
        for line in running.stdout:
            if scores(line):
                running.send_signal(signal.SIGINT)
                break
        running.communicate(timeout=100)
    assert running.returncode == 0
    assert (tmp_path / "network.pt").exists() and (tmp_path / "curve.png").exists()


@pytest.mark.parametrize(
    ("game", "message"), [(["chess"], "there is no game 'chess'"), (["lin", "size=6"], "size")]
)
def test_a_game_that_there_is_not_is_named(game: list[str], message: str, tmp_path: Path) -> None:
    assert message in script("train.py", "--game", *game, folder=tmp_path, code=2).splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("train.py", ["--bots", "random", "eleven"], "eleven"),
        ("dqn.py", ["--bots", "random", "eleven"], "eleven"),
        ("dqn.py", ["--game", "rings", "size=2", "players=3"], "3 players"),
        ("descent.py", ["--game", "lin", "size=6"], "size"),
        ("descent.py", ["--game", "rings", "size=2", "players=3"], "3 players"),
        ("descent.py", ["--evaluations", "24"], "24 evaluations are too few for 25 actions"),
        ("evaluate.py", ["nowhere.pt"], "nowhere.pt"),
    ],
)
def test_what_there_is_not_is_named(name: str, arguments: list[str], message: str, tmp_path: Path) -> None:
    printed = script(name, *arguments, folder=tmp_path, code=2)
    assert message in printed.splitlines()[-1]
    assert "Traceback" not in printed


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("train.py", ("--rounds", "12", "--every", "12")),
        ("dqn.py", ("--rounds", "4", "--every", "4")),
        ("descent.py", ("--actions", "40000", "--every", "40000")),
    ],
)
def test_it_learns(name: str, settings: tuple[str, ...], tmp_path: Path) -> None:
    before, after = scores(script(name, *settings, "--bots", "random", folder=tmp_path))
    assert after > before + 15


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import train

    return train


@pytest.fixture
def dqn(train: ModuleType) -> Any:
    """The script as a module."""
    return import_module("dqn")


@pytest.fixture
def descent(train: ModuleType) -> Any:
    """The script as a module."""
    return import_module("descent")


def test_values_are_turned_to_a_player_and_back(train: Any) -> None:
    values, players = torch.rand(5, 3), torch.tensor([0, 1, 2, 1, 0], dtype=torch.int8)
    turned = train.from_player(players, values)
    assert torch.equal(turned[:, 0], values.gather(-1, players[:, None].long())[:, 0])
    assert torch.equal(train.from_player(-players, turned), values)


def test_advantages_of_a_long_trace_are_returns_less_values(
    train: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two games in succession, the value of the second doesn't affect the first."""
    monkeypatch.setattr(train, "TRACE", 1.0)
    monkeypatch.setattr(train, "STEPS", 4)
    done = torch.tensor([[False], [True], [False], [False]])
    rewards = torch.zeros(4, 1, 3)
    rewards[1, 0] = torch.tensor([1.0, -0.5, -0.5])
    values, ahead = torch.rand(4, 1, 3), torch.rand(1, 3)
    played = train.Namespace(done=done, rewards=rewards, values=values, ahead=ahead)
    reached = torch.stack([rewards[1], rewards[1], ahead, ahead])
    assert torch.allclose(train.advantages(played), reached - values)


def test_the_sign_of_a_target_changes_where_the_other_player_acts(
    dqn: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network chooses among legal actions, and the older one gives the choice's value."""
    monkeypatch.setattr(dqn, "returns", lambda values, observations: values)
    network, older = torch.tensor([[0.1, 0.3, 0.9]] * 4), torch.tensor([[0.7, 0.5, 0.8]] * 4)
    now = dqn.Namespace(
        to_move=torch.tensor([0, 0, 1, 1], dtype=torch.int8),
        rewards=torch.tensor([0.0, 0.0, 0.0, -1.0]),
        done=torch.tensor([False, False, False, True]),
    )
    ahead = dqn.Namespace(
        to_move=torch.tensor([0, 1, 0, 1], dtype=torch.int8),
        masks=torch.tensor([[True, True, False]] * 4),
        observations=None,
    )
    found = dqn.targets(network, older, now, ahead)
    assert torch.equal(found, torch.tensor([0.5, -0.5, -0.5, -1.0]))


def test_the_memory_draws_what_came_after_each_other(dqn: Any) -> None:
    """Also after the ring buffer has wrapped around, and for both stones of Rin's turns."""
    env = VectorEnv(kakomi.game("rin", size=4), 3, autoreset="same_step")
    network, memory = dqn.Network(env.game), dqn.Memory(env, 20)
    for _ in range(33):
        dqn.play(env, network, memory, epsilon=1.0)
    now, ahead = memory.drawn(500)
    goes_on = ~now.done
    placed = torch.nn.functional.one_hot(now.actions, 16).reshape(-1, 4, 4)
    same = (now.to_move == ahead.to_move)[:, None, None]
    own, theirs = ahead.observations[:, 0], ahead.observations[:, 1]
    stones = now.observations[:, 0] + placed
    assert torch.equal(torch.where(same, own, theirs)[goes_on], stones[goes_on])
    assert set(same[goes_on].flatten().tolist()) == {True, False}
    assert (now.rewards[goes_on] == 0).all() and now.done.any()


def late_positions(game: kakomi.Game, left: int) -> list[Position]:
    """Positions of random games `left` actions before the end, or their starts."""
    found = []
    for seed in range(6):
        bot, positions = make_bot("random", seed=seed), [game.start()]
        while not positions[-1].is_over:
            positions.append(positions[-1].play_action(bot.choose(positions[-1])))
        found.append(positions[-1 - left :][0])
    return found


@pytest.mark.parametrize("way", ["descend", "search"])
@pytest.mark.parametrize(
    ("name", "options", "left"),
    [("rin", {"size": 4}, 6), ("lin", {"size": 5}, 5), ("rive", {"size": 2}, 12), ("rings", {"size": 2}, 8)],
)
def test_a_tree_solves_what_the_solver_solves(
    way: str, name: str, options: dict[str, int], left: int, descent: Any
) -> None:
    game = kakomi.game(name, **options)
    for position in late_positions(game, left):
        tree = descent.Tree(descent.Network(game), 1_000_000)
        root = tree.node(position)
        for _ in range(20_000):
            getattr(tree, way)(root)
            if root.solved:
                break
        assert root.solved
        assert root.value * root.sign == Prover(position, None).result(position)


def test_a_long_game_is_cut_off_and_counted(descent: Any) -> None:
    """Ren's rules don't end games, so a tree cuts them off as matches do."""
    position = descent.openings(kakomi.game("ren", size=4), 1, 1)[0]
    cut_off = position.game.cut_off
    late = position.game.restored(position.states(), ply=cut_off - 1)
    root = descent.Tree(descent.Network(late.game), 100).node(late)
    assert not root.solved
    end = late.play_action(root.actions[0])
    first, second = end.scores()
    assert descent.has_ended(end) and not end.is_over
    assert descent.outcome(end) == np.sign(first - second)


def test_greed_takes_the_best_action_and_none_takes_any(descent: Any) -> None:
    game = kakomi.game("lin", size=5)
    tree = descent.Tree(descent.Network(game), 100)
    root = tree.node(game.start().play("c3"))
    tree.descend(root)
    assert {id(descent.drawn(root, 1.0)) for _ in range(50)} == {
        id(min(root.children, key=lambda c: c.value))
    }
    assert len({id(descent.drawn(root, 0.0)) for _ in range(500)}) == len(root.children)


def test_a_player_keeps_to_its_evaluations(descent: Any) -> None:
    """The number of positions that the network evaluates for each action of a game stays within the limit."""
    game, asked = kakomi.game("lin", size=5), [0]
    network = descent.Network(game)
    network.values.register_forward_hook(lambda layer, seen, values: asked.append(len(values)))
    player, position = descent.Player(network, game, 100), game.start()
    while not position.is_over:
        before = player.tree.made
        asked.clear()
        position = position.play_action(player.choose(position))
        assert sum(asked) <= player.tree.made - before <= 100


def test_a_player_takes_a_win(descent: Any) -> None:
    game = kakomi.game("rive", size=2)
    for position in late_positions(game, 4):
        prover = Prover(position, None)
        action = descent.Player(descent.Network(game), game, 5_000).choose(position)
        assert prover.is_won(position) == prover.is_won(position.play_action(action))


def test_learning_stops_at_its_limit(descent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "EPOCHS", 1)
    game = kakomi.game("rin", size=4)
    *_, before, made = descent.learning(descent.Network(game), game, 1_000, 1e-3)
    assert before < made <= 1_000 < made + len(game.actions)


@pytest.mark.parametrize(("name", "kind"), [("dqn.py", "Agent"), ("descent.py", "DescentAgent")])
def test_the_suite_plays_what_was_learned(
    name: str, kind: str, learned: Callable[[str], Path], tmp_path: Path, train: ModuleType
) -> None:
    (tmp_path / "agent.py").write_bytes((EXAMPLES / "suite_agent.py").read_bytes())
    (tmp_path / "lin.pt").write_bytes((learned(name) / "network.pt").read_bytes())
    make = AgentMaker(Budget(simulations=50))
    position = kakomi.game("lin", size=5).start().play("c3")
    chosen = [make(f"{tmp_path}/agent.py:{kind}", seed=1, patience=1).choose(position) for _ in range(2)]
    assert chosen[0] == chosen[1] and chosen[0] in position.legal_actions()
    with pytest.raises(ValueError, match="learned"):
        make(f"{tmp_path}/agent.py:{kind}", seed=1, patience=1).choose(kakomi.game("lin", size=7).start())


def test_the_tutorial_runs_the_examples_as_they_are(learned: Callable[[str], Path]) -> None:
    """Runs its commands with options that make them quick, without the installation."""
    page = (EXAMPLES.parent / "docs" / "tutorials" / "research.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    quick = {"train.py": ROUNDS, "evaluate.py": ("--bots", "random", "--openings", "2")}
    commands = [line.split() for line in block.splitlines() if line.startswith("python ")]
    assert [Path(command[1]).name for command in commands] == list(quick)
    for _, path, *arguments in commands:
        script(Path(path).name, *arguments, *quick[Path(path).name], folder=learned("train.py"))
