"""Games of a bot with itself at several komis, round after round, until there are as many as wanted."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kakomi.bots.komi import fair_komi, lead_of_random_play, with_komi
from kakomi.core import Game
from kakomi.core.fair_komi import nearest_komi
from kakomi.core.option import Options
from kakomi.core.seeds import derived_seed
from kakomi.farm import Farm
from kakomi.study.fair_komi.design import REACH, ROUND, next_komis
from kakomi.study.fair_komi.estimate import KomiEstimate, estimated
from kakomi.study.tournament import GameLog, Pairing, Played, check_entrant, entrant_names, play_games

Tell = Callable[[int, KomiEstimate | None], None]
"""Called with the number of finished games, and what the rounds before say."""


@dataclass(frozen=True)
class KomiRow:
    """The games at one komi."""

    komi: int
    games: int
    won: float
    """What the first player won of them; half a game for a draw."""


class KomiMeasurement:
    """A measurement of the fair komi of a board among equals of one strength.

    Which komis a round plays follows from the rounds before it. So the same measurement plays the same games
    on any number of cores, and one with more games begins with those of a shorter one. Games begin at the
    start: random openings would hide what being first is worth. Raises ValueError for a game without komi
    and for a bot that there is none of, or that can't play it.
    """

    def __init__(self, game: Game, bot: str, games: int, *, seed: int = 1) -> None:
        allowed = sorted(game.description.komi.allowed_given(game.options))
        check_entrant(bot, game)
        self.game = with_komi(game, allowed[0])
        self.bot, self.seed = bot, seed
        self.games = -(-games // ROUND) * ROUND
        """As many as were wanted, rounded up to whole rounds."""
        self.played: list[Played] = []
        """Finished games, in the order in which they ended."""
        self._allowed = allowed

    @property
    def options(self) -> Options:
        """The board: all of the game's options but komi."""
        return self.game.description.without_komi(self.game.options)

    @property
    def file_name(self) -> str:
        """A name for the file of games that differs for any other measurement."""
        digest = derived_seed(self.seed, self.bot, *self.options.items())
        board = "-".join(f"{name}{value}" for name, value in self.options.items())
        return f"{self.game.name}-{board}-{digest:08x}.jsonl"

    def play(self, farm: Farm, file: Path, tell: Tell = lambda done, estimate: None) -> KomiEstimate:
        """Play what the file doesn't hold yet, and say what all games together tell.

        Raises what `GameLog` and `play_games` raise.
        """
        guess = float(fair_komi(self.game, lead_of_random_play))
        with GameLog(file, self._terms()) as log:
            while len(self.played) < self.games:
                self._play_round(farm, log, guess, tell)
        return self.estimate()

    def estimate(self) -> KomiEstimate:
        """What the finished games tell. Raises ValueError without any."""
        return estimated(self._observed(), self._step)

    def rows(self) -> list[KomiRow]:
        """The finished games, komi by komi."""
        shares: dict[float, list[float]] = {}
        for komi, share in self._observed():
            shares.setdefault(komi, []).append(share)
        return [KomiRow(int(komi), len(won), sum(won)) for komi, won in sorted(shares.items())]

    def nearest(self, estimate: KomiEstimate) -> int:
        """The komi to name: the one that is possible and nearest to the fair one."""
        return nearest_komi(estimate.fair, self._allowed)

    def _play_round(self, farm: Farm, log: GameLog, guess: float, tell: Tell) -> None:
        reach = REACH * self.game.geometry.points
        komis = next_komis(self._observed(), self._allowed, guess, reach)
        before = len(self.played)
        so_far = self.estimate() if before else None
        pairings = [self._pairing(number, komi) for number, komi in enumerate(komis, before + 1)]
        with contextlib.closing(play_games(pairings, farm, log=log)) as games:
            for played in games:
                self.played.append(played)
                tell(len(self.played), so_far)

    def _pairing(self, number: int, komi: int) -> Pairing:
        game = with_komi(self.game, komi)
        return Pairing(
            number=number,
            game=game.name,
            options=dict(game.options),
            seats=entrant_names((self.bot, self.bot)),
            bots=(self.bot, self.bot),
            opening=0,
            opening_plies=0,
            seed=derived_seed(self.seed, game.name, "komi", number),
        )

    def _observed(self) -> list[tuple[float, float]]:
        """Forfeits say nothing of komi."""
        option = self.game.description.komi_option
        return [
            (float(one.pairing.options[option]), one.share(*one.pairing.seats))
            for one in self.played
            if one.reason != "forfeit"
        ]

    @property
    def _step(self) -> float:
        return float(self._allowed[1] - self._allowed[0]) if len(self._allowed) > 1 else 1.0

    def _terms(self) -> dict[str, Any]:
        return {
            "measured": "fair komi",
            "game": self.game.name,
            "options": self.options,
            "bot": self.bot,
            "seed": self.seed,
            "round": ROUND,
        }
