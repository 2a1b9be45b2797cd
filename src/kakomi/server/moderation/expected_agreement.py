"""How much a player of some rating agrees with level 10: counted by game and level, and fitted.

`agreement.json` holds the counts, [agreed, turns] of each game of each level, by board. They are measured by
`python -m benchmarks.agreement --write`. Levels and people have ratings on one scale, so a rating lies
between two levels.
"""

import json
import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kakomi import catalog
from kakomi.contest import Rating, anchor
from kakomi.core import Game
from kakomi.core.description import Description

COUNTS = Path(__file__).with_name("agreement.json")

GameCount = tuple[int, int]
"""The turns of a player's game that agree with level 10, and those that were looked at."""
Counts = Mapping[str, Sequence[GameCount]]
"""Games by level, from "1" to "10"."""


@dataclass(frozen=True)
class Share:
    """The share of turns that agree, with its standard error."""

    value: float
    error: float

    @property
    def most(self) -> float:
        """The upper end of its 95 % interval, 1 at most."""
        return min(1.0, self.value + 1.96 * self.error)


@dataclass(frozen=True)
class AgreementCurve:
    """The share of turns in which a player agrees with level 10, by rating."""

    ratings: tuple[float, ...]
    """Those of the levels, rising."""
    shares: tuple[Share, ...]
    """Those of the levels, never falling."""

    def most(self, rating: Rating) -> float:
        """The largest share that a rating may explain: at the upper end of its 95 % interval and of the
        curve's, so that an honest player who is better than known so far isn't found."""
        return _between(self.ratings, [share.most for share in self.shares], rating.high)


def board_of(game: Game) -> str:
    """A board as the counts name it: the game with its options, without komi, which people negotiate."""
    options = {name: value for name, value in game.options.items() if name != game.description.komi_option}
    return " ".join([game.name, *(f"{name}={value}" for name, value in sorted(options.items()))])


def read_counts() -> dict[str, Counts]:
    """The counts as they were measured, by board."""
    found: dict[str, Counts] = json.loads(COUNTS.read_text(encoding="utf-8"))
    return found


@cache
def measured_pools() -> frozenset[tuple[str, str]]:
    """The games and classes of boards of which some board was measured."""
    games = {board.partition(" ")[0] for board in read_counts()}
    ladders = {name: catalog.game(name, **catalog.describe(name).ladder_options) for name in games}
    classes = {name: game.description.size_class(game.options) for name, game in ladders.items()}
    return frozenset((name, size_class) for name, size_class in classes.items() if size_class)


@cache
def curve_of(board: str) -> AgreementCurve | None:
    """The curve of a board; None if it was not measured."""
    counts = read_counts().get(board)
    return None if counts is None else fitted(counts, catalog.describe(board.partition(" ")[0]))


def fitted(counts: Counts, description: Description) -> AgreementCurve:
    """The curve of the measured levels of a game: never falling, by pooled neighbours (Ayer and others:
    Annals of Mathematical Statistics 26, 1955)."""
    levels = [number for number in range(1, len(description.levels) + 1) if counts.get(str(number))]
    elos = [description.levels[number - 1].elo for number in levels]
    ratings = tuple(anchor(elo or 0, is_measured=True).mean for elo in elos)
    return AgreementCurve(ratings, tuple(_rising([counts[str(number)] for number in levels])))


def _rising(games: Sequence[Sequence[GameCount]]) -> list[Share]:
    """The share of each level; one that agrees less than the one below is counted together with it."""
    blocks: list[tuple[int, list[GameCount]]] = []
    for each in games:
        blocks.append((1, list(each)))
        while len(blocks) > 1 and _share(blocks[-2][1]).value > _share(blocks[-1][1]).value:
            (low, below), (high, above) = blocks[-2:]
            blocks[-2:] = [(low + high, below + above)]
    return [_share(block) for levels, block in blocks for _ in range(levels)]


def _share(games: Sequence[GameCount]) -> Share:
    """The share over games, whose turns hang together: so its error is that of a ratio over games."""
    agreed, turns = (sum(column) for column in zip(*games, strict=True))
    value = agreed / turns
    if len(games) < 2:
        return Share(value, 0.5)
    residuals = math.fsum((one - value * of) ** 2 for one, of in games)
    return Share(value, math.sqrt(residuals * len(games) / (len(games) - 1)) / turns)


def _between(places: Sequence[float], values: Sequence[float], at: float) -> float:
    """A value between those that are known, on a straight line; beyond them the last one."""
    number = bisect_left(places, at)
    if number == 0 or number == len(places):
        return values[min(number, len(places) - 1)]
    low, high = places[number - 1], places[number]
    part = (at - low) / (high - low)
    return values[number - 1] * (1 - part) + values[number] * part
