"""The swap: after the first turn the second player may take over its stones, by no game's rule (RULES V7)."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from kakomi.core import Game, Position
from kakomi.core.returns import chance_of
from kakomi.search import Search
from kakomi.study.openings.classes import TurnClasses
from kakomi.study.tournament import Played

SIMULATIONS = 5_000
"""Of the search that looks for the most even first turn, for each of them."""
MOST_TURNS = 400
"""Of more first turns none is looked for: turns of several actions would take for ever."""


@dataclass(frozen=True)
class Decision:
    """What a second player who may swap does in a game."""

    swaps: bool
    becomes: int
    """Whose part they play from then on."""


def decide(played: Played) -> Decision | None:
    """Whether the second player would take over the first turn: if their search expects less than a half from
    the best answer. None where nothing was searched, or the game ended before."""
    position = start_of(played)
    first, ply = 0, 0
    while not position.is_over and position.to_move == first and ply < len(played.actions):
        position = position.play(played.actions[ply])
        ply += 1
    if played.chances is msgspec.UNSET or ply >= len(played.chances):
        return None
    chances = played.chances[ply]
    if chances is None:
        return None
    second = 1 - first
    swaps = chances[second] < 0.5
    return Decision(swaps, first if swaps else second)


def start_of(played: Played) -> Position:
    """The first position of a game."""
    game, text = played.pairing.found_game, played.pairing.position
    return game.position(text) if text else game.start()


def first_turns(game: Game) -> list[Position]:
    """The positions after each first turn; of those that a symmetry of the board makes alike there is one.

    Raises ValueError if there are more than `MOST_TURNS`.
    """
    classes = TurnClasses(game)
    if classes.all is None or len(classes.all) > MOST_TURNS:
        raise ValueError(
            f"{game.name} has more than {MOST_TURNS} first turns: the most even is not looked for"
        )
    return [classes.after(one.turn) for one in classes.all]


def most_even_turn(
    game: Game,
    seed: int,
    simulations: int = SIMULATIONS,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Position:
    """The position after the first turn that leaves both sides most alike, as a search of so many simulations
    sees each of them.

    `tell` is called with the number of turns that were looked at, and of all. Raises ValueError as
    `first_turns`.
    """
    turns = [position for position in first_turns(game) if not position.is_over]
    lopsided = []
    for place, position in enumerate(turns):
        returns = Search(game, seed=seed).run(position, simulations=simulations).returns
        lopsided.append(abs(chance_of(returns[0], game.players) - 0.5))
        tell(place + 1, len(turns))
    return turns[lopsided.index(min(lopsided))]
