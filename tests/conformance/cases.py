"""The games and options to test, and random games of them."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import pytest

import kakomi
import sampling
from kakomi import Game, Position
from kakomi.catalog import describe
from kakomi.core.option import resolve
from kakomi.kernel import Mode, use_mode
from sampling import is_compiled, sample

T = TypeVar("T")


@dataclass(frozen=True)
class Case:
    """A game with its options, by name only, so that collecting tests doesn't compile anything."""

    name: str
    options: tuple[tuple[str, int], ...]

    @property
    def game(self) -> Game:
        return kakomi.game(self.name, **dict(self.options))

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{name}={value}" for name, value in self.options)])


def extremes(name: str) -> Iterator[dict[str, int]]:
    """The lowest and highest value of every option, with the other options as for quick games."""
    description = describe(name)
    quick = resolve(name, description.options, description.quick)
    earlier: dict[str, int] = {}
    for option in description.options:
        allowed = option.allowed_given(earlier)
        for value in (allowed[0], allowed[-1]):
            yield earlier | {option.name: value}
        earlier[option.name] = quick[option.name]


def cases_of(name: str) -> list[Case]:
    description = describe(name)
    chosen = [dict(description.quick), {}, *extremes(name)]
    resolved = [resolve(name, description.options, options) for options in chosen]
    return list(dict.fromkeys(Case(name, tuple(options.items())) for options in resolved))


QUICK = [cases_of(name)[0] for name in kakomi.names()]
"""A board for short games of every game."""
ALL = [case for name in kakomi.names() for case in cases_of(name)]
"""Every game with quick, default and extreme options."""

quick_cases = pytest.mark.parametrize("case", QUICK, ids=str)
all_cases = pytest.mark.parametrize(
    "case", [*QUICK, *sample([case for case in ALL if case not in QUICK], 4, "conformance")], ids=str
)

compiled_cases = pytest.mark.parametrize("case", [case for case in QUICK if is_compiled(case.name)], ids=str)
learning_cases = pytest.mark.parametrize("case", ALL if sampling.ALL else QUICK, ids=str)


@contextmanager
def economical(case: Case) -> Iterator[None]:
    """Use compiled code for one game and interpreted code for the others, for drivers that play doesn't
    need."""
    with use_mode(Mode.COMPILED if is_compiled(case.name) else Mode.INTERPRETED):
        yield


@cache
def random_game(case: Case, seed: int = 1) -> tuple[Position, ...]:
    """All positions of a random game, from the start to its end or cut-off."""
    game, chance = case.game, random.Random(f"{case} {seed}")
    positions = [game.start()]
    while not positions[-1].is_over and positions[-1].ply != game.cut_off:
        positions.append(positions[-1].play_action(chance.choice(positions[-1].legal_actions())))
    return tuple(positions)


def actions_of(positions: Sequence[Position]) -> list[int]:
    """The actions that lead from each position to the next."""
    return [after.turn[-1] if after.turn else after.previous_turn[-1] for after in positions[1:]]


def some(positions: Sequence[T], count: int) -> Sequence[T]:
    """Up to `count` evenly spread items, including the first and the last."""
    if len(positions) <= count:
        return positions
    return [positions[i * (len(positions) - 1) // (count - 1)] for i in range(count)]


def observed(position: Position) -> tuple[object, ...]:
    """Everything about a position that is visible through the rules."""
    return (
        position.to_move,
        position.is_over,
        position.stones(),
        position.legal_actions(),
        position.scores(),
        position.key(),
        hash(position),
    )
