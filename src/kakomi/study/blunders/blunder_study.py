"""Many games and what bots throw away in them; what was found is kept, so that a study can go on."""

import os
from collections.abc import Callable, Iterator, Sequence

import kakomi
from kakomi.bots import make_bot
from kakomi.core import Game
from kakomi.core.line_file import LineFile
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm, Piece
from kakomi.solve import check_provable
from kakomi.study.blunders.table import BlunderTable
from kakomi.study.blunders.trial import GameTrial, try_game
from kakomi.study.kept import new_results, read_results

BUDGET = 5_000_000
"""Positions that the solver looks at for a game."""


class BlunderStudy:
    """How often bots throw away exact results near the ends of a game.

    One bot plays `games` games with itself. In the last `most` positions of each, as far as the solver comes
    with `budget` positions a game, all bots are asked `tries` times wherever something can be thrown away.
    The same study comes to the same, on any number of cores, and one of more games begins with those of a
    shorter one.

    Raises ValueError for a game of more than two players or one that can't be solved, and for a bot that
    there is none of, that can't play it, or that comes twice.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[str],
        *,
        player: str = "5",
        games: int = 100,
        most: int = 24,
        tries: int = 1,
        budget: int = BUDGET,
        seed: int = 1,
    ) -> None:
        check_provable(game)
        for bot in (player, *bots):
            make_bot(bot).check(game)
        if len(set(bots)) < len(bots):
            raise ValueError("a bot is named twice")
        self.game, self.bots, self.player = game, tuple(bots), player
        self.games, self.most, self.tries, self.budget, self.seed = games, most, tries, budget, seed
        self.trials: dict[int, GameTrial] = {}
        """Games that are finished, by their numbers."""

    @property
    def file_name(self) -> str:
        """A name for the file of games that differs for any other study, and any other version."""
        terms = (self.player, *self.bots, self.most, self.tries, self.budget, kakomi.__version__)
        digest = derived_seed(self.seed, *self.game.options.items(), *terms)
        board = "-".join(f"{name}{value}" for name, value in self.game.options.items())
        return f"{self.game.name}-{board}-{digest:08x}.jsonl"

    def run(
        self, farm: Farm, file: str | os.PathLike[str], tell: Callable[[int], None] = lambda done: None
    ) -> BlunderTable:
        """Do what the file doesn't hold yet, and say what all games together tell.

        `tell` is called with the number of finished games. Raises FarmError, OSError, and ValueError for a
        file that holds something else or that another process adds to.
        """
        with LineFile(file) as lines:
            for trial in read_results(lines, GameTrial, "game of a study"):
                self.trials[trial.number] = trial
            for trial in new_results(lines, farm, self._pieces()):
                self.trials[trial.number] = trial
                tell(sum(number < self.games for number in self.trials))
        return self.table()

    def table(self) -> BlunderTable:
        """What the finished games tell."""
        trials = [trial for number, trial in sorted(self.trials.items()) if number < self.games]
        return BlunderTable(trials, self.bots, self.tries, self.most)

    def _pieces(self) -> Iterator[Piece[GameTrial]]:
        fixed = (self.player, self.bots, self.tries, self.most, self.budget)
        for number in range(self.games):
            if number not in self.trials:
                arguments = (self.game.name, dict(self.game.options), number, *fixed)
                own = derived_seed(self.seed, self.game.name, "blunders", number)
                yield Piece(f"game {number + 1}", try_game, arguments, own)
