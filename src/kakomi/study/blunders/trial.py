"""One game, the critical positions in it, and what bots do there."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.core.seeds import derived_seed
from kakomi.study.blunders.critical import CriticalPosition, examined
from kakomi.study.puzzles.sources import self_play


class Asked(Struct, frozen=True):
    """A critical position, and how often bots threw something away there."""

    left: int
    """Actions that the game still had."""
    best: int
    """What could be kept: 1 for a win, 0 for a draw."""
    chance: float
    """The share of legal actions that throw it away."""
    thrown: dict[str, int]
    """For each bot, how often it did."""
    before: tuple[str, ...]
    """The actions that lead to the position from the start."""


class GameTrial(Struct, frozen=True):
    """A game with its critical positions; `number` and the seed of the study say which."""

    number: int
    actions: int
    positions: int
    """Positions that were solved, from the end backwards."""
    is_cut_short: bool
    asked: tuple[Asked, ...]


def try_game(
    name: str,
    options: Mapping[str, Any],
    number: int,
    player: str,
    bots: Sequence[str],
    tries: int,
    most: int,
    budget: int,
    *,
    seed: int,
) -> GameTrial:
    """Let a bot play a game with itself, and ask all bots in its critical positions, `tries` times each.

    The last `most` positions are looked at, as far as the solver comes with `budget` positions. The same
    arguments give the same trial.
    """
    game = catalog.game(name, **options)
    line = list(self_play(game, player, seed))
    if not line[-1].is_over:  # an endless one was left, and nothing is found in it
        return GameTrial(number, len(line) - 1, 0, True, ())
    found = examined(line, most, budget)
    asked = tuple(_asked(critical, bots, tries, seed) for critical in found.critical)
    return GameTrial(number, len(line) - 1, found.positions, found.is_cut_short, asked)


def _asked(critical: CriticalPosition, bots: Sequence[str], tries: int, seed: int) -> Asked:
    texts = critical.position.game.action_texts
    return Asked(
        left=critical.left,
        best=max(critical.results.values()),
        chance=critical.chance,
        thrown={bot: _thrown(critical, bot, tries, seed) for bot in bots},
        before=tuple(texts[action] for action in critical.position.played()),
    )


def _thrown(critical: CriticalPosition, bot: str, tries: int, seed: int) -> int:
    """How often a bot throws something away; every try has a seed of its own, and no memory of the game."""
    seeds = (derived_seed(seed, bot, critical.left, number) for number in range(tries))
    chosen = (make_bot(bot, seed=own).choose(critical.position) for own in seeds)
    return sum(map(critical.throws_away, chosen))
