"""Analyses by GTP, as programs that show boards ask for them."""

import re
import threading
from collections.abc import Iterator

import pytest

from kakomi.bots import RandomBot
from kakomi.protocol.gtp import GtpEngine, serve
from protocol.gtp_talk import talk
from protocol.transcripts import PATIENCE_SECONDS


def analysed(command: str, *, reports: int = 1, size: int = 4) -> list[str]:
    """The lines of an analysis in Rin that goes on until it has told so much; then the name is asked."""
    written: list[str] = []
    enough = threading.Event()

    def write(response: bytes) -> None:
        written.append(response.decode())
        if len(written) >= reports:
            enough.set()

    def lines() -> Iterator[bytes]:
        yield command.encode()
        assert enough.wait(PATIENCE_SECONDS)
        yield b"name"

    serve(GtpEngine("rin", {"size": size}, RandomBot(1)), lines(), write)
    *response, name = "".join(written).split("\n\n")[:-1]
    assert name == "= Kakomi" and len(response) == 1
    return response[0].split("\n")


@pytest.mark.parametrize(
    ("command", "most"),
    [("lz-analyze 2", 10_000), ("kata-analyze b interval 2 minmoves 3", 1), ("5 lz-analyze B", 10_000)],
)
def test_an_analysis_goes_on_until_the_next_command(command: str, most: int) -> None:
    reports = 1 if command.endswith("B") else 3
    first, *lines = analysed(command, reports=reports)
    assert first == ("=5" if command.startswith("5") else "=")
    assert len(lines) >= reports
    move = r"info move ([A-D][1-4]) visits (\d+) winrate ([\d.]+) order (\d+) pv ([A-D][1-4] ?)+"
    for line in lines:
        assert re.fullmatch(f"({move} ?)+", line)
        told = re.findall(move, line)
        assert [int(order) for _, _, _, order, _ in told] == list(range(len(told)))
        assert all(0 <= float(rate) <= most for _, _, rate, _, _ in told)
    visits = [sum(int(count) for count in re.findall(r"visits (\d+)", line)) for line in lines]
    assert visits == sorted(visits)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("lz-analyze w", "it is black's turn"),
        ("lz-analyze b interval x", "syntax error: the interval"),
        ("kata-analyze interval ²", "syntax error: the interval"),
    ],
)
def test_an_analysis_that_can_t_be(line: str, error: str) -> None:
    (response,) = talk(line, size=4)
    assert response.startswith(f"? {error}")
