"""Analysis commands of GTP, as used by board programs."""

import re
import threading
from collections.abc import Iterator

import pytest

import kakomi
from kakomi.bots import RandomBot
from kakomi.kernel import Mode, use_mode
from kakomi.protocol.gtp import GtpEngine, serve
from kakomi.protocol.gtp.engine import format_estimate, parse_analysis_arguments
from protocol.gtp_talk import talk
from protocol.transcripts import PATIENCE_SECONDS


def analysed(command: str, *, reports: int = 1, size: int = 4) -> list[str]:
    """The output of an analysis of Rin that runs until it has sent `reports`, followed by `name`."""
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


def test_owners_are_told_to_the_player_to_act_row_by_row_from_the_top() -> None:
    with use_mode(Mode.INTERPRETED):
        first, line, *_ = analysed("kata-analyze b 2 rootInfo true ownership true")
    assert first == "="
    told = re.fullmatch(r"info move .* rootInfo scoreLead (\S+) scoreStdev (\S+) ownership ((\S+ ?)+)", line)
    assert told
    owners = [float(word) for word in told[3].split()]
    assert len(owners) == 16 and all(-1 <= one <= 1 for one in owners) and len(set(owners)) > 1
    assert float(told[2]) > 0
    # Black has the top right corner of Lin's board and White the bottom left; White is to act.
    lin = kakomi.game("lin", size=5, line=3, komi=2)
    stones = {
        f"{column}{row}": player
        for player, rows in ((0, "45"), (1, "12"))
        for row in rows
        for column in "abcde"
    }
    end = lin.arranged({**stones, "a3": 0, "b3": 0, "c3": 0, "d3": 1, "e3": 1}, to_move=1)
    assert end.is_over
    wanted = parse_analysis_arguments(["interval", "5", "ownership", "true"])
    with use_mode(Mode.INTERPRETED):
        text = format_estimate(end, wanted)
        assert text == " ownership " + " ".join(["-1"] * 13 + ["1"] * 12)
        assert format_estimate(end, parse_analysis_arguments(["w", "5", "rootInfo", "true"])) == (
            " rootInfo scoreLead 1.00 scoreStdev 0.00"
        )
        assert format_estimate(end, parse_analysis_arguments(["ownership", "false"])) == ""


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
