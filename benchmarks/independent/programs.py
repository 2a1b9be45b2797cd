"""The programs in C: compiled with the system's compiler, queried through standard input."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
FLAGS = ("-std=gnu11", "-O3", "-march=native")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "lin": ("size", "line"),
    "rin": ("size",),
    "rings": ("size", "players"),
    "rive": ("size",),
}
"""The games that have a program, each with the options that a line contains, in order."""


class NoCompilerError(RuntimeError):
    """There is no C compiler, or it failed."""


class ProgramError(RuntimeError):
    """A program found an action illegal, or stopped with an error."""


@dataclass(frozen=True)
class Line:
    """A position: a game's options and the actions from the start."""

    options: Mapping[str, int]
    actions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """A program's answer about a position."""

    player: int
    lead: int
    """Player 0's lead by the current score."""
    stones: Mapping[str, int]
    legal: frozenset[str]


@dataclass(frozen=True)
class Value:
    """A position's value under best play, according to a program."""

    margin: int
    """Player 0's margin."""
    positions: int
    """The number of positions looked at."""
    seconds: float
    """Processor time."""


class Program:
    """One game's program."""

    def __init__(self, game: str, folder: Path, size: int = 5) -> None:
        """Compile it into a folder; `size` is the size of the boards of Lin that it solves.

        Raises NoCompilerError.
        """
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            raise NoCompilerError("there is no C compiler: install one that is called cc or gcc")
        self.game = game
        self._path = folder / f"{game}-{size}"
        source, into = str(FOLDER / f"{game}.c"), str(self._path)
        command = [compiler, *FLAGS, f"-DSIZE={size}", source, "-o", into]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoCompilerError(f"{compiler} can't compile {source}: {done.stderr.strip().splitlines()[0]}")

    def show(self, lines: Sequence[Line]) -> list[Shown]:
        """Return the stones and legal actions of each position. Raises ProgramError."""
        return [_shown(text) for text in self._ask(lines, "show")]

    def perft(self, lines: Sequence[Line], depth: int) -> list[list[int]]:
        """Count the sequences of 1 to `depth` actions from each position. Raises ProgramError."""
        return [[int(count) for count in text.split()] for text in self._ask(lines, "perft", str(depth))]

    def values(self, lines: Sequence[Line], memory_mb: int, *, tells: bool = False) -> list[Value]:
        """Return the exact value of each position; `tells` shows progress on standard error.

        Raises ProgramError.
        """
        answers = [text.split() for text in self._ask(lines, "values", str(memory_mb), tells=tells)]
        return [Value(int(margin), int(positions), float(seconds)) for margin, positions, seconds in answers]

    def plain_margins(self, lines: Sequence[Line], steps: int) -> list[int | None]:
        """Return the margin of each position by plain minimax over all sequences of actions.

        None if that takes more than `steps` steps. Raises ProgramError.
        """
        return [None if text == "-" else int(text) for text in self._ask(lines, "plain", str(steps))]

    def _ask(self, lines: Sequence[Line], *command: str, tells: bool = False) -> list[str]:
        questions = [self._spelled(line) for line in lines]
        done = subprocess.run(
            [str(self._path), *command],
            input="".join(f"{question}\n" for question in questions),
            stdout=subprocess.PIPE,
            stderr=None if tells else subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ProgramError(f"{self.game}: {(done.stderr or 'it stopped').strip().splitlines()[-1]}")
        answers = done.stdout.splitlines()
        for question, text in zip(questions, answers, strict=True):
            if text.startswith("illegal"):
                raise ProgramError(f"{self.game} {question}: for the program {text.split()[1]} isn't legal")
        return answers

    def _spelled(self, line: Line) -> str:
        options = " ".join(str(line.options[name]) for name in OPTIONS[self.game])
        return " ".join((options, ":", *line.actions))


def _shown(text: str) -> Shown:
    who, stones, legal = text.split("|")
    player, lead = who.split()
    pairs = (stone.split("=") for stone in stones.split())
    return Shown(int(player), int(lead), {point: int(of) for point, of in pairs}, frozenset(legal.split()))
