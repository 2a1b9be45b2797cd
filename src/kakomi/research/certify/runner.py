"""Run all checks of a game."""

from collections.abc import Callable, Iterator

from kakomi.core import Game
from kakomi.kernel import Mode, use_mode
from kakomi.research.certify.equivalence import (
    Reference,
    compared_with,
    environment,
    masks,
    modes,
    orders,
    planes,
    sampling,
    views,
)
from kakomi.research.certify.invariance import (
    arranging,
    copies,
    notation,
    players,
    queries,
    recording,
    refusals,
    restoring,
    spellings,
    symmetries,
)
from kakomi.research.certify.random_games import Inspection, random_game
from kakomi.research.certify.report import Checked, Report
from kakomi.research.certify.rule_checks import (
    drawings,
    endings,
    kinds,
    listing,
    offers,
    requirements,
    running,
    turns,
    words,
)

Check = Callable[[Inspection], None]
"""Checks the positions of random games up to the first fault. Reports show its name and the first line of its
docstring."""

Tell = Callable[[float, str], None]
"""Called with the fraction done, from 0 to 1, and the name of the next step."""

CHECKS: tuple[Check, ...] = (
    requirements,
    running,
    listing,
    kinds,
    turns,
    endings,
    refusals,
    queries,
    masks,
    sampling,
    views,
    planes,
    copies,
    restoring,
    arranging,
    orders,
    symmetries,
    players,
    spellings,
    notation,
    recording,
    environment,
    words,
    drawings,
    offers,
)
"""The checks, in order: basic ones first, because others rely on them. All of them run interpreted."""


def certify(
    game: Game,
    *,
    games: int = 3,
    seed: int = 0,
    reference: Callable[[], Reference] | None = None,
    compiled: bool = True,
    tell: Tell = lambda part, what: None,
) -> Report:
    """Check on random games that a game does everything that a game must do; faults are reported, not raised.

    It can't know what the rules should be. Only comparison with a `reference`, a function that starts a game
    of another implementation, finds rules that are wrong but consistent. Without `compiled`, nothing is
    compiled, and the compiled modes aren't compared. `tell` is called with the fraction done and the next
    step. Raises ValueError if `games` is less than 1.
    """
    if games < 1:
        raise ValueError(f"games is {games}; there has to be at least one")
    checks = [*CHECKS, *([modes] if compiled else []), *([compared_with(reference)] if reference else [])]
    return Report(game, games, seed, tuple(_made(game, checks, games, seed, tell)))


def _made(game: Game, checks: list[Check], games: int, seed: int, tell: Tell) -> Iterator[Checked]:
    with use_mode(Mode.INTERPRETED):
        tell(0.0, "playing")
        played = [random_game(game, f"{seed} {i}") for i in range(games)]
        for number, check in enumerate(checks, 1):
            tell(number / (len(checks) + 1), check.__name__)
            yield _outcome(check, Inspection(check.__name__, game, played))


def _outcome(check: Check, inspection: Inspection) -> Checked:
    claim = (check.__doc__ or "").strip().splitlines()[0]
    fault = None
    try:
        check(inspection)
    except Exception as error:  # faulty rules may raise anything
        fault = inspection.fault(error)
    return Checked(inspection.name, claim, inspection.count, fault)
