"""Studies: seeded trials of a game whose results are stored, so that a study can be stopped and resumed.

A subclass of `Study` defines one trial and the report on all of them. This module does the rest: the file,
running on the farm, the trials still to do, and finding the stored studies of a game.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from msgspec import Struct

import kakomi
from kakomi.core import Game
from kakomi.core.line_file import whole_lines
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm, Piece
from kakomi.study.matches.playing import warm
from kakomi.study.report.content import Section
from kakomi.study.results_file import ResultsFile, header_of

FORM = "kakomi_study"
_FIXED = (FORM, "study", "game", "options", "seed", "kakomi")
"""Terms that every study has; all others are specific to its kind."""

T = TypeVar("T")
Tell = Callable[[int], None]
"""Called with the number of trials done."""


class Trial(Struct, Generic[T], frozen=True):
    """A finished trial."""

    number: int
    result: T


class StudyFile(ResultsFile[Trial[Any]]):
    """The trials of a study on disk."""

    form, noun = FORM, "study"


class Study(ABC, Generic[T]):
    """Trials of a game, numbered from 0, each with its own seed, and the report on them.

    A study gives the same results on any number of cores, and a longer study begins with the trials of a
    shorter one. Only bots that think by the clock may differ.
    """

    name: ClassVar[str]
    """Its command: `kakomi study NAME`."""
    noun: ClassVar[str]
    """What a trial is called: `game`."""
    kind: ClassVar[Any]
    """The type of a trial's result, which msgspec can encode and decode."""
    suffix: ClassVar[str] = ""
    """The suffix of the file that holds `written()`; empty if there is none."""

    def __init__(self, game: Game, count: int, seed: int = 1) -> None:
        self.game, self.count, self.seed = game, count, seed
        self.kept: dict[int, T] = {}
        """Trial number → result; may hold more than `count`."""

    @property
    @abstractmethod
    def terms(self) -> Mapping[str, Any]:
        """What distinguishes it from other studies of the game, beside the seed: arguments of the class."""

    @property
    def options(self) -> Mapping[str, int]:
        """The options of the board."""
        return self.game.options

    @property
    @abstractmethod
    def bots(self) -> Sequence[str]:
        """The bots that play; they are compiled before the first trial."""

    @abstractmethod
    def piece(self, number: int) -> Piece[T]:
        """The work of one trial."""

    @abstractmethod
    def chapter(self) -> Section:
        """The results as a report section. Raises ValueError if there are too few."""

    def due(self) -> Iterable[int]:
        """The trials that can start now; empty once all are done."""
        return [number for number in range(self.count) if number not in self.kept]

    def is_enough(self) -> bool:
        """Whether the results so far suffice, so that the study can stop early."""
        return False

    def written(self) -> str:
        """The text of the output file, if the study has a `suffix`."""
        return ""

    @classmethod
    def chapters(cls, studies: Sequence[Self]) -> list[Section]:
        """The report sections of several boards."""
        return [study.chapter() for study in studies]

    @property
    def trials(self) -> list[tuple[int, T]]:
        """The finished trials below `count`, in order."""
        return [(number, result) for number, result in sorted(self.kept.items()) if number < self.count]

    @property
    def results(self) -> list[T]:
        """The results of `trials`."""
        return [result for _, result in self.trials]

    @property
    def header(self) -> dict[str, Any]:
        """The terms that must match for a study to be resumed; the number of trials may grow."""
        return {
            "study": self.name,
            "game": self.game.name,
            "options": dict(self.options),
            "seed": self.seed,
            "kakomi": kakomi.__version__,
            **self.terms,
        }

    @property
    def file_name(self) -> str:
        """A file name unique to the study."""
        board = "-".join(f"{name}{value}" for name, value in self.options.items())
        return f"{self.name}-{self.game.name}-{board}-{self.digest:08x}.jsonl"

    @property
    def digest(self) -> int:
        """A hash of the seed and the header that identifies the study."""
        return derived_seed(self.seed, *map(repr, self.header.items()))

    def run(self, farm: Farm, folder: Path, tell: Tell = lambda done: None) -> Self:
        """Run the trials that the folder doesn't hold yet.

        Raises FarmError, OSError, and ResultsFileError if the file holds something else or another process
        has it open.
        """
        folder.mkdir(parents=True, exist_ok=True)
        with StudyFile(folder / self.file_name, self.header, Trial[self.kind]) as file:  # type: ignore[name-defined]
            self.kept.update((trial.number, trial.result) for trial in file.rows)
            while not self.is_enough() and (due := list(self.due())):
                self._do(due, farm, file, tell)
        return self

    def _do(self, due: Sequence[int], farm: Farm, file: StudyFile, tell: Tell) -> None:
        """Run trials, writing each result to the file before reporting it."""
        for bot in self.bots:
            warm(bot, self.game)
        pieces = {self.piece(number): number for number in due}
        with contextlib.closing(farm.run(pieces)) as done:
            for piece, result in done:
                file.add(Trial(pieces[piece], result))
                self.kept[pieces[piece]] = result
                tell(len(self.trials))
                if self.is_enough():
                    return


def kept_studies(folder: Path, game: Game, kinds: Iterable[type[Study[Any]]]) -> Iterator[Study[Any]]:
    """The studies of a game with its options in a folder, with their results.

    Leaves out other files, and studies by other versions or that can't be resumed.
    """
    by_name = {kind.name: kind for kind in kinds}
    for path in sorted(folder.glob("*.jsonl")):
        lines = list(whole_lines(path))
        header = header_of(lines[0], FORM) if lines else {}
        kind = by_name.get(header.get("study", ""))
        if kind is None or header["game"] != game.name or header["kakomi"] != kakomi.__version__:
            continue
        if not header["options"].items() <= dict(game.options).items():
            continue
        with contextlib.suppress(ValueError):
            yield _reopened(path, header, kind, game)


def _reopened(path: Path, header: Mapping[str, Any], kind: type[Study[Any]], game: Game) -> Study[Any]:
    """Load a study. Raises ValueError if its terms are invalid in this version or the file is in use."""
    own = {name: value for name, value in header.items() if name not in _FIXED}
    study = kind(game, 1, header["seed"], **own)
    with StudyFile(path, study.header, Trial[kind.kind]) as file:  # type: ignore[name-defined]
        study.kept.update((trial.number, trial.result) for trial in file.rows)
    study.count = 1 + max(study.kept, default=-1)
    return study
