"""Many searches for the first turns of a game; what was found is kept, so that a study can go on."""

from collections.abc import Sequence

from kakomi.bots import make_bot
from kakomi.core import Game
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.study.kept import KeptStudy
from kakomi.study.openings.table import OpeningTable
from kakomi.study.openings.trial import OpeningTrial, try_opening


class OpeningStudy(KeptStudy[OpeningTrial, OpeningTable]):
    """Which first turns a player chooses, asked `searches` times with a seed of its own each time.

    With two `turns` it is also asked for the reply. Bots that think by the clock don't come to the same.

    Raises ValueError for a bot that there is none of, or that can't play the game.
    """

    kind, noun = OpeningTrial, "search"

    def __init__(
        self, game: Game, bot: str = "10", *, searches: int = 100, turns: int = 1, seed: int = 1
    ) -> None:
        make_bot(bot).check(game)
        super().__init__(game, searches, seed)
        self.bot, self.turns = bot, turns

    @property
    def terms(self) -> Sequence[str | int]:
        """Who is asked, and for how many turns."""
        return self.bot, self.turns

    def tabulated(self, trials: Sequence[OpeningTrial]) -> OpeningTable:
        """What searches tell. Raises ValueError for none."""
        return OpeningTable(self.game, trials)

    def piece(self, number: int) -> Piece[OpeningTrial]:
        """A search."""
        arguments = (self.game.name, dict(self.game.options), number, self.bot, self.turns)
        own = derived_seed(self.seed, self.game.name, "openings", number)
        return Piece(f"search {number + 1}", try_opening, arguments, own)
