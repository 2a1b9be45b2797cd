"""Many searches for the first turns of a game; what was found is kept, so that a study can go on."""

import os
from collections.abc import Callable, Iterator

import kakomi
from kakomi.bots import make_bot
from kakomi.core import Game
from kakomi.core.line_file import LineFile
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm, Piece
from kakomi.study.kept import new_results, read_results
from kakomi.study.openings.table import OpeningTable
from kakomi.study.openings.trial import OpeningTrial, try_opening


class OpeningStudy:
    """Which first turns a player chooses, asked `searches` times with a seed of its own each time.

    With two `turns` it is also asked for the reply. The same study comes to the same, on any number of
    cores, and one of more searches begins with those of a shorter one; not so for bots that think by the
    clock.

    Raises ValueError for a bot that there is none of, or that can't play the game.
    """

    def __init__(
        self, game: Game, bot: str = "10", *, searches: int = 100, turns: int = 1, seed: int = 1
    ) -> None:
        make_bot(bot).check(game)
        self.game, self.bot, self.searches, self.turns, self.seed = game, bot, searches, turns, seed
        self.trials: dict[int, OpeningTrial] = {}
        """Searches that are done, by their numbers."""

    @property
    def file_name(self) -> str:
        """A name for the file of searches that differs for any other study, and any other version."""
        digest = derived_seed(self.seed, *self.game.options.items(), self.bot, self.turns, kakomi.__version__)
        board = "-".join(f"{name}{value}" for name, value in self.game.options.items())
        return f"{self.game.name}-{board}-{digest:08x}.jsonl"

    def run(
        self, farm: Farm, file: str | os.PathLike[str], tell: Callable[[int], None] = lambda done: None
    ) -> OpeningTable:
        """Do what the file doesn't hold yet, and say what all searches together tell.

        `tell` is called with the number of searches done. Raises FarmError, OSError, and ValueError for a
        file that holds something else or that another process adds to.
        """
        with LineFile(file) as lines:
            for trial in read_results(lines, OpeningTrial, "search of a study"):
                self.trials[trial.number] = trial
            for trial in new_results(lines, farm, self._pieces()):
                self.trials[trial.number] = trial
                tell(sum(number < self.searches for number in self.trials))
        return self.table()

    def table(self) -> OpeningTable:
        """What the searches tell that are done. Raises ValueError before the first."""
        trials = [trial for number, trial in sorted(self.trials.items()) if number < self.searches]
        return OpeningTable(self.game, trials)

    def _pieces(self) -> Iterator[Piece[OpeningTrial]]:
        for number in range(self.searches):
            if number not in self.trials:
                arguments = (self.game.name, dict(self.game.options), number, self.bot, self.turns)
                own = derived_seed(self.seed, self.game.name, "openings", number)
                yield Piece(f"search {number + 1}", try_opening, arguments, own)
