"""The plan of a report: how many games of each sample fit into a time budget.

Equal seeds must give equal reports, so costs aren't timed: one game of weak bots gives the number of actions
in a game and in a simulation, and constants convert both into seconds. The constants are upper bounds for the
boards that `python -m benchmarks.report_cost` measures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kakomi.bots.factory import MIRROR, RANDOM
from kakomi.bots.mirror import mirror_of
from kakomi.core import Game
from kakomi.core.level_config import LEVELS
from kakomi.core.seeds import derived_seed
from kakomi.search import Search
from kakomi.search.playout import Playouts
from kakomi.study.matches import Pairing, schedule

_SECONDS = {"s": 1, "m": 60, "h": 3600}
LEAST, MOST = 1, 30 * 24 * 3600
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)([smh])")


def parse_budget(text: str) -> float:
    """The seconds of `90s`, `10m` or `2h`. Raises ValueError with the valid form otherwise."""
    found = _WRITTEN.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not LEAST <= seconds <= MOST:
        raise ValueError(
            f"a budget looks like 90s, 10m or 2h, from a second to 30 days, and not like {text!r}"
        )
    return seconds


def budget_in_words(seconds: float) -> str:
    """A budget as `parse_budget` reads it, to the second, minute or tenth of an hour."""
    if seconds < 120:
        return f"{seconds:.0f}s"
    return f"{seconds / 60:.0f}m" if seconds < 7200 else f"{seconds / 3600:.1f}h".replace(".0h", "h")


SIMULATION_SECONDS = 6e-6
"""The cost of a simulation, apart from its actions."""
STEP_SECONDS = 0.25e-6
"""The cost of an action that a simulation plays, in the tree or in its playout."""
ACTION_SECONDS = 0.5e-3
"""The cost of an action that a bot plays, apart from its simulations, and of its later evaluation."""
RANDOM_ACTION_SECONDS = 0.12e-3
"""The cost of an action of a random game, including its later evaluation."""
OPENING_PLAYOUTS = 26
"""The number of random games that test whether an opening is balanced."""
OPENING_ACTION_SECONDS = 0.03e-3
PILOT_SIMULATIONS = 20
RANDOM_GAMES = 20


@dataclass(frozen=True)
class CostModel:
    """The costs of playing a game with its options, estimated from one game."""

    actions: float
    """The number of actions in a game between weak bots."""
    steps: float
    """The mean number of actions that a simulation plays."""
    random_actions: float
    """The mean number of actions in a random game."""

    def simulation(self) -> float:
        """Core-seconds of a simulation."""
        return SIMULATION_SECONDS + STEP_SECONDS * self.steps

    def searched_game(self, simulations: float) -> float:
        """Core-seconds of a game whose bots run `simulations` for each action."""
        return self.actions * (simulations * self.simulation() + ACTION_SECONDS)

    def opening(self) -> float:
        """Core-seconds of drawing a random opening."""
        return OPENING_PLAYOUTS * self.random_actions * OPENING_ACTION_SECONDS

    def random_game(self) -> float:
        """Core-seconds of a random game."""
        return self.random_actions * RANDOM_ACTION_SECONDS


def cost_model(game: Game, seed: int = 1) -> CostModel:
    """The cost model of a game with its options; it depends only on these and the seed."""
    actions, steps = _pilot(game, derived_seed(seed, "pilot"))
    playouts = Playouts(game, derived_seed(seed, "pilot"))
    return CostModel(actions, steps, playouts.run(RANDOM_GAMES) / RANDOM_GAMES)


def _pilot(game: Game, seed: int) -> tuple[int, float]:
    """The actions of a game of weak searches, and the actions that each of their simulations played."""
    searches = [Search(game, seed=seed + player, memory_mb=32) for player in range(game.players)]
    position, simulations, steps = game.start(), 0, 0
    while not position.is_over and (game.cut_off is None or position.ply < game.cut_off):
        legal = position.legal_actions()
        if len(legal) == 1:
            position = position.play_action(legal[0])
            continue
        report = searches[position.to_move].run(position, simulations=PILOT_SIMULATIONS)
        simulations, steps = simulations + report.simulations, steps + report.plies
        position = position.play_action(report.action)
    return position.ply, steps / max(1, simulations)


Kind = Literal["random", "self", "ladder", "mirror", "own"]

CORES = 2
"""Budgets assume this many cores, so that the number of games doesn't depend on the machine."""
USED = 0.7
"""The fraction of a budget to plan for; the rest is for compilation, evaluation and errors of the model."""
RANDOM_SHARE = 0.05
TOP_SHARE = 0.45
NEXT_SHARE = 0.2
SELF_SHARE = 0.65
"""The fraction of a level's budget for games against itself; the rest is for the level below."""
TOP_GAMES = 60
"""The number of games against itself that a level needs to be a report's highest level."""
FEWEST_GAMES = 6
"""The number of games that level 1 needs, if no level is cheap enough for `TOP_GAMES`."""
MOST_RANDOM, MOST_SELF, MOST_LADDER = 1000, 400, 200
"""The most games of a sample; more would make the intervals of lower levels needlessly narrow."""
MIRROR_SHARE, MOST_MIRROR = 0.06, 200
MOST_TOP = 3000
FEWEST_RANDOM = 20
_PLACES = {"ladder": 20, "mirror": 40}
_NUMBERS_APART = 1_000_000


@dataclass(frozen=True)
class Sample:
    """A group of games between the same players, to be played or already recorded."""

    kind: Kind
    level: int = 0
    """The level of the stronger player; 0 is random play."""
    games: int = 0

    @property
    def key(self) -> str:
        """Its name in files and URLs."""
        return self.kind if self.kind in ("random", "own") else f"{self.kind}-{self.level}"

    @property
    def title(self) -> str:
        """The players, for readers."""
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
        """Its schedule; the schedule of a smaller sample is a prefix of it.

        Games of a level against itself begin at the game's start: random openings are selected to be
        balanced, which would hide the value of moving first. Games between neighbouring levels begin with
        random openings, in blocks.
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
    """The samples of a report, and their estimated cost."""

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
        """The number of games in all samples."""
        return sum(map(len, self.pairings.values()))

    @property
    def top(self) -> int:
        """The highest level; 0 if only random play is affordable."""
        return max(sample.level for sample in self.samples)

    def in_order(self) -> list[Pairing]:
        """All games, ordered so that all samples grow at the same rate, strong players first: a report that
        is stopped early has games of every sample."""
        placed = [
            ((place + 0.5) / len(pairings), -sample.level, pairing.number, pairing)
            for sample, pairings in self.pairings.items()
            for place, pairing in enumerate(pairings)
        ]
        return [pairing for *_, pairing in sorted(placed, key=lambda entry: entry[:3])]


def plan_for(game: Game, seconds: float, seed: int, model: CostModel | None = None) -> Plan:
    """The plan for a budget in seconds on `CORES` cores, which depends only on the arguments."""
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
    """The levels from the lowest up, and the fraction of the budget that each may use."""
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
    """Round down to whole blocks, at least one: a block is all seatings of two entrants on one opening."""
    block = game.players * (2 if game.players % 2 else 1)
    return max(block, games // block * block)
