"""Artificial games for tests of statistics."""

import numpy as np

import kakomi
from kakomi.core import Game
from kakomi.study.report.plan import Sample
from kakomi.study.report.study import Study
from kakomi.study.report.trace import GameId, Trace

RIN = kakomi.game("rin", size=4)
THREE = kakomi.game("rings", size=2, players=3)


def trace(
    chances: list[tuple[float, ...]],
    shares: tuple[float, ...],
    *,
    number: int = 1,
    block: str = "",
    movers: list[int] | None = None,
    scores: list[tuple[float, ...]] | None = None,
    actions: tuple[int, ...] | None = None,
    branching: int = 10,
    seats: tuple[str, ...] = (),
    sample: str = "self-1",
    ending: str = "rules",
    opening: int = 0,
    turns: list[int] | None = None,
) -> Trace:
    """A game with these expectations of searches before each action. Players act in turn by default."""
    plies, players = len(chances), len(shares)
    return Trace(
        id=GameId(sample, number),
        block=block or str(number),
        seats=seats or tuple(map(str, range(players))),
        opening=opening,
        actions=actions if actions is not None else tuple(range(plies)),
        movers=np.array(movers or [ply % players for ply in range(plies)]),
        branching=np.full(plies, branching),
        turns=np.array(turns if turns is not None else list(range(plies))),
        scores=np.array(scores or [(0.0,) * players] * (plies + 1), float),
        chances=np.array([*chances, shares], float),
        shares=shares,
        ending=ending,
        covered=0.5,
        final_stones={},
        owners={},
        position="",
        hashes=np.arange(plies + 1, dtype=np.uint64),
    )


def study(games: list[Trace], game: Game = RIN, *more: tuple[Sample, list[Trace]]) -> Study:
    """A study of games of level 1 and of other samples."""
    return Study(game, 1, {Sample("self", 1, len(games)): games, **dict(more)})
