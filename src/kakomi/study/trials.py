"""Studies: seeded trials of a game whose results are kept, so that a study can be stopped and goes on.

A `Study` says what one trial does, and what all of them come to. Everything else is here: the file, the farm,
what is left to do, and what has been kept of a game.
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
from kakomi.study.kept_file import KeptFile, header_of
from kakomi.study.report.content import Section
from kakomi.study.tournament.playing import warm

FORM = "kakomi_study"
_FIXED = (FORM, "study", "game", "options", "seed", "kakomi")
"""Terms that every study has; all others are its own."""

T = TypeVar("T")
Tell = Callable[[int], None]
"""Called with the number of trials that are done."""


class Trial(Struct, Generic[T], frozen=True):
    """A trial that is done."""

    number: int
    result: T


class StudyFile(KeptFile[Trial[Any]]):
    """The trials of a study on disk."""

    form, noun = FORM, "study"


class Study(ABC, Generic[T]):
    """Trials of a game, numbered from 0, each with a seed of its own, and what they come to.

    The same study comes to the same on any number of cores, and one of more trials begins with those of a
    shorter one; only bots that think by the clock may differ.
    """

    name: ClassVar[str]
    """Its command: `kakomi study NAME`."""
    noun: ClassVar[str]
    """What a trial is called: `game`."""
    kind: ClassVar[Any]
    """Of a trial's result: a type that msgspec writes and reads."""
    suffix: ClassVar[str] = ""
    """Of the file that `written` is for; empty where there is none."""

    def __init__(self, game: Game, count: int, seed: int = 1) -> None:
        self.game, self.count, self.seed = game, count, seed
        self.kept: dict[int, T] = {}
        """Results by the numbers of their trials; a file may hold more than are wanted."""

    @property
    @abstractmethod
    def terms(self) -> Mapping[str, Any]:
        """What tells it from other studies of the game, beside the seed: arguments of the class."""

    @property
    def options(self) -> Mapping[str, int]:
        """The board it is of."""
        return self.game.options

    @property
    @abstractmethod
    def bots(self) -> Sequence[str]:
        """Who plays; they are compiled before the first trial."""

    @abstractmethod
    def piece(self, number: int) -> Piece[T]:
        """The work of a trial."""

    @abstractmethod
    def chapter(self) -> Section:
        """What the results tell. Raises ValueError where there are too few."""

    def due(self) -> Iterable[int]:
        """The trials that can be begun now; none once all are done."""
        return [number for number in range(self.count) if number not in self.kept]

    def is_enough(self) -> bool:
        """Whether the results that are there make all others needless."""
        return False

    def written(self) -> str:
        """The text of the file that it makes."""
        return ""

    @classmethod
    def chapters(cls, studies: Sequence[Self]) -> list[Section]:
        """What several boards tell together."""
        return [study.chapter() for study in studies]

    @property
    def trials(self) -> list[tuple[int, T]]:
        """Those that are wanted and done, in order."""
        return [(number, result) for number, result in sorted(self.kept.items()) if number < self.count]

    @property
    def results(self) -> list[T]:
        """What they came to."""
        return [result for _, result in self.trials]

    @property
    def header(self) -> dict[str, Any]:
        """What has to be equal for trials to be taken up again; their number may grow."""
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
        """A name that differs for any other study."""
        board = "-".join(f"{name}{value}" for name, value in self.options.items())
        return f"{self.name}-{self.game.name}-{board}-{self.digest:08x}.jsonl"

    @property
    def digest(self) -> int:
        """A number that differs for any other study."""
        return derived_seed(self.seed, *map(repr, self.header.items()))

    def run(self, farm: Farm, folder: Path, tell: Tell = lambda done: None) -> Self:
        """Do what the folder doesn't hold yet.

        Raises FarmError, OSError, and KeptFileError for a file that holds something else or that another
        process adds to.
        """
        folder.mkdir(parents=True, exist_ok=True)
        with StudyFile(folder / self.file_name, self.header, Trial[self.kind]) as file:  # type: ignore[name-defined]
            self.kept.update((trial.number, trial.result) for trial in file.rows)
            while not self.is_enough() and (due := list(self.due())):
                self._do(due, farm, file, tell)
        return self

    def _do(self, due: Sequence[int], farm: Farm, file: StudyFile, tell: Tell) -> None:
        """Each result is in the file before it is told."""
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
    """The studies of a game and its options that a folder holds, made by this version, with their results.

    Files that are none, or that this version would not go on with, are left out.
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
    """Raises ValueError for terms that this version has no study of, and for a file in use."""
    own = {name: value for name, value in header.items() if name not in _FIXED}
    study = kind(game, 1, header["seed"], **own)
    with StudyFile(path, study.header, Trial[kind.kind]) as file:  # type: ignore[name-defined]
        study.kept.update((trial.number, trial.result) for trial in file.rows)
    study.count = 1 + max(study.kept, default=-1)
    return study
