"""A study of many pieces of work whose results are kept in a file, so that it can be stopped and goes on."""

import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

import msgspec

import kakomi
from kakomi.core import Game
from kakomi.core.line_file import LineFile
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm, Piece


class Trial(Protocol):
    """A result: a structure of msgspec's."""

    @property
    def number(self) -> int:
        """Which piece of work it is of, from 0."""


T = TypeVar("T", bound=Trial)
Table = TypeVar("Table")


class KeptStudy(ABC, Generic[T, Table]):
    """Trials of a game, each a piece of work with a seed of its own, and the table that they come to.

    The same study comes to the same, on any number of cores, and one of more trials begins with those of a
    shorter one.
    """

    kind: ClassVar[type]
    """Of its trials."""
    noun: ClassVar[str]
    """What a trial is called: `game`."""

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self.game, self.count, self.seed = game, count, seed
        self.trials: dict[int, T] = {}
        """Those that are done, by their numbers."""

    @property
    def file_name(self) -> str:
        """A name for the file of trials that differs for any other study, and any other version."""
        options = self.game.options.items()
        digest = derived_seed(self.seed, *options, *self.terms, kakomi.__version__)
        board = "-".join(f"{name}{value}" for name, value in options)
        return f"{self.game.name}-{board}-{digest:08x}.jsonl"

    def run(
        self, farm: Farm, file: str | os.PathLike[str], tell: Callable[[int], None] = lambda done: None
    ) -> Table:
        """Do what the file doesn't hold yet, and say what all trials together tell.

        `tell` is called with the number of trials done. Raises FarmError, OSError, and ValueError for a file
        that holds something else or that another process adds to.
        """
        with LineFile(file) as lines:
            for trial in self._read(lines):
                self.trials[trial.number] = trial
            for trial in self._new(lines, farm):
                self.trials[trial.number] = trial
                tell(len(self._wanted()))
        return self.table()

    def table(self) -> Table:
        """What the trials tell that are done."""
        return self.tabulated(self._wanted())

    @property
    @abstractmethod
    def terms(self) -> Sequence[str | int]:
        """What tells the study from others of the same game, beside the number of trials and the seed."""

    @abstractmethod
    def tabulated(self, trials: Sequence[T]) -> Table:
        """What some trials tell, which are in order."""

    @abstractmethod
    def piece(self, number: int) -> Piece[T]:
        """The work of a trial."""

    def _wanted(self) -> list[T]:
        """A file may hold more."""
        return [trial for number, trial in sorted(self.trials.items()) if number < self.count]

    def _read(self, lines: LineFile) -> Iterator[T]:
        for number, line in enumerate(lines.lines(), 1):
            try:
                yield msgspec.json.decode(line, type=self.kind)
            except msgspec.DecodeError as error:
                told = f"line {number} holds no {self.noun} of a study"
                raise ValueError(f"{lines.path}: {told}: {error}") from None

    def _new(self, lines: LineFile, farm: Farm) -> Iterator[T]:
        """Each result is added to the file before it is told."""
        pieces = (self.piece(number) for number in range(self.count) if number not in self.trials)
        with contextlib.closing(farm.run(pieces)) as done:
            for _, result in done:
                lines.add(msgspec.json.encode(result))
                yield result
