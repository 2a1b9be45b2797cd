"""The fair komi of a board, from rounds of games of a bot against itself at several komis (docs/komi.md). It
is where the first player's share of the win crosses one half.

The share falls with komi as a logistic curve, 1 / (1 + exp((komi - fair) / scale)). Both numbers are fitted
by maximum likelihood; the interval is that of the profile likelihood, in which the scale is free.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kakomi.bots.komi import fair_komi, lead_of_random_play, with_komi
from kakomi.core import Game
from kakomi.core.known_results import nearest_komi
from kakomi.core.option import Options
from kakomi.core.seeds import derived_seed
from kakomi.farm import Piece
from kakomi.study.matches import Pairing, Played, check_entrant, entrant_names, play
from kakomi.study.report.content import Cell, Number, Section, Table, counted, player_in_words
from kakomi.study.report.estimates import LEVEL, Estimate, student
from kakomi.study.trials import Study

Observations = Sequence[tuple[float, float]]
"""Each game's komi, and the first player's share of the win: 1, 0, or ½ for a draw."""

FAIRS = 241
SCALES = 120
NARROWEST = 0.02
"""The smallest scale tried, in steps between komis: practically a sharp edge."""
GAMES_A_DEGREE = 10
"""The number of games per degree of freedom of Student's distribution. Choosing komis by the results of
earlier games makes plain intervals a little too narrow: those from 200 games covered the true value in 92.6 %
of 1,000 simulations on a wide curve (`benchmarks.komi_coverage`)."""
ALIKE = 0.005
"""Log-likelihoods that differ by less count as equal: the estimate is the middle of the likeliest komis."""


@dataclass(frozen=True)
class KomiEstimate:
    """The fair komi of a board between equal players, with its 95 % interval.

    An end of the interval is infinite if the games don't bound it.
    """

    fair: float
    low: float
    high: float
    scale: float
    """The decrease in komi that raises the first player's share from 50 to 73 %; near 0 for a sharp edge."""
    games: int

    @property
    def error(self) -> float:
        """The standard error of a normal estimate with the same interval width."""
        return (self.high - self.low) / (2 * student(LEVEL, 10**9))

    def share(self, komi: float) -> float:
        """The first player's share of the win at a komi."""
        return float(np.exp(-np.logaddexp(0.0, (komi - self.fair) / self.scale)))


def estimated(
    observed: Observations, step: float, *, drop: float | None = None, tried: int = SCALES
) -> KomiEstimate:
    """The estimate from games between equals at komis `step` apart. Raises ValueError without games.
    `drop` is how far below its maximum the log-likelihood is at the interval's ends. The default gives
    Student's 95 % interval with one degree of freedom per `GAMES_A_DEGREE` games. `tried` is the number of
    scales tried.
    """
    if not observed:
        raise ValueError("there is no game to tell a fair komi from")
    fall = student(LEVEL, max(2, len(observed) / GAMES_A_DEGREE)) ** 2 / 2 if drop is None else drop
    komis, counts, won = _counted(observed)
    span = max(float(komis[-1] - komis[0]), 4 * step)
    scales = np.geomspace(NARROWEST * step, 2 * span, tried)
    first, last = float(komis[0]) - span, float(komis[-1]) + span
    fairs = np.linspace(first, last, FAIRS)
    inside = _within(_profile(fairs, scales, komis, counts, won)[0], fall)
    width = fairs[1] - fairs[0]
    finer = np.linspace(fairs[inside[0]] - width, fairs[inside[-1]] + width, FAIRS)
    profile, best_scales = _profile(finer, scales, komis, counts, won)
    near, likeliest = _within(profile, fall), _within(profile, ALIKE)
    middle = round((likeliest[0] + likeliest[-1]) / 2)
    return KomiEstimate(
        fair=float(finer[middle]),
        low=-math.inf if inside[0] == 0 else float(finer[near[0]]),
        high=math.inf if inside[-1] == FAIRS - 1 else float(finer[near[-1]]),
        scale=float(best_scales[middle]),
        games=len(observed),
    )


def _counted(observed: Observations) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct komis in order, the number of games at each, and the first player's wins there."""
    played = np.array([komi for komi, _ in observed], float)
    komis, places = np.unique(played, return_inverse=True)
    shares = np.array([share for _, share in observed], float)
    return komis, np.bincount(places).astype(float), np.bincount(places, weights=shares)


def _profile(
    fairs: np.ndarray, scales: np.ndarray, komis: np.ndarray, counts: np.ndarray, won: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each fair komi: the largest log-likelihood over all scales, and the scale that attains it."""
    logits = (komis - fairs[:, None, None]) / scales[None, :, None]
    log_likelihood = ((counts - won) * logits - counts * np.logaddexp(0.0, logits)).sum(axis=2)
    return log_likelihood.max(axis=1), scales[log_likelihood.argmax(axis=1)]


def _within(profile: np.ndarray, fall: float) -> np.ndarray:
    """The indices at which the log-likelihood is at most `fall` below its maximum."""
    places: np.ndarray = np.flatnonzero(profile >= profile.max() - fall)
    return places


ROUND = 20
"""Games in a round; results are evaluated between rounds."""
REACH = 1 / 8
"""How far from the first guess to look for a fair komi, as a fraction of the points on the board."""
SPREAD = 1.1
"""How far to either side komis are spread, in scales: to where the first player wins 3/4 and 1/4."""
ONE_ERROR = 0.5
"""The drop of the log-likelihood at one standard error."""
ROUGHLY = 30
"""The number of scales tried: enough for choosing komis."""


def next_komis(
    observed: Observations, allowed: Sequence[int], guess: float, reach: float, games: int = ROUND
) -> list[int]:
    """Choose the komis of the next games from `allowed`, which is sorted, given the results so far.

    The search for the fair komi begins within `reach` points of `guess`.
    """
    imaginary = [(guess - reach, 1.0), (guess + reach, 0.0)]
    step = float(allowed[1] - allowed[0]) if len(allowed) > 1 else 1.0
    found = estimated([*observed, *imaginary], step, drop=ONE_ERROR, tried=ROUGHLY)
    low = max(min(found.low, found.fair - SPREAD * found.scale), guess - 4 * reach)
    high = min(max(found.high, found.fair + SPREAD * found.scale), guess + 4 * reach)
    if not observed:
        low, high = guess - reach, guess + reach
    targets = [low + (high - low) * (place + 0.5) / games for place in range(games)]
    return [_beside(target, allowed, place % 2 == 0) for place, target in enumerate(targets)]


def _beside(target: float, allowed: Sequence[int], below: bool) -> int:
    """The nearest allowed komi on one side: both sides of a step need games."""
    place = bisect_right(allowed, target) - 1 if below else bisect_left(allowed, target)
    return allowed[min(len(allowed) - 1, max(0, place))]


@dataclass(frozen=True)
class KomiRow:
    """The games at one komi."""

    komi: int
    games: int
    won: float
    """The first player's wins; a draw counts as half a win."""


class KomiStudy(Study[Played]):
    """The fair komi of a board between equals, from whole rounds of `ROUND` games.

    The komis of a round depend only on the rounds before it, so they are the same on any number of cores.
    Games begin at the start, because random openings would hide the value of moving first. Raises ValueError
    if the game has no komi, or if the bot doesn't exist or can't play the game.
    """

    name, noun, kind = "komi", "game", Played

    def __init__(self, game: Game, count: int = 400, seed: int = 1, *, bot: str = "5") -> None:
        self._allowed = sorted(game.description.komi.allowed_given(game.options))
        check_entrant(bot, game)
        super().__init__(with_komi(game, self._allowed[0]), -(-count // ROUND) * ROUND, seed)
        self.bot = bot
        self._komis: dict[int, int] = {}
        """Game number → komi, for the current round."""

    @property
    def terms(self) -> Mapping[str, Any]:
        """The bot, and the number of games in a round."""
        return {"bot": self.bot, "round": ROUND}

    @property
    def options(self) -> Options:
        """The board: all of the game's options but komi."""
        return self.game.description.without_komi(self.game.options)

    @property
    def bots(self) -> Sequence[str]:
        """The bot that plays against itself."""
        return (self.bot,)

    def due(self) -> Iterable[int]:
        """The missing games of the first incomplete round."""
        for first in range(0, self.count, ROUND):
            numbers = range(first, first + ROUND)
            if left := [number for number in numbers if number not in self.kept]:
                self._komis = dict(zip(numbers, self._next_komis(first), strict=True))
                return left
        return []

    def piece(self, number: int) -> Piece[Played]:
        """The work of playing one game at the komi chosen for it."""
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
        """The estimate from the finished games. Raises ValueError if there are none."""
        return estimated(self._observed(self.count), self._step)

    def rows(self) -> list[KomiRow]:
        """The finished games grouped by komi."""
        shares: dict[float, list[float]] = {}
        for komi, share in self._observed(self.count):
            shares.setdefault(komi, []).append(share)
        return [KomiRow(int(komi), len(won), sum(won)) for komi, won in sorted(shares.items())]

    def nearest(self, estimate: KomiEstimate) -> int:
        """The allowed komi nearest to the fair one."""
        return nearest_komi(estimate.fair, self._allowed)

    def chapter(self) -> Section:
        """The fair komi, and the results at each komi, as a report section."""
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
        """The games with smaller numbers, without forfeits, which say nothing about komi."""
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
    """The scale as an estimate without an interval."""
    return Estimate(found.scale, math.nan, math.nan, found.games, found.games)


def _end(value: float) -> str:
    return f"{value:.1f}".replace("-", "−") if math.isfinite(value) else "no bound"
