"""Programs written only from the authors' rules documents agree with Kakomi's rules and solver."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.independent import __main__ as command
from benchmarks.independent import programs
from benchmarks.independent.boards import BOARDS, SAMPLES, Board, Sample
from benchmarks.independent.programs import Line, NoCompilerError, Program, ProgramError, Value
from benchmarks.independent.samples import compare_boards, compare_perft, compare_plain, compare_values

from sampling import ALL

COMPARED = [(game, dict(sample.options)) for game, samples in SAMPLES.items() for sample in samples]
ALL_LATE = [
    ("rive", {"size": 3}, 12),
    ("lin", {"size": 5, "line": 3}, 12),
    ("lin", {"size": 5, "line": 4}, 12),
    ("rin", {"size": 4}, 12),
    ("rings", {"size": 2, "players": 2}, 16),
]
LATE = [board for board in ALL_LATE if ALL or board[0] == "rive"]
"""Only the game whose solver the tests compile fully; tests/processes has the others."""
QUICK = [board for boards in BOARDS.values() for board in boards if board.game != "lin"]

Compile = Callable[[str], Program]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    known: dict[str, Program] = {}

    def get(game: str) -> Program:
        if game not in known:
            try:
                known[game] = Program(game, tmp_path_factory.mktemp("programs"))
            except NoCompilerError as error:
                pytest.skip(str(error))
        return known[game]

    return get


@pytest.mark.parametrize(("game", "options"), COMPARED, ids=str)
def test_boards_and_counts(compiled: Compile, game: str, options: dict[str, int]) -> None:
    """Stones, leads and legal actions along random games; numbers of sequences from random positions."""
    boards = compare_boards(compiled(game), options, games=3, seed=2)
    assert boards.compared >= 12 and not boards.disagreements
    counts = compare_perft(compiled(game), options, depth=2, positions=2, seed=2)
    assert counts.compared == 6 and not counts.disagreements


@pytest.mark.parametrize(("game", "options", "latest"), LATE, ids=str)
def test_late_values(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, int], latest: int
) -> None:
    monkeypatch.setattr("benchmarks.independent.samples.MOST_NODES", 20_000)
    outcome = compare_values(compiled(game), options, number=30, latest=latest, seed=2)
    assert outcome.compared == 30 and not outcome.disagreements


@pytest.mark.skipif(not ALL, reason="compiles the solver of Lin; make test-options does that")
@pytest.mark.usefixtures("has_compiler")
def test_late_values_of_larger_boards_of_lin(tmp_path: Path) -> None:
    outcome = compare_values(
        Program("lin", tmp_path, size=7), {"size": 7, "line": 6}, number=10, latest=10, seed=2
    )
    assert outcome.compared == 10 and not outcome.disagreements


@pytest.mark.parametrize(("game", "options", "latest"), LATE, ids=str)
def test_solvers_and_plain_minimax(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, int], latest: int
) -> None:
    """The pruning of a program's solver doesn't change values."""
    monkeypatch.setattr("benchmarks.independent.samples.MOST_STEPS", 10_000)
    outcome = compare_plain(compiled(game), options, number=30, latest=latest, seed=2)
    assert outcome.compared >= 5 and not outcome.disagreements


@pytest.mark.parametrize("board", QUICK, ids=lambda board: board.name)
def test_whole_boards(compiled: Compile, board: Board) -> None:
    (value,) = compiled(board.game).values([Line(board.options)], memory_mb=64)
    assert value.margin == board.known


def test_other_rules_are_found_out(compiled: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program plays Lin with shorter lines than Kakomi, so fewer stones die."""
    program, spelled = compiled("lin"), Program._spelled

    def with_short_lines(self: Program, line: Line) -> str:
        return spelled(self, Line({**line.options, "line": 3}, line.actions))

    monkeypatch.setattr(Program, "_spelled", with_short_lines)
    with pytest.raises(ProgramError, match=r"lin 5 3 : .*: for the program e4 isn't legal"):
        compare_boards(program, {"size": 5, "line": 4}, games=3, seed=4)


def test_another_value_is_found_out(compiled: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compiled("rin")
    monkeypatch.setattr(program, "values", lambda lines, _: [Value(99, 0, 0.0) for _ in lines])
    outcome = compare_values(program, {"size": 4}, number=3, latest=4, seed=2)
    assert len(outcome.disagreements) == 3 and outcome.disagreements[0].endswith(", not 99")


def test_an_illegal_action_is_named(compiled: Compile) -> None:
    with pytest.raises(ProgramError, match="rive 3 : a1 a2: for the program a2 isn't legal"):
        compiled("rive").show([Line({"size": 3}, ("a1", "a2"))])


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(programs.shutil, "which", lambda _: None)
    with pytest.raises(NoCompilerError, match="there is no C compiler"):
        Program("lin", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["ren"], "there is no program for ren: choose of lin, rin, rings, rive"),
        (["--memory", "0"], "a table of 0 MB isn't possible: it has 1 MB or more"),
        (["rive", "--write"], "--write puts all games into the page: name none"),
        (["--lin", "6", "3"], "--lin takes the size 5 or 7, and a line of 3 to 6 that fits on the board"),
    ],
    ids=str,
)
def test_what_the_command_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["independent", *arguments])
    with pytest.raises(SystemExit):
        command.main()
    assert told in capsys.readouterr().err


@pytest.fixture
def has_compiler(compiled: Compile) -> None:
    compiled("rive")


@pytest.fixture
def only_side_2(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Sample({"size": 2}, depth=2, values=3, latest=4, games=1, perft_positions=1)
    monkeypatch.setattr(command, "SAMPLES", {"rive": (sample,)})
    monkeypatch.setattr(command, "BOARDS", {"rive": (Board("rive", {"size": 2}),)})
    monkeypatch.setattr(sys, "argv", ["independent", "rive"])


@pytest.mark.usefixtures("only_side_2", "has_compiler")
def test_the_command_prints_both_values(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert "| rive size 2 | +1 | +1 | 545 |" in told and "perft to depth 2 | 4 | 0 |" in told


@pytest.mark.usefixtures("only_side_2", "has_compiler")
def test_the_command_fails_on_a_disagreement(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "solve", lambda *_: Value(-1, 1, 0.0))
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 1
    assert "DISAGREEMENT: rive size 2: Kakomi says 1, not -1" in capsys.readouterr().out
