"""`kakomi analyse --exact`."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kakomi import catalog, records
from kakomi.cli.main import kakomi as program


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Rive on side 2: at the start b2 would win, but Black throws it away with c1. First actions
    follow."""
    rive = catalog.game("rive", size=2)
    position = rive.start().play("c1")
    while not position.is_over:
        position = position.play(position.legal()[0])
    path = tmp_path_factory.mktemp("game") / "game.json"
    texts = [rive.action_texts[action] for action in position.played()]
    records.save(records.recorded(rive, texts), rive, path)
    return path


def run(*args: str) -> Result:
    arguments = ["analyse", *args, "--simulations", "50"]
    return CliRunner().invoke(program, arguments, standalone_mode=False)


def test_a_win_that_was_thrown_away_is_told(game: Path) -> None:
    told = run(str(game), "--exact").stdout
    assert "From turn 1 on, all results are proved. A win or draw was at stake in" in told
    assert "  1 Black c1: a win became a loss; b2 would have held it" in told
    assert "proved" not in run(str(game)).stdout


def test_programs_read_it_beside_the_chances(game: Path) -> None:
    first, *_ = json.loads(run(str(game), "--exact", "--json").stdout)
    assert first["proven"] == {"best": 1, "played": -1, "keeping": ["b2"]}
    assert all("proven" not in one for one in json.loads(run(str(game), "--json").stdout))


def test_a_budget_that_is_too_small_is_told(tmp_path: Path) -> None:
    rin = catalog.game("rin", size=6)
    records.save(records.recorded(rin, ["1,1", "2,2"]), rin, tmp_path / "rin.json")
    told = run(str(tmp_path / "rin.json"), "--exact", "--budget", "1").stdout
    assert "The solver proved nothing within a budget of 1; a larger --budget may prove more." in told


def test_the_actions_of_a_position_are_sorted() -> None:
    position = ("--game", "rive", "--size", "2", "--position", str(catalog.game("rive", size=2).start()))
    told = run(*position, "--exact").stdout
    assert "Under best play Black wins by 1: b2 " in told
    assert "Proved to be a win: b2" in told and "Proved to be a loss: " in told
    assert json.loads(run(*position, "--exact", "--json").stdout)["proven"]["results"]["b2"] == 1


def test_a_budget_is_for_proofs(game: Path) -> None:
    assert "--budget needs --exact" in str(run(str(game), "--budget", "5").exception)


def test_three_players_are_refused() -> None:
    start = str(catalog.game("rings", size=3, players=3).start())
    refused = run("--game", "rings", "--size", "3", "--players", "3", "--position", start, "--exact")
    assert "--exact: results are proved between two players, and this game has 3" in str(refused.exception)


def test_what_a_budget_leaves_open_is_told() -> None:
    position = ("--game", "rive", "--size", "2", "--position", str(catalog.game("rive", size=2).start()))
    told = run(*position, "--exact", "--budget", "50").stdout
    assert re.search(r"Not proved: \d of 7 actions; a larger --budget may prove more\.", told)
    proven = json.loads(run(*position, "--exact", "--budget", "50", "--json").stdout)["proven"]
    assert len(proven["results"]) < proven["legal"] == 7 and proven["margin"] is None
