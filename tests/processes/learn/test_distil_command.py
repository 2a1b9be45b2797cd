"""`kakomi distil` as a person uses it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kakomi
from kakomi.learn.games import GameLog, TrainingGame
from learn.needs import needed
from learn.played import quick

needed("torch")

from kakomi.cli.learn import distil  # noqa: E402
from kakomi.learn.distillation import HELD_OUT  # noqa: E402
from kakomi.search.pattern_table import PatternTable  # noqa: E402
from kakomi.search.search import PatternSearch  # noqa: E402
from learn.test_distillation import taught  # noqa: E402


def kept(folder: Path, games: int) -> None:
    """A folder with some games to learn from, and one to learn nothing from."""
    with GameLog(folder / "games.jsonl", kakomi.game) as log:
        for seed in range(games):
            log.add(taught(quick("rive"), seed))
        log.add(TrainingGame(quick("rive"), taught(quick("rive"), games).actions))


def distilled(*words: str) -> Result:
    return CliRunner().invoke(distil, words)


def test_patterns_are_fitted_to_the_games_of_a_run(tmp_path: Path) -> None:
    kept(tmp_path, HELD_OUT + 10)
    result = distilled(str(tmp_path), "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "positions held out" in result.output
    game = quick("rive")
    search = PatternSearch(game, table=PatternTable.load(tmp_path / "patterns.npz"))
    assert search.run(game.start(), simulations=20).action in game.start().legal_actions()


@pytest.mark.parametrize(
    ("words", "said"),
    [((), f"{HELD_OUT} games to learn from; more are needed"), (("--board", "1"), "none 1")],
)
def test_what_cannot_be_fitted_is_said(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    kept(tmp_path, HELD_OUT)
    result = distilled(str(tmp_path), *words)
    assert result.exit_code == 1 and said in result.output


def test_a_folder_without_a_run_is_said(tmp_path: Path) -> None:
    result = distilled(str(tmp_path))
    assert result.exit_code == 1 and "holds no run of learning" in result.output
