"""`kakomi engine` and `kakomi gtp` as programs: signals, closed pipes, and Sabaki's client."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import kakomi
from kakomi import Position
from kakomi.protocol.gtp.syntax import Vertices
from protocol.transcripts import PATIENCE_SECONDS

SABAKI = Path(__file__).resolve().parents[1] / "protocol" / "sabaki"
SQUARE = {"lin": 9, "ren": 8, "rin": 8}
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
        program.stdin.flush()  # it stays open: the program must not wait for more
        assert program.wait(PATIENCE_SECONDS) == 141
        assert program.stderr.read() == b""


@pytest.mark.parametrize(("name", "size"), SQUARE.items())
def test_sabaki_plays(name: str, size: int) -> None:
    """Its client sends its usual commands: sizes, komi, undo, replays, numbers, quit."""
    if not shutil.which("node"):
        pytest.skip("node isn't installed")
    if not (SABAKI / "node_modules").exists():
        pytest.skip("Sabaki's client isn't installed: npm ci --prefix tests/protocol/sabaki")
    engine = [sys.executable, "-m", "kakomi", "gtp", name, "--bot", "random", "--seed", "5"]
    drive = ["node", str(SABAKI / "drive.js"), str(size), "12", *engine]
    run = subprocess.run(drive, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["name"]["content"] == "Kakomi" and seen["undo"] is True
    position = kakomi.game(name, size=size).start()
    vertices = Vertices(position.game)
    boards = [on_board(position)]
    for colour, vertex in seen["history"]:
        assert "BW"[position.to_move] == colour
        position = position.play_action(vertices.action(vertex))
        boards.append(on_board(position))
    assert all(told.startswith("it is ") for told in seen["refused"])
    assert stones(seen["board"]["content"]) == boards[-1]
    assert stones(seen["undone"]["content"]) == boards[-3]
    assert sum(stones(seen["replayed"]["content"])) == 1
    assert seen["illegal"]["error"] is True and seen["illegal"]["content"].startswith("illegal move")
    assert seen["numbered"] == 42
    assert seen["analysis"].startswith("info move ") and seen["afterwards"] == "Kakomi"


def on_board(position: Position) -> tuple[int, int]:
    """The number of stones of each player."""
    players = list(position.stones().values())
    return players.count(0), players.count(1)


def stones(drawing: str) -> tuple[int, int]:
    """The number of stones of each player in a drawing, without its legend."""
    board = drawing.rpartition("\n")[0]
    signs = "".join(
        line.strip("0123456789 ") for line in board.splitlines() if any(c.isdigit() for c in line)
    )
    return signs.count("X"), signs.count("O")
