"""The fair komi of a board: games of a bot with itself at several komis, round after round (docs/komi.md)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kakomi.bots.komi import fair_komi, lead_of_random_play, with_komi
from kakomi.core import Game
from kakomi.core.known_results import nearest_komi
from kakomi.core.option import Options
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.study.komi_estimate import REACH, ROUND, KomiEstimate, estimated, next_komis
from kakomi.study.report.content import Cell, Number, Section, Table
from kakomi.study.report.estimates import Estimate
from kakomi.study.report.wording import counted, player_in_words
from kakomi.study.tournament import Pairing, Played, check_entrant, entrant_names, play
from kakomi.study.trials import Study


@dataclass(frozen=True)
class KomiRow:
    """The games at one komi."""

    komi: int
    games: int
    won: float
    """What the first player won of them; half a game for a draw."""


class KomiStudy(Study[Played]):
    """The fair komi of a board among equals of one strength; whole rounds of `ROUND` games are played.

    Which komis a round plays follows from the rounds before it, and so is the same on any number of cores.
    Games begin at the start: random openings would hide what being first is worth. Raises ValueError for a
    game without komi and for a bot that there is none of, or that can't play it.
    """

    name, noun, kind = "komi", "game", Played

    def __init__(self, game: Game, count: int = 400, seed: int = 1, *, bot: str = "5") -> None:
        self._allowed = sorted(game.description.komi.allowed_given(game.options))
        check_entrant(bot, game)
        super().__init__(with_komi(game, self._allowed[0]), -(-count // ROUND) * ROUND, seed)
        self.bot = bot
        self._komis: dict[int, int] = {}
        """Of the games of the round that is being played."""

    @property
    def terms(self) -> Mapping[str, Any]:
        """Who plays, and how many games there are between two looks at the results."""
        return {"bot": self.bot, "round": ROUND}

    @property
    def options(self) -> Options:
        """The board: all of the game's options but komi."""
        return self.game.description.without_komi(self.game.options)

    @property
    def bots(self) -> Sequence[str]:
        """Who plays with itself."""
        return (self.bot,)

    def due(self) -> Iterable[int]:
        """What is left of the first round that isn't whole."""
        for first in range(0, self.count, ROUND):
            numbers = range(first, first + ROUND)
            if left := [number for number in numbers if number not in self.kept]:
                self._komis = dict(zip(numbers, self._next_komis(first), strict=True))
                return left
        return []

    def piece(self, number: int) -> Piece[Played]:
        """A game at the komi that its round has for it."""
        game = with_komi(self.game, self._komis[number])
        pairing = Pairing(
            number=number + 1,
            game=game.name,
            options=dict(game.options),
            seats=entrant_names((self.bot, self.bot)),
            bots=(self.bot, self.bot),
            opening=0,
            opening_plies=0,
            seed=derived_seed(self.seed, game.name, "komi", number + 1),
        )
        return Piece(f"game {number + 1}", play, (pairing,))

    def estimate(self) -> KomiEstimate:
        """What the finished games tell. Raises ValueError without any."""
        return estimated(self._observed(self.count), self._step)

    def rows(self) -> list[KomiRow]:
        """The finished games, komi by komi."""
        shares: dict[float, list[float]] = {}
        for komi, share in self._observed(self.count):
            shares.setdefault(komi, []).append(share)
        return [KomiRow(int(komi), len(won), sum(won)) for komi, won in sorted(shares.items())]

    def nearest(self, estimate: KomiEstimate) -> int:
        """The komi to name: the one that is possible and nearest to the fair one."""
        return nearest_komi(estimate.fair, self._allowed)

    def chapter(self) -> Section:
        """The fair komi, and what was won at each."""
        found, (first, second) = self.estimate(), self.game.player_names
        fair = Estimate(found.fair, found.low, found.high, found.games, found.games)
        rows = tuple(
            (Cell(str(row.komi)), Cell(f"{row.games:,}"), Cell(f"{100 * row.won / row.games:.0f} %"))
            for row in self.rows()
        )
        return Section(
            key=f"study-{self.digest:08x}",
            title=f"Fair komi in {counted(found.games)} of {player_in_words(self.bot)} with itself",
            group="studies",
            finding=f"Fair is a komi of {found.fair:.1f} ({_end(found.low)} to {_end(found.high)}). The "
            f"nearest possible is {self.nearest(found)}, which {second} gets on top of the points.",
            means=f"At this komi {first}'s share of the wins crosses one half.",
            not_means="It is fair between bots like this one: compare several.",
            numbers=(
                Number("fair komi", fair, "plain", player_in_words(self.bot)),
                Number(f"less komi that takes {first} from 50 to 73 %", _plain(found)),
            ),
            figures=(Table("What was won", ("komi", "games", f"won by {first}"), rows),),
            method="The first twenty games are spread over all komis that may be fair, later ones round the "
            "one that looks fair, where games tell most.",
        )

    def _next_komis(self, before: int) -> list[int]:
        reach = REACH * self.game.geometry.points
        return next_komis(self._observed(before), self._allowed, self._guess, reach)

    @cached_property
    def _guess(self) -> float:
        return float(fair_komi(self.game, lead_of_random_play))

    def _observed(self, before: int) -> list[tuple[float, float]]:
        """The games with smaller numbers. Forfeits say nothing of komi."""
        option = self.game.description.komi_option
        return [
            (float(one.pairing.options[option]), one.share(*one.pairing.seats))
            for number, one in self.trials
            if number < before and one.reason != "forfeit"
        ]

    @property
    def _step(self) -> float:
        return float(self._allowed[1] - self._allowed[0]) if len(self._allowed) > 1 else 1.0


def _plain(found: KomiEstimate) -> Estimate:
    """The scale, which has no interval."""
    return Estimate(found.scale, math.nan, math.nan, found.games, found.games)


def _end(value: float) -> str:
    return f"{value:.1f}".replace("-", "−") if math.isfinite(value) else "no bound"
