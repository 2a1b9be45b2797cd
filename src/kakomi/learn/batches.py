"""Training batches for a network, and its losses on them.

Rows are positions of games, reconstructed by replay when needed. They come from a window of the latest games
that grows with their number. Each row is transformed by a random symmetry of its board.
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
from kakomi.learn.network import OWN, REPLY, SOFT, Outputs
from kakomi.networks.layout import BoardLayout, board_layout, network_layout
from kakomi.networks.observation import Inputs, empty_inputs, write_states
from kakomi.networks.weights import POLICIES

with needs_extra("learn"):
    import torch
    from torch import Tensor
    from torch.nn import functional

WEIGHTS = {"policy": 1.0, "reply": 0.15, "soft": 2.0, "value": 1.5, "leads": 0.02, "owner": 0.15}
"""The weight of each head's loss, modelled on KataGo's."""
LEAD_SCALE = 10.0
"""In points: errors larger than this count linearly instead of quadratically."""
SOFTENING = 0.25
"""The exponent of the visit shares in the target of the soft policy."""
NOTHING = -1
"""The owner of a spot outside the board."""
_IMPOSSIBLE, _LEAST = -1e9, 1e-9


class Targets(NamedTuple):
    """Training targets for n positions. A is the number of actions.

    Rows of `replies` that are all 0 are ignored: the game was over.
    """

    policies: Tensor
    """float32 [n, A]: each action's share of the search's visits."""
    replies: Tensor
    """float32 [n, A]: the same for the next action, whichever player's it was."""
    is_legal: Tensor
    """bool [n, A]: which actions are legal."""
    entries: Tensor
    """int64 [n, A, K]: each action's `BoardLayout.entries`."""
    weights: Tensor
    """float32 [n, A, K]: each action's `BoardLayout.weights`."""
    shares: Tensor
    """float32 [n, seats]: each seat's share of the win, the viewer's first; -1 for unused seats."""
    leads: Tensor
    """float32 [n, seats]: each seat's score less the best of the others', in points."""
    owners: Tensor
    """int64 [n, height, width]: the seat that owns each spot at the end; `seats` for none, and
    `NOTHING` outside the board."""


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
    """Raise ValueError if a loss or another number of a training step isn't finite."""
    for name, number in each.items():
        if not math.isfinite(number):
            raise ValueError(f"at step {step} the {name} is {number}; learning stops, and overwrites nothing")


def total(each: dict[str, Tensor]) -> Tensor:
    """The weighted sum of the heads' losses."""
    return torch.stack([WEIGHTS[name] * loss for name, loss in each.items()]).sum()


def action_logits(logits: Tensor, targets: Targets) -> Tensor:
    """Each action's logit [n, A], from a head's `Outputs.logits` [n, L]."""
    n, actions, parts = targets.entries.shape
    found = logits.gather(1, targets.entries.reshape(n, actions * parts)).reshape(n, actions, parts)
    return (found * targets.weights).sum(dim=2)


def _policy_loss(logits: Tensor, policies: Tensor) -> Tensor:
    """The mean cross entropy over rows that have a policy."""
    is_known = policies.sum(dim=1) > 0
    loss = -(policies * functional.log_softmax(logits, dim=1)).sum(dim=1)
    return (loss * is_known).sum() / is_known.sum().clamp(min=1)


with needs_extra("learn"):
    import torch

NO_SEAT = -1.0
"""The share of an unused seat."""


class Batch(NamedTuple):
    """The network's inputs for some rows, and the targets."""

    planes: torch.Tensor
    scalars: torch.Tensor
    targets: Targets


class BatchMaker:
    """Makes batches from the rows of one board."""

    def __init__(self, rows: Rows) -> None:
        self._rows, game = rows, rows.game
        self._game, self._seats = game, network_layout(game).seats
        self._layouts = [board_layout(game, symmetry=symmetry) for symmetry in game.symmetries]

    def batch(self, chosen: np.ndarray, rng: np.random.Generator) -> Batch:
        """The batch of the rows with the given indices, each under a random symmetry."""
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
        """The inputs for the players to act, written for one symmetry's rows at a time."""
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
        """Reorder values float32 [n, players] to have the viewer first, and pad them: float32 [n, seats]."""
        n, players = by_player.shape
        seats = np.full((n, self._seats), missing, np.float32)
        for seat in range(players):
            seats[:, seat] = by_player[np.arange(n), (viewers + seat) % players]
        return torch.from_numpy(seats)

    def _owners(
        self, owners: np.ndarray, viewers: np.ndarray, layouts: Sequence[BoardLayout]
    ) -> torch.Tensor:
        """The seat that owns each spot at the end, as `Targets.owners`."""
        seats = np.where(owners == EMPTY, self._seats, (owners - viewers[:, None]) % self._game.players)
        found = np.full((len(owners), layouts[0].spots), NOTHING, np.int64)
        for row, layout in enumerate(layouts):
            found[row, layout.input_layout.spots] = seats[row]
        return torch.from_numpy(found.reshape(len(owners), layouts[0].height, layouts[0].width))


FIRST_WINDOW = 20_000
"""Up to this many rows, all are used."""
GROWTH = 0.65
"""The exponent with which the window grows from there, as in KataGo."""


def window_of(rows: int) -> int:
    """The number of latest rows to learn from, out of `rows`."""
    if rows <= FIRST_WINDOW:
        return rows
    return int(FIRST_WINDOW * (rows / FIRST_WINDOW) ** GROWTH)


@dataclass(frozen=True)
class Window:
    """The rows of the latest games, board by board."""

    makers: tuple[BatchMaker, ...]
    sizes: tuple[int, ...]
    """The number of rows of each board."""

    @staticmethod
    def of(games: Iterable[TrainingGame], wanted: int) -> Window:
        """The window of the first games that have at least `wanted` rows; `games` are newest first."""
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
        """A batch from one board, drawn with a probability proportional to its number of rows."""
        shares = np.array(self.sizes) / sum(self.sizes)
        board = int(rng.choice(len(self.sizes), p=shares))
        return self.makers[board].batch(rng.integers(self.sizes[board], size=size), rng)
