"""Traces of finished games: one pass over a game collects all that statistics need."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from kakomi.core import Game, Position
from kakomi.kernel.records import EMPTY
from kakomi.study.matches import Played

Ending = Literal["rules", "counted", "forfeit", "resignation", "time", "agreement"]


@dataclass(frozen=True)
class GameId:
    """A game's identity: its sample's key, and its number there."""

    sample: str
    number: int

    def __str__(self) -> str:
        return f"{self.sample}-{self.number}"


@dataclass(frozen=True, eq=False)
class Trace:
    """The data of a game for statistics. Arrays have one entry per action, unless stated otherwise."""

    id: GameId
    block: str
    """Games of the same block aren't independent of each other."""
    seats: tuple[str, ...]
    """The entrant in each seat."""
    opening: int
    """The number of random actions before the players began."""
    actions: tuple[int, ...]
    movers: np.ndarray
    branching: np.ndarray
    """The number of legal actions."""
    turns: np.ndarray
    """The number of the turn that each action belongs to, counted from 0."""
    scores: np.ndarray
    """Each player's score before every action, and at the end: shape (actions + 1, players)."""
    chances: np.ndarray
    """Each player's expected share of the win before every action, from the mover's search, and the result at
    the end: shape (actions + 1, players). NaN in the opening and where there is no search."""
    shares: tuple[float, ...]
    """Each player's share of the win."""
    ending: Ending
    covered: float
    """The fraction of the board's points that ever held a stone."""
    final_stones: dict[str, int] = field(repr=False)
    owners: dict[str, int] = field(repr=False)
    """The final owner of each point and cell that has one."""
    position: str
    """Where it began, as `str(position)`; empty for the game's start."""
    hashes: np.ndarray = field(repr=False)
    """A hash of each position, including the first; 61 bits, so collisions are practically impossible."""

    @property
    def plies(self) -> int:
        return len(self.actions)

    @property
    def played(self) -> int:
        """The number of actions that the players chose."""
        return self.plies - self.opening

    @property
    def repeated(self) -> int:
        """The number of positions that had occurred before in the same game."""
        return len(self.hashes) - len(np.unique(self.hashes))

    def position_at(self, game: Game, ply: int) -> Position:
        """The position before an action."""
        position = game.position(self.position) if self.position else game.start()
        for action in self.actions[:ply]:
            position = position.play_action(action)
        return position

    def at(self, part: float) -> int:
        """The number of the action at a fraction `part` of the players' actions; the end of the game at 1."""
        return self.opening + round(part * self.played)

    @property
    def is_draw(self) -> bool:
        return max(self.shares) < 1

    @property
    def winner(self) -> int | None:
        """The sole winner, if any."""
        return None if self.is_draw else self.shares.index(max(self.shares))

    @property
    def has_chances(self) -> bool:
        """Whether every position after the opening has chances from a search."""
        return self.played > 0 and not np.isnan(self.chances[self.opening :, 0]).any()


def trace_of(played: Played, game: Game, sample: str) -> Trace:
    """The trace of a game from a match or a report."""
    block = "-".join(map(str, (played.pairing.opening, *sorted(set(played.pairing.seats)))))
    expected = () if played.chances is msgspec.UNSET else played.chances
    return follow(
        game,
        [game.action(text) for text in played.actions],
        id=GameId(sample, played.pairing.number),
        block=block if played.pairing.opening_plies else f"{played.pairing.number}",
        seats=played.pairing.seats,
        opening=played.opening,
        expected=expected,
        shares=played.shares,
        ending=played.reason,
        position=played.pairing.position,
    )


def follow(
    game: Game,
    actions: Sequence[int],
    *,
    id: GameId,
    block: str,
    seats: tuple[str, ...],
    opening: int,
    expected: Sequence[tuple[float, ...] | None],
    shares: tuple[float, ...],
    ending: Ending,
    position: str = "",
) -> Trace:
    """Replay a game and collect its trace. `expected` has an entry for each action after the opening;
    `position` is where the game began, if not at the start. Raises IllegalAction if an action can't be
    played."""
    now = game.position(position) if position else game.start()
    points = game.geometry.points
    hashes = [hash(now)]
    held = np.zeros(points, bool)
    movers, branching, turns, scores, turn = [], [], [], [now.scores()], 0
    for action in actions:
        movers.append(now.to_move)
        branching.append(len(now.legal_actions()))
        turns.append(turn)
        now = now.play_action(action)
        turn += not now.turn
        scores.append(now.scores())
        held |= now.state["stones"][:points] != EMPTY
        hashes.append(hash(now))
    stones = now.stones()
    return Trace(
        id=id,
        block=block,
        seats=seats,
        opening=opening,
        actions=tuple(actions),
        movers=np.array(movers, np.int8),
        branching=np.array(branching, np.int32),
        turns=np.array(turns, np.int32),
        scores=np.array(scores, float),
        chances=_chances(len(actions), opening, expected, shares),
        shares=shares,
        ending=ending,
        covered=float(held.mean()),
        final_stones=stones,
        owners=stones | _areas(now),
        position=position,
        hashes=np.array(hashes, np.uint64),
    )


def _areas(position: Position) -> dict[str, int]:
    """The owner of each point and cell that the game's overlays mark as a player's area."""
    marks = (mark for overlay in position.overlays() for mark in overlay.marks)
    return {mark.at: mark.player for mark in marks if mark.kind == "area" and mark.player is not None}


def _chances(
    plies: int, opening: int, expected: Iterable[tuple[float, ...] | None], shares: tuple[float, ...]
) -> np.ndarray:
    """The expected shares, row by row. Positions without a choice take the values of the next search."""
    rows = np.full((plies + 1, len(shares)), np.nan)
    for place, chances in enumerate(expected, opening):
        if chances is not None:
            rows[place] = chances
    if np.isnan(rows).all():
        return rows
    rows[plies] = shares
    for place in range(plies - 1, opening - 1, -1):
        if np.isnan(rows[place, 0]):
            rows[place] = rows[place + 1]
    return rows
