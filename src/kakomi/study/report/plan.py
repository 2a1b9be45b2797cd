"""What a report plays: a budget of time, what games cost, and how many of each sample it allows.

A budget is a time, and equal seeds shall give equal reports. So nothing is timed: a game of weak bots tells
how many actions a game has and how many a simulation plays, and constants turn both into seconds. The
constants are upper bounds for the boards that `python -m benchmarks.report_cost` measures."""

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
from kakomi.study.tournament import Pairing, schedule

_SECONDS = {"s": 1, "m": 60, "h": 3600}
LEAST, MOST = 1, 30 * 24 * 3600
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)([smh])")


def parse_budget(text: str) -> float:
    """The seconds of `90s`, `10m` or `2h`. Raises ValueError, saying what would be right."""
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
"""Of a simulation, whatever its length."""
STEP_SECONDS = 0.25e-6
"""Of an action that a simulation plays, in the tree or in its playout."""
ACTION_SECONDS = 0.5e-3
"""Of an action that a bot plays, beside its simulations, and of looking at it in the end."""
RANDOM_ACTION_SECONDS = 0.12e-3
"""Of an action of a random game, looked at in the end."""
OPENING_PLAYOUTS = 26
"""Random games by which an opening is tried."""
OPENING_ACTION_SECONDS = 0.03e-3
PILOT_SIMULATIONS = 20
RANDOM_GAMES = 20


@dataclass(frozen=True)
class CostModel:
    """What one game tells of all others of a game and its options."""

    actions: float
    """Of a game between weak bots."""
    steps: float
    """Actions that a simulation plays."""
    random_actions: float
    """Of a random game."""

    def simulation(self) -> float:
        """Core-seconds of a simulation."""
        return SIMULATION_SECONDS + STEP_SECONDS * self.steps

    def searched_game(self, simulations: float) -> float:
        """Core-seconds of a game whose bots search so many simulations an action."""
        return self.actions * (simulations * self.simulation() + ACTION_SECONDS)

    def opening(self) -> float:
        """Core-seconds of drawing a random opening."""
        return OPENING_PLAYOUTS * self.random_actions * OPENING_ACTION_SECONDS

    def random_game(self) -> float:
        """Core-seconds of a random game."""
        return self.random_actions * RANDOM_ACTION_SECONDS


def cost_model(game: Game, seed: int = 1) -> CostModel:
    """The model of a game and its options; it depends on nothing but these and the seed."""
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
