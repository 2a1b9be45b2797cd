"""`kakomi engine` and `kakomi gtp` as programs: they end in good order, and drive each other."""

import os
import signal
import subprocess
import sys

import pytest

import kakomi
from kakomi.cli.main import main
from kakomi.protocol import EngineBot
from protocol.transcripts import PATIENCE_SECONDS

BOTH = [["engine", "--bot", "random"], ["gtp", "lin", "--size", "5", "--bot", "random"]]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_ends_a_search_without_a_word(number: int, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "kakomi", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdin and program.stdout and program.stderr
        program.stdin.write(b'{"id": 1, "command": "analyse", "game": "rin", "every_ms": 10}\n')
        program.stdin.flush()
        assert b"report" in program.stdout.readline()
        program.send_signal(number)
        assert program.wait(PATIENCE_SECONDS) == code
        said = program.stderr.read().split(b"\n")
        assert not [line for line in said if line and not line.startswith(b"Compiling")]


@pytest.mark.parametrize("args", BOTH)
def test_a_reader_that_is_gone_ends_it(args: list[str]) -> None:
    line = '{"id": 1, "command": "hello"}' if args[0] == "engine" else "name"
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen(
        [sys.executable, "-m", "kakomi", *args], stdin=subprocess.PIPE, stdout=write, stderr=subprocess.PIPE
    ) as program:
        os.close(write)
        assert program.stdin and program.stderr
        program.stdin.write(f"{line}\n".encode())
        program.stdin.flush()  # and it stays open: the program must not wait for more
        assert program.wait(PATIENCE_SECONDS) == 141
        assert program.stderr.read() == b""


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


@pytest.mark.parametrize("name", ["rin", "rings"])
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
