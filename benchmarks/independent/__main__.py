"""Prove Kakomi's solved boards a second time, with programs in C that share no code with it.

    python -m benchmarks.independent [GAME]... [--memory 3000] [--write]
    python -m benchmarks.independent --lin 7 6     # one board of Lin alone: size and line

Each program is compiled into a temporary folder and solves whole boards; its answers for seeded samples of
positions are compared with Kakomi's rules and solver. The exit code is 1 if they disagree anywhere.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import results
from benchmarks.independent.boards import BOARDS, SAMPLES, Board
from benchmarks.independent.programs import OPTIONS, Line, NoCompilerError, Program, ProgramError, Value
from benchmarks.independent.samples import (
    Outcome,
    compare_boards,
    compare_perft,
    compare_plain,
    compare_values,
)
from benchmarks.pages import replace_part

PAGE = Path(__file__).resolve().parents[2] / "docs" / "solved.md"
BOARD_HEADER = (
    "| board | second program | Kakomi | positions | seconds |\n| --- | --- | --- | ---: | ---: |\n"
)
LIN_SIZES = (5, 7)


def solve(program: Program, board: Board, memory_mb: int) -> Value:
    """Return the exact value of a whole board; progress goes to standard error."""
    _tell(f"{board.name} ...")
    return program.values([Line(board.options)], memory_mb, tells=True)[0]


def compare_samples(program: Program) -> Iterator[Outcome]:
    """Compare all samples of a program's game."""
    for sample in SAMPLES[program.game]:
        _tell(f"{program.game} {dict(sample.options)} ...")
        yield compare_boards(program, sample.options, sample.games, sample.seed)
        yield compare_perft(program, sample.options, sample.depth, sample.perft_positions, sample.seed)
        if sample.values:
            yield compare_values(program, sample.options, sample.values, sample.latest, sample.seed)
            yield compare_plain(program, sample.options, sample.values, sample.latest, sample.seed)


def board_row(board: Board, value: Value) -> str:
    """Return a board's row of the table."""
    ours = "–" if board.known is None else f"{board.known:+d}"
    return f"| {board.name} | {value.margin:+d} | {ours} | {value.positions:,} | {value.seconds:,.1f} |\n"


def sample_row(outcome: Outcome) -> str:
    """Return a sample's row of the table."""
    return f"| {outcome.what} | {outcome.compared:,} | {len(outcome.disagreements)} |\n"


def run(games: list[str], memory_mb: int) -> tuple[list[str], list[Outcome], list[str]]:
    """Return rows of boards, outcomes of samples, and all disagreements."""
    board_rows, samples, wrong = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            program = Program(game, Path(folder))
            for outcome in compare_samples(program):
                samples.append(outcome)
                wrong += outcome.disagreements
                print(sample_row(outcome), end="", flush=True)
            for board in BOARDS[game]:
                value = solve(program, board, memory_mb)
                board_rows.append(board_row(board, value))
                if board.known not in (None, value.margin):
                    wrong.append(f"{board.name}: Kakomi says {board.known}, not {value.margin}")
                print(board_rows[-1], end="", flush=True)
    return board_rows, samples, wrong


def run_lin(size: int, line: int, memory_mb: int) -> None:
    """Solve one board of Lin, and print its row."""
    board = Board("lin", {"size": size, "line": line})
    with tempfile.TemporaryDirectory() as folder:
        print(board_row(board, solve(Program("lin", Path(folder), size), board, memory_mb)), end="")


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    names = sorted(OPTIONS)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.independent", description=__doc__.splitlines()[0]
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(names)}; all by default")
    parser.add_argument(
        "--memory", type=int, default=3000, metavar="MB", help="for Lin's table (default 3000)"
    )
    parser.add_argument(
        "--lin", nargs=2, type=int, metavar=("SIZE", "LINE"), help="solve this board of Lin alone"
    )
    parser.add_argument("--write", action="store_true", help=f"put all tables into docs/{PAGE.name}")
    arguments: Any = parser.parse_args()
    unknown = sorted(set(arguments.games) - set(names))
    if unknown:
        parser.error(f"there is no program for {unknown[0]}: choose of {', '.join(names)}")
    if arguments.memory < 1:
        parser.error(f"a table of {arguments.memory} MB isn't possible: it has 1 MB or more")
    if arguments.write and arguments.games:
        parser.error("--write puts all games into the page: name none")
    if arguments.lin and not (
        arguments.lin[0] in LIN_SIZES and 3 <= arguments.lin[1] <= min(6, arguments.lin[0])
    ):
        parser.error("--lin takes the size 5 or 7, and a line of 3 to 6 that fits on the board")
    try:
        if arguments.lin:
            size, line = arguments.lin
            run_lin(size, line, arguments.memory)
            return
        boards, samples, wrong = run(arguments.games or names, arguments.memory)
    except (NoCompilerError, ProgramError) as error:
        sys.exit(f"error: {error}")
    for disagreement in wrong:
        print(f"DISAGREEMENT: {disagreement}")
    if arguments.write and not wrong:
        date = datetime.now(UTC).strftime("%Y-%m-%d")
        compared = sum(outcome.compared for outcome in samples)
        said = (
            f"{len(samples)} samples compared {compared:,} positions, counts and values, "
            "without a disagreement.\n"
            f"On {date}, one core ({results.processor()}); seconds are the processor's.\n"
        )
        replace_part(PAGE, "independent", f"{BOARD_HEADER}{''.join(boards)}\n{said}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
