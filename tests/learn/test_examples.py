"""The scripts in examples/: they learn, keep what was learned, measure it and say how they are used."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from learn.needs import needed

torch = needed("torch")
needed("matplotlib")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUICK = ("--rounds", "2", "--games", "4", "--every", "1", "--openings", "2", "--bots", "random", "1")


def script(name: str, *arguments: str, folder: Path, code: int = 0) -> str:
    """What a script prints that ends with this exit code."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def scores(printed: str) -> list[float]:
    """Per cent against the first bot, point by point."""
    return [float(score) for score in re.findall(r"^ *[\d,]+ +([\d.]+)%", printed, re.MULTILINE)]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a network has just begun to learn."""
    folder = tmp_path_factory.mktemp("learned")
    script("train.py", *QUICK, folder=folder)
    return folder


@pytest.mark.parametrize("name", ["train.py", "evaluate.py"])
def test_help_shows_how_it_is_used(name: str, tmp_path: Path) -> None:
    shown = script(name, "--help", folder=tmp_path)
    assert f"python examples/{name}" in shown
    options = re.findall(r"^  (--\w+)", shown, re.MULTILINE)
    assert {"--bots", "--openings", "--seed", "--threads", "--plot"} <= set(options)
    assert shown.count("(default:") >= len(options)


def test_learning_leaves_a_network_and_a_curve(learned: Path) -> None:
    assert {path.name for path in learned.iterdir()} >= {"network.pt", "curve.png"}
    assert (learned / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_learned_can_be_evaluated(learned: Path) -> None:
    settings = ("network.pt", "--bots", "random", "1", "--openings", "2", "--plot", "levels.svg")
    printed = script("evaluate.py", *settings, folder=learned)
    assert re.findall(r"^ *(\w+) +[\d.]+% +\([\d.]+% to [\d.]+%\)", printed, re.MULTILINE) == ["random", "1"]
    assert "<svg" in (learned / "levels.svg").read_text(encoding="utf-8")


def test_three_players_learn_and_are_evaluated(tmp_path: Path) -> None:
    game = ("--game", "rings", "size=2", "players=3", "--bots", "random")
    script("train.py", *QUICK, *game, folder=tmp_path)
    script("evaluate.py", "--bots", "random", "--openings", "2", folder=tmp_path)
    assert (tmp_path / "levels.png").exists()


def weights(folder: Path) -> list[Any]:
    return list(torch.load(folder / "network.pt", weights_only=True)["weights"].values())


def test_a_seed_decides_what_is_learned(learned: Path, tmp_path: Path) -> None:
    first = weights(learned)
    same, other = tmp_path / "same", tmp_path / "other"
    for folder, seed in ((same, "1"), (other, "2")):
        folder.mkdir()
        script("train.py", *QUICK, "--seed", seed, folder=folder)
    assert all(map(torch.equal, weights(same), first))
    assert not any(map(torch.equal, weights(other), first))


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to a child alone")
def test_ctrl_c_keeps_what_was_learned(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "train.py"), *QUICK, "--rounds", "100000"]
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
        ("evaluate.py", ["nowhere.pt"], "nowhere.pt"),
    ],
)
def test_what_there_is_not_is_named(name: str, arguments: list[str], message: str, tmp_path: Path) -> None:
    printed = script(name, *arguments, folder=tmp_path, code=2)
    assert message in printed.splitlines()[-1]
    assert "Traceback" not in printed


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    settings = ("--rounds", "12", "--every", "12", "--bots", "random")
    before, after = scores(script("train.py", *settings, folder=tmp_path))
    assert after > before + 15


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import train

    return train


def test_values_are_turned_to_a_player_and_back(train: Any) -> None:
    values, players = torch.rand(5, 3), torch.tensor([0, 1, 2, 1, 0], dtype=torch.int8)
    turned = train.from_player(players, values)
    assert torch.equal(turned[:, 0], values.gather(-1, players[:, None].long())[:, 0])
    assert torch.equal(train.from_player(-players, turned), values)


def test_advantages_of_a_long_trace_are_returns_less_values(
    train: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games after each other: what the second is worth does not reach back into the first."""
    monkeypatch.setattr(train, "TRACE", 1.0)
    monkeypatch.setattr(train, "STEPS", 4)
    done = torch.tensor([[False], [True], [False], [False]])
    rewards = torch.zeros(4, 1, 3)
    rewards[1, 0] = torch.tensor([1.0, -0.5, -0.5])
    values, ahead = torch.rand(4, 1, 3), torch.rand(1, 3)
    played = train.Namespace(done=done, rewards=rewards, values=values, ahead=ahead)
    reached = torch.stack([rewards[1], rewards[1], ahead, ahead])
    assert torch.allclose(train.advantages(played), reached - values)


def test_the_tutorial_runs_the_examples_as_they_are(learned: Path) -> None:
    """Its commands, with options that make them quick; what installs is left out."""
    page = (EXAMPLES.parent / "docs" / "tutorials" / "research.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    quick = {"train.py": QUICK, "evaluate.py": ("--bots", "random", "--openings", "2")}
    commands = [line.split() for line in block.splitlines() if line.startswith("python ")]
    assert [Path(command[1]).name for command in commands] == list(quick)
    for _, path, *arguments in commands:
        script(Path(path).name, *arguments, *quick[Path(path).name], folder=learned)
