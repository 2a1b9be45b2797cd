"""OpenSpiel has every game with its options and properties."""

import os
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

import kakomi
import kakomi.research
from research.games import GAMES, all_games
from research.test_openspiel import loaded, played
from sampling import sample

TERCET = Path(__file__).parents[1] / "sixth_game" / "kakomi-tercet" / "src" / "kakomi_tercet"
OURS = pytest.mark.parametrize("name", sample(["lin", "ren", "rin", "rings", "rive"], 2))


@OURS
def test_defaults_are_the_games(name: str) -> None:
    assert loaded(name).game == kakomi.game(name)


@all_games
def test_options_are_parameters(name: str, options: dict[str, int]) -> None:
    game = loaded(name, **options)
    assert game.game == kakomi.game(name, **options)
    assert pyspiel.load_game(str(game)) == game


@pytest.mark.parametrize(
    ("loaded", "message"),
    [
        ("kakomi_rin(size=7)", "size 7 isn't possible in rin: choose 4 to 18, even"),
        ("kakomi_lin(size=5,line=6)", "line 6 isn't possible"),
        ("kakomi_rings(players=7)", "players 7 isn't possible"),
        ("kakomi_rin(komi=2)", "Unknown parameter 'komi'"),
        ("kakomi_rin(size=8.5)", "Wrong type for parameter size"),
        ("kakomi_rin(max_game_length=-1)", "max_game_length is -1; it may be 1 or more"),
    ],
)
def test_what_there_is_not_is_named(loaded: str, message: str, capfd: pytest.CaptureFixture) -> None:
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        pyspiel.load_game(loaded)


@all_games
def test_the_type_tells_what_games_are_like(name: str, options: dict[str, int]) -> None:
    game = loaded(name, **options)
    kind = game.get_type()
    assert kind.dynamics == kind.Dynamics.SEQUENTIAL
    assert kind.chance_mode == kind.ChanceMode.DETERMINISTIC
    assert kind.information == kind.Information.PERFECT_INFORMATION
    assert kind.utility == kind.Utility.ZERO_SUM
    assert kind.min_num_players <= game.num_players() == game.game.players <= kind.max_num_players


@pytest.mark.parametrize("seed", sample(range(3), 1))
@pytest.mark.parametrize(("name", "options"), [game for game in GAMES if game[0] != "ren"], ids=str)
def test_no_game_is_longer_than_it_says(name: str, options: dict[str, int], seed: int) -> None:
    game = loaded(name, **options)
    assert played(game.new_initial_state(), game.max_game_length(), seed).position.is_over


def most_actions(position: kakomi.Position, known: dict[bytes, int]) -> int:
    """The maximum number of actions that can still be played."""
    if position.key() not in known:
        nexts = map(position.play_action, position.legal_actions())
        known[position.key()] = max((1 + most_actions(after, known) for after in nexts), default=0)
    return known[position.key()]


def test_not_even_the_longest_of_all_games_is_longer() -> None:
    game = loaded("rive", size=2)
    assert most_actions(game.game.start(), {}) <= game.max_game_length()


def test_a_game_of_ren_is_cut_off_and_counted() -> None:
    game = loaded("ren", size=4)
    limit = kakomi.catalog.describe("ren").max_game_length
    assert limit and game.max_game_length() == limit(game.game.geometry, game.game.options)


def run(code: str, folder: Path) -> list[str]:
    """The output lines of a successful program that finds a folder's distributions beside Kakomi."""
    environment = os.environ | {"PYTHONPATH": str(folder), "KAKOMI_KERNEL": "interpreted"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_somebody_elses_game_is_loaded_and_a_broken_one_left_out(tmp_path: Path) -> None:
    (tmp_path / "kakomi_tercet").symlink_to(TERCET)
    (tmp_path / "theirs-1.dist-info").mkdir()
    (tmp_path / "theirs-1.dist-info" / "METADATA").write_text("Name: theirs\nVersion: 1\n")
    (tmp_path / "theirs-1.dist-info" / "entry_points.txt").write_text(
        "[kakomi.games]\ntercet = kakomi_tercet\nbroken = no_such_module\n"
    )
    code = """
import pyspiel
import kakomi.research
print("kakomi_broken" in pyspiel.registered_names())
game = pyspiel.load_game("kakomi_tercet(size=4)")
print(game)
pyspiel.random_sim_test(game, 1, True, False)
"""
    printed = run(code, tmp_path)
    assert printed[0] == "False"
    assert printed[1] == "kakomi_tercet(size=4,stones=4)"  # by default, as many stones as the board is wide


def test_research_does_without_openspiel(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["pyspiel"] = None
import kakomi.research
print(kakomi.research.VectorEnv.__name__)
"""
    assert run(code, tmp_path) == ["VectorEnv"]
