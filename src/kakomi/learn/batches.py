"""Batches of rows as a network takes them, each row turned by a symmetry of its board drawn for it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kakomi.extras import needs_extra
from kakomi.kernel.records import EMPTY
from kakomi.learn.layout import BoardLayout, board_layout, network_layout
from kakomi.learn.losses import NOTHING, Targets
from kakomi.learn.observation import Inputs, empty_inputs, write_states
from kakomi.learn.replay import states_after
from kakomi.learn.rows import Rows

with needs_extra("learn"):
    import torch

NO_SEAT = -1.0
"""The share of a seat that nobody has."""


class Batch(NamedTuple):
    """What a network sees of some rows, and what it should say."""

    planes: torch.Tensor
    scalars: torch.Tensor
    targets: Targets


class BatchMaker:
    """Makes batches of the rows of one board."""

    def __init__(self, rows: Rows) -> None:
        self._rows, game = rows, rows.game
        self._game, self._seats = game, network_layout(game).seats
        self._layouts = [board_layout(game, symmetry=symmetry) for symmetry in game.symmetries]

    def batch(self, chosen: np.ndarray, rng: np.random.Generator) -> Batch:
        """The batch of the rows with these numbers."""
        rows, n = self._rows, len(chosen)
        games, plies = rows.games[chosen], rows.plies[chosen]
        states, legal = states_after(self._game, rows.actions, rows.starts[games], plies)
        turned = rng.integers(len(self._layouts), size=n)
        layouts = [self._layouts[number] for number in turned]
        inputs = self._inputs(states, layouts, turned)
        viewers = states["to_move"].astype(np.int64)
        targets = Targets(
            policies=self._policies([rows.policies[row] for row in chosen]),
            replies=self._policies([rows.replies(int(row)) for row in chosen]),
            is_legal=torch.from_numpy(legal),
            entries=torch.from_numpy(np.stack([layout.entries for layout in layouts]).astype(np.int64)),
            weights=torch.from_numpy(np.stack([layout.weights for layout in layouts])),
            shares=self._by_seat(rows.shares[games], viewers, NO_SEAT),
            leads=self._by_seat(rows.leads[games], viewers, 0.0),
            owners=self._owners(rows.owners[games], viewers, layouts),
        )
        return Batch(torch.from_numpy(inputs.planes), torch.from_numpy(inputs.scalars), targets)

    def _inputs(self, states: np.ndarray, layouts: Sequence[BoardLayout], turned: np.ndarray) -> Inputs:
        """What the players to act see, written for the rows of one symmetry at a time."""
        shape = layouts[0].height, layouts[0].width
        inputs = empty_inputs(self._game, len(states), shape)
        for number in np.unique(turned):
            those = np.flatnonzero(turned == number)
            part = empty_inputs(self._game, len(those), shape)
            write_states(self._game, self._layouts[number], states[those], part)
            inputs.planes[those], inputs.scalars[those] = part
        return inputs

    def _policies(self, each: Sequence[tuple[np.ndarray, np.ndarray]]) -> torch.Tensor:
        shares = np.zeros((len(each), len(self._game.actions)), np.float32)
        for row, (actions, counts) in zip(shares, each, strict=True):
            row[actions] = counts / max(counts.sum(), 1)
        return torch.from_numpy(shares)

    def _by_seat(self, by_player: np.ndarray, viewers: np.ndarray, missing: float) -> torch.Tensor:
        """What each player has, float32 [n, players], with the viewer first: float32 [n, seats]."""
        n, players = by_player.shape
        seats = np.full((n, self._seats), missing, np.float32)
        for seat in range(players):
            seats[:, seat] = by_player[np.arange(n), (viewers + seat) % players]
        return torch.from_numpy(seats)

    def _owners(
        self, owners: np.ndarray, viewers: np.ndarray, layouts: Sequence[BoardLayout]
    ) -> torch.Tensor:
        """Whose stone is on each spot at the end: the seat, one more than the last for nobody."""
        seats = np.where(owners == EMPTY, self._seats, (owners - viewers[:, None]) % self._game.players)
        found = np.full((len(owners), layouts[0].spots), NOTHING, np.int64)
        for row, layout in enumerate(layouts):
            found[row, layout.sight.spots] = seats[row]
        return torch.from_numpy(found.reshape(len(owners), layouts[0].height, layouts[0].width))
