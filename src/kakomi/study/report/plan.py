"""Which games a report plays: samples, and how many games of each a budget allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kakomi.bots.factory import MIRROR, RANDOM
from kakomi.bots.mirror import mirror_of
from kakomi.core import Game
from kakomi.core.level_config import LEVELS
from kakomi.core.seeds import derived_seed
from kakomi.study.report.cost import CostModel, cost_model
from kakomi.study.tournament import Pairing, schedule

Kind = Literal["random", "self", "ladder", "mirror", "own"]

CORES = 2
"""A budget is a time on so many cores, however many there are: the number of games must not depend on it."""
USED = 0.7
"""The part of a budget that is planned; the rest is for compiling, for looking at games, and for doubt."""
RANDOM_SHARE = 0.05
TOP_SHARE = 0.45
NEXT_SHARE = 0.2
SELF_SHARE = 0.65
"""Of what a level gets: games with itself. The rest are games against the level below."""
TOP_GAMES = 60
"""So many games with itself has the highest level that a report looks at, at least."""
FEWEST_GAMES = 6
"""So many has level 1, where no level is cheap enough for more."""
MOST_RANDOM, MOST_SELF, MOST_LADDER = 1000, 400, 200
"""Games of a sample; more would make intervals of lower levels narrower than anybody needs."""
MIRROR_SHARE, MOST_MIRROR = 0.06, 200
MOST_TOP = 3000
FEWEST_RANDOM = 20
_PLACES = {"ladder": 20, "mirror": 40}
_NUMBERS_APART = 1_000_000


@dataclass(frozen=True)
class Sample:
    """Games of the same players, to be played or already there."""

    kind: Kind
    level: int = 0
    """Of the stronger players; 0 is random play."""
    games: int = 0

    @property
    def key(self) -> str:
        """Its name in files and addresses."""
        return self.kind if self.kind in ("random", "own") else f"{self.kind}-{self.level}"

    @property
    def title(self) -> str:
        """Who plays, as people read it."""
        match self.kind:
            case "random":
                return "random play"
            case "self":
                return f"level {self.level}"
            case "ladder":
                return f"level {self.level} against {_player(self.level - 1)}"
            case "mirror":
                return f"level {self.level} against its mirror"
            case _:
                return "these games"

    def pairings(self, game: Game, seed: int) -> list[Pairing]:
        """Its schedule. That of fewer games is the beginning of it.

        Games of a level with itself begin at the game's start: random openings are drawn to be balanced, and
        would hide what being first is worth. Those of neighbours begin with random openings, in blocks.
        """
        if not self.games:
            return []
        entrants = [str(self.level) if self.level else RANDOM] * game.players
        plies: int | None = 0
        if self.kind == "ladder":
            entrants, plies = [str(self.level), str(self.level - 1) if self.level > 1 else RANDOM], None
        if self.kind == "mirror":
            entrants = [f"{MIRROR}{self.level}", str(self.level)]
        found = schedule(
            game,
            entrants,
            self.games,
            seed=derived_seed(seed, "report", self.key),
            opening_plies=plies,
            first_number=self._place * _NUMBERS_APART + 1,
        )
        return found if self.kind == "ladder" else found[: self.games]

    @property
    def _place(self) -> int:
        return self.level + _PLACES.get(self.kind, 0)


def _player(level: int) -> str:
    return f"level {level}" if level else "random play"


@dataclass(frozen=True)
class Plan:
    """The samples of a report, and what they are thought to cost."""

    game: Game
    seed: int
    samples: tuple[Sample, ...]
    core_seconds: float
    model: CostModel

    @cached_property
    def pairings(self) -> dict[Sample, list[Pairing]]:
        """The schedule of each sample."""
        return {sample: sample.pairings(self.game, self.seed) for sample in self.samples}

    @property
    def games(self) -> int:
        """Of all samples."""
        return sum(map(len, self.pairings.values()))

    @property
    def top(self) -> int:
        """The highest level; 0 if only random play is affordable."""
        return max(sample.level for sample in self.samples)

    def in_order(self) -> list[Pairing]:
        """All games, so that every sample grows at the same pace, strong players first: a report that is
        stopped has something of all of them."""
        placed = [
            ((place + 0.5) / len(pairings), -sample.level, pairing.number, pairing)
            for sample, pairings in self.pairings.items()
            for place, pairing in enumerate(pairings)
        ]
        return [pairing for *_, pairing in sorted(placed, key=lambda entry: entry[:3])]


def plan_for(game: Game, seconds: float, seed: int, model: CostModel | None = None) -> Plan:
    """The plan for a budget in seconds on two cores. It depends on its arguments alone."""
    model = model or cost_model(game, seed)
    budget = seconds * CORES * USED
    top = _highest_level(game, model, budget)
    random = _count(RANDOM_SHARE * budget, model.random_game(), FEWEST_RANDOM, MOST_RANDOM)
    samples, left = [Sample("random", 0, random)], budget - random * model.random_game()
    if top and _can_be_mirrored(game):
        alone = _costs(game, model, top)[0]
        mirrored = _count(MIRROR_SHARE * budget, alone, 2, MOST_MIRROR) // 2 * 2
        samples.append(Sample("mirror", top, mirrored))
        left -= mirrored * alone
    for level, share in _shares(top):
        allowed = left if level == top else min(left, share * budget)
        alone, against = _costs(game, model, level)
        caps = (MOST_TOP, MOST_TOP) if level == top else (MOST_SELF, MOST_LADDER)
        own = _count(SELF_SHARE * allowed, alone, 1, caps[0])
        ladder = _blocks(game, _count((1 - SELF_SHARE) * allowed, against, 1, caps[1]))
        samples += [Sample("self", level, own), Sample("ladder", level, ladder)]
        left = max(0.0, left - own * alone - ladder * against)
    return Plan(game, seed, tuple(samples), budget - left, model)


def _can_be_mirrored(game: Game) -> bool:
    return game.players == 2 and mirror_of(game) is not None


def _shares(top: int) -> Sequence[tuple[int, float]]:
    """The levels from the lowest, and what part of the budget each may take."""
    low = max(1, top - 2)
    rest = (1 - TOP_SHARE - NEXT_SHARE - RANDOM_SHARE - MIRROR_SHARE) / low
    return [(level, NEXT_SHARE if level == top - 1 else rest) for level in range(1, top + 1)]


def _highest_level(game: Game, model: CostModel, budget: float) -> int:
    games = [
        TOP_SHARE * SELF_SHARE * budget / _costs(game, model, level)[0] for level in range(1, LEVELS + 1)
    ]
    affordable = [level for level, most in enumerate(games, 1) if most >= TOP_GAMES]
    return max(affordable, default=int(games[0] >= FEWEST_GAMES))


def _costs(game: Game, model: CostModel, level: int) -> tuple[float, float]:
    """Core-seconds of a game of a level with itself, and of one against the level below."""
    levels = game.description.levels
    alone = model.searched_game(levels[level - 1].simulations)
    below = model.searched_game(levels[level - 2].simulations) if level > 1 else model.random_game()
    return alone, (alone + below) / 2 + model.opening()


def _count(seconds: float, each: float, least: int, most: int) -> int:
    return max(least, min(most, int(seconds / each)))


def _blocks(game: Game, games: int) -> int:
    """Whole blocks, down to one: all ways to seat two entrants on one opening."""
    block = game.players * (2 if game.players % 2 else 1)
    return max(block, games // block * block)
