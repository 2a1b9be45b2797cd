"""A finished game, gone through once: what statistics are made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from kakomi.core import Game, Position
from kakomi.kernel.records import EMPTY
from kakomi.study.tournament import Played

Ending = Literal["rules", "counted", "forfeit", "resignation", "time", "agreement"]


@dataclass(frozen=True)
class GameId:
    """Which game it is: its sample's key, and its number there."""

    sample: str
    number: int

    def __str__(self) -> str:
        return f"{self.sample}-{self.number}"


@dataclass(frozen=True, eq=False)
class Trace:
    """A game as its statistics see it. Arrays have an entry for each action, unless they say otherwise."""

    id: GameId
    block: str
    """Games of one block are not independent of each other."""
    seats: tuple[str, ...]
    """Who played: the entrant of each seat."""
    opening: int
    """How many actions were drawn by chance before the players began."""
    actions: tuple[int, ...]
    movers: np.ndarray
    branching: np.ndarray
    """How many actions were legal."""
    turns: np.ndarray
    """To which turn an action belongs, from 0."""
    scores: np.ndarray
    """The score of each player before every action, and at the end: one row more than actions."""
    chances: np.ndarray
    """Each player's expected share of the win before every action, as the mover's search saw it, and the
    result at the end: one row more than actions. NaN in the opening and where no search says anything."""
    shares: tuple[float, ...]
    """Each player's share of the win."""
    ending: Ending
    covered: float
    """The part of the board's points that ever held a stone."""
    final_stones: dict[str, int] = field(repr=False)
    owners: dict[str, int] = field(repr=False)
    """The owner at the end of every point and cell that has one."""
    position: str
    """Where it began, as `str(position)`; empty: at the game's start."""
    hashes: np.ndarray = field(repr=False)
    """A number for each position, the first included: equal for equal positions (61 bits: two different ones
    are as good as never taken for one)."""

    @property
    def plies(self) -> int:
        return len(self.actions)

    @property
    def played(self) -> int:
        """How many actions the players chose."""
        return self.plies - self.opening

    @property
    def repeated(self) -> int:
        """How many positions had been there before in the same game."""
        return len(self.hashes) - len(np.unique(self.hashes))

    def position_at(self, game: Game, ply: int) -> Position:
        """The position before an action."""
        position = game.position(self.position) if self.position else game.start()
        for action in self.actions[:ply]:
            position = position.play_action(action)
        return position

    def at(self, part: float) -> int:
        """The action before which so much of what the players chose is over; the end of the game at 1."""
        return self.opening + round(part * self.played)

    @property
    def is_draw(self) -> bool:
        return max(self.shares) < 1

    @property
    def winner(self) -> int | None:
        """Who won alone, if anybody did."""
        return None if self.is_draw else self.shares.index(max(self.shares))

    @property
    def has_chances(self) -> bool:
        """Whether a search says how the game stood for most of it."""
        return self.played > 0 and not np.isnan(self.chances[self.opening :, 0]).any()


def trace_of(played: Played, game: Game, sample: str) -> Trace:
    """The trace of a game of a match or a report."""
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
    """Play a game again and note what there is to be counted. `expected` has an entry for each action after
    the opening; `position` is where it began, if not at the start. Raises IllegalAction for an action that
    can't be played."""
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
    """The owner of each point and cell that the game's overlays tint in a player's colour."""
    marks = (mark for overlay in position.overlays() for mark in overlay.marks)
    return {mark.at: mark.player for mark in marks if mark.kind == "area" and mark.player is not None}


def _chances(
    plies: int, opening: int, expected: Iterable[tuple[float, ...] | None], shares: tuple[float, ...]
) -> np.ndarray:
    """What was expected, row by row. Where there was nothing to choose the next search speaks for the
    position."""
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
