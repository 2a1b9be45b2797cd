"""`kakomi engine` and `kakomi gtp` as programs: they end properly, and drive each other."""

import sys

import pytest

import kakomi
from kakomi.cli.main import main
from kakomi.protocol import EngineBot
from sampling import sample


@pytest.mark.parametrize(
    "args",
    [
        ["engine", "--bot", "21"],
        ["engine", "--threads", "0"],
        ["engine", "--memory", "nan"],
        ["engine", "--seed", "-1"],
        ["gtp", "rings"],
        ["gtp", "rive"],
        ["gtp", "go"],
        ["gtp", "lin", "--size", "6"],
        ["gtp", "lin", "--bot", "best"],
    ],
)
def test_wrong_usage_is_one_line(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(args)
    told = capsys.readouterr()
    assert ended.value.code == 2 and told.out == ""
    assert told.err.startswith("kakomi: ") and told.err.count("\n") == 1


@pytest.mark.parametrize("name", sample(["rin", "rings"], 1))
def test_our_engine_plays_for_our_client(name: str) -> None:
    position = kakomi.game(name, **kakomi.catalog.describe(name).quick).start()
    command = [sys.executable, "-m", "kakomi", "engine", "--bot", "random"]
    with EngineBot(command, seed=4) as bot:
        for _ in range(30):
            if position.is_over:
                break
            position = position.play_action(bot.choose(position))
    assert position.ply == 30 or position.is_over


def test_our_engine_negotiates_with_our_client() -> None:
    game = kakomi.game("lin", size=5)
    with EngineBot([sys.executable, "-m", "kakomi", "engine", "--bot", "1"], simulations=20) as bot:
        assert bot.name_komi(game) in range(0, 25, 2)
        assert bot.choose_player(game, 24) == 1
        assert bot.wants_swap(game.start().play("c3")) in (True, False)
        bot.choose(game.start())
