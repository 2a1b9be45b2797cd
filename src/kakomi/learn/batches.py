"""Batches of rows as a network takes them, and how far its answers are from what the rows say.

The rows are positions of games, found again by replay when they are wanted: the latest ones, and the more of
them the more there are. Each is turned by a symmetry of its board drawn for it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kakomi.core import Game
from kakomi.extras import needs_extra
from kakomi.kernel.records import EMPTY
from kakomi.learn.games import Rows, TrainingGame, states_after
from kakomi.learn.layout import BoardLayout, board_layout, network_layout
from kakomi.learn.network import OWN, REPLY, SOFT, Outputs
from kakomi.learn.observation import Inputs, empty_inputs, write_states
from kakomi.learn.weights import POLICIES

with needs_extra("learn"):
    import torch
    from torch import Tensor
    from torch.nn import functional

WEIGHTS = {"policy": 1.0, "reply": 0.15, "soft": 2.0, "value": 1.5, "leads": 0.02, "owner": 0.15}
"""How much each head counts, after KataGo's."""
LEAD_SCALE = 10.0
"""Points: an error of more counts by its size and no longer by its square."""
SOFTENING = 0.25
"""The power of the visits' shares that the soft policy learns."""
NOTHING = -1
"""The owner of a spot beside the board."""
_IMPOSSIBLE, _LEAST = -1e9, 1e-9


class Targets(NamedTuple):
    """What was found of n positions. A is the number of actions, with that of the largest game for all.

    Rows of `replies` that are all 0 count for nothing: nobody answered.
    """

    policies: Tensor
    """float32 [n, A]: the share of each action in the search's visits."""
    replies: Tensor
    """float32 [n, A]: the same of the next search, whoever's it was."""
    is_legal: Tensor
    """bool [n, A]: the actions that the policies are shares of."""
    entries: Tensor
    """int64 [n, A, K]: each action's `BoardLayout.entries`,"""
    weights: Tensor
    """float32 [n, A, K]: and weights."""
    shares: Tensor
    """float32 [n, seats]: each seat's share of the win, the viewer's first; -1 for seats that nobody has."""
    leads: Tensor
    """float32 [n, seats]: each seat's score less the best of the others', in points."""
    owners: Tensor
    """int64 [n, height, width]: whose stone is on each spot at the end, by seat; `seats` for nobody's, and
    `NOTHING` beside the board."""


def losses(outputs: Outputs, targets: Targets) -> dict[str, Tensor]:
    """The mean loss of each head, by its name in `WEIGHTS`."""
    is_seat = targets.shares >= 0
    shares = targets.shares.clamp(min=0)
    values = outputs.value.masked_fill(~is_seat, _IMPOSSIBLE)
    leads = functional.smooth_l1_loss(outputs.leads, targets.leads, beta=LEAD_SCALE, reduction="none")
    logits = [action_logits(outputs.logits(head), targets) for head in range(POLICIES)]
    own, soft = (logits[head].masked_fill(~targets.is_legal, _IMPOSSIBLE) for head in (OWN, SOFT))
    softened = targets.policies**SOFTENING
    return {
        "policy": _policy_loss(own, targets.policies),
        "reply": _policy_loss(logits[REPLY], targets.replies),
        "soft": _policy_loss(soft, softened / softened.sum(dim=1, keepdim=True).clamp(min=_LEAST)),
        "value": functional.cross_entropy(values, shares),
        "leads": (leads * is_seat).sum() / is_seat.sum(),
        "owner": functional.cross_entropy(outputs.owner, targets.owners, ignore_index=NOTHING),
    }


def check_finite(each: Mapping[str, float], step: int) -> None:
    """Raises ValueError for a loss, or another number of a step, that is infinite or none."""
    for name, number in each.items():
        if not math.isfinite(number):
            raise ValueError(f"at step {step} the {name} is {number}; learning stops, and overwrites nothing")


def total(each: dict[str, Tensor]) -> Tensor:
    """The heads' losses, weighted and added up."""
    return torch.stack([WEIGHTS[name] * loss for name, loss in each.items()]).sum()


def action_logits(logits: Tensor, targets: Targets) -> Tensor:
    """Each action's logit [n, A], of a head's `Outputs.logits` [n, L]."""
    n, actions, parts = targets.entries.shape
    found = logits.gather(1, targets.entries.reshape(n, actions * parts)).reshape(n, actions, parts)
    return (found * targets.weights).sum(dim=2)


def _policy_loss(logits: Tensor, policies: Tensor) -> Tensor:
    """Cross entropy, over the rows that say anything."""
    is_known = policies.sum(dim=1) > 0
    loss = -(policies * functional.log_softmax(logits, dim=1)).sum(dim=1)
    return (loss * is_known).sum() / is_known.sum().clamp(min=1)


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


FIRST_WINDOW = 20_000
"""So many rows are all learned from."""
GROWTH = 0.65
"""The power of their number by which the window grows from there, after KataGo's."""


def window_of(rows: int) -> int:
    """How many of so many rows, the latest, are learned from."""
    if rows <= FIRST_WINDOW:
        return rows
    return int(FIRST_WINDOW * (rows / FIRST_WINDOW) ** GROWTH)


@dataclass(frozen=True)
class Window:
    """The rows of the latest games, board by board."""

    makers: tuple[BatchMaker, ...]
    sizes: tuple[int, ...]
    """How many rows each has."""

    @staticmethod
    def of(games: Iterable[TrainingGame], wanted: int) -> Window:
        """The rows of games, newest first, which are taken until there are as many as wanted."""
        chosen: dict[Game, list[TrainingGame]] = defaultdict(list)
        for game in games:
            if wanted <= 0:
                break
            if game.policies:
                chosen[game.game].append(game)
                wanted -= len(game.policies)
        boards = [Rows.of(each[::-1]) for each in chosen.values()]
        return Window(tuple(BatchMaker(board) for board in boards), tuple(len(board) for board in boards))

    def batch(self, size: int, rng: np.random.Generator) -> Batch:
        """A batch of rows of one board: the more rows a board has, the more often it comes."""
        shares = np.array(self.sizes) / sum(self.sizes)
        board = int(rng.choice(len(self.sizes), p=shares))
        return self.makers[board].batch(rng.integers(self.sizes[board], size=size), rng)
