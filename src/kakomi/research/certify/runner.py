"""Every check, one after the other."""

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
"""Goes over the positions of random games up to the first fault. Its name and the first line of its docstring
are what reports show."""

Tell = Callable[[float, str], None]
"""Called with the part done, from 0 to 1, and a word about what is next."""

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
    """Put a game through everything that a game has to do, on random games; faults are told, not raised.

    It can't know what the rules ought to be: what is another rule, and not a contradiction, only a
    `reference` finds, a function that begins a game of another implementation. Without `compiled` nothing is
    compiled, and the compiled modes aren't compared. `tell` is called with the part done and what is next.
    Raises ValueError for fewer than one game.
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
    except Exception as error:  # whatever rules do that have a fault
        fault = inspection.fault(error)
    return Checked(inspection.name, claim, inspection.count, fault)
