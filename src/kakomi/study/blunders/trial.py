"""One game, the decisions in it, and what bots do there."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.study.blunders.decisions import Decision, examined

MOST_ACTIONS = 5_000
"""Of a game: an endless one is left then, and nothing is found in it."""


class Asked(Struct, frozen=True):
    """A decision, and how often bots threw something away there."""

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
    """A game with its decisions; `number` and the seed of the study say which."""

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
    """Let a bot play a game with itself, and ask all bots at its decisions, `tries` times each.

    The last `most` positions are looked at, as far as the solver comes with `budget` positions. The same
    arguments give the same trial.
    """
    game = catalog.game(name, **options)
    line = _played(game, player, seed)
    if not line[-1].is_over:
        return GameTrial(number, len(line) - 1, 0, True, ())
    found = examined(line, most, budget)
    asked = tuple(_asked(decision, bots, tries, seed) for decision in found.decisions)
    return GameTrial(number, len(line) - 1, found.positions, found.is_cut_short, asked)


def _played(game: Game, player: str, seed: int) -> list[Position]:
    """All positions of a game of a bot with itself."""
    bot, line = make_bot(player, seed=seed), [game.start()]
    while not line[-1].is_over and len(line) <= MOST_ACTIONS:
        line.append(line[-1].play_action(bot.choose(line[-1])))
    return line


def _asked(decision: Decision, bots: Sequence[str], tries: int, seed: int) -> Asked:
    texts = decision.position.game.action_texts
    return Asked(
        left=decision.left,
        best=max(decision.results.values()),
        chance=decision.chance,
        thrown={bot: _thrown(decision, bot, tries, seed) for bot in bots},
        before=tuple(texts[action] for action in decision.position.played()),
    )


def _thrown(decision: Decision, bot: str, tries: int, seed: int) -> int:
    """How often a bot throws something away; every try has a seed of its own, and no memory of the game."""
    seeds = (derived_seed(seed, bot, decision.left, number) for number in range(tries))
    chosen = (make_bot(bot, seed=own).choose(decision.position) for own in seeds)
    return sum(map(decision.throws_away, chosen))
