"""Many games and what bots throw away in them; what was found is kept, so that a study can go on."""

from collections.abc import Sequence

from kakomi.bots import make_bot
from kakomi.core import Game
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.solve import check_provable
from kakomi.study.blunders.table import BlunderTable
from kakomi.study.blunders.trial import GameTrial, try_game
from kakomi.study.kept import KeptStudy

BUDGET = 5_000_000
"""Positions that the solver looks at for a game."""


class BlunderStudy(KeptStudy[GameTrial, BlunderTable]):
    """How often bots throw away exact results near the ends of a game.

    One bot plays `games` games with itself. In the last `most` positions of each, as far as the solver comes
    with `budget` positions a game, all bots are asked `tries` times wherever something can be thrown away.

    Raises ValueError for a game of more than two players or one that can't be solved, and for a bot that
    there is none of, that can't play it, or that comes twice.
    """

    kind, noun = GameTrial, "game"

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
        super().__init__(game, games, seed)
        self.bots, self.player = tuple(bots), player
        self.most, self.tries, self.budget = most, tries, budget

    @property
    def terms(self) -> Sequence[str | int]:
        """Who plays and is asked, and how far the solver looks."""
        return self.player, *self.bots, self.most, self.tries, self.budget

    def tabulated(self, trials: Sequence[GameTrial]) -> BlunderTable:
        """What finished games tell."""
        return BlunderTable(trials, self.bots, self.tries, self.most)

    def piece(self, number: int) -> Piece[GameTrial]:
        """A game, and what all bots do in it."""
        fixed = (self.player, self.bots, self.tries, self.most, self.budget)
        arguments = (self.game.name, dict(self.game.options), number, *fixed)
        own = derived_seed(self.seed, self.game.name, "blunders", number)
        return Piece(f"game {number + 1}", try_game, arguments, own)
