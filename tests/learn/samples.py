"""Training samples as tensors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kakomi.core import Position
from kakomi.core.symmetry import Symmetry
from kakomi.extras import needs_extra
from kakomi.learn.batches import NOTHING, Targets
from kakomi.networks.layout import board_layout, network_layout, rectangle
from kakomi.networks.observation import inputs_of

with needs_extra("learn"):
    import torch
    from torch import Tensor


@dataclass(frozen=True)
class Sample:
    """A position of a game, the policy of a search, and the end of the game."""

    position: Position
    policy: Mapping[int, int]
    """Action → weight from a search; actions without weight may be missing."""
    end: Position
    """The last position of the game."""
    reply: Mapping[int, int] = field(default_factory=dict)
    """The policy of the next position; empty if there was no search."""


def tensors_of(
    samples: Sequence[Sample], symmetries: Sequence[Symmetry] | None = None
) -> tuple[Tensor, Tensor, Targets]:
    """Planes, scalars and targets of samples of one game, on boards of any size.

    Boards are padded to the largest. `symmetries` holds a symmetry to apply to each sample.
    """
    games = [sample.position.game for sample in samples]
    sizes = np.array([rectangle(game) for game in games])
    height, width = sizes.max(axis=0).tolist()
    inputs = inputs_of([sample.position for sample in samples], (height, width), symmetries)
    n, actions, seats = len(samples), max(len(game.actions) for game in games), network_layout(games[0]).seats
    layouts = [
        board_layout(game, (height, width), symmetries[i] if symmetries else None)
        for i, game in enumerate(games)
    ]
    parts = max(layout.entries.shape[1] for layout in layouts)
    policies, replies = np.zeros((2, n, actions), np.float32)
    is_legal = np.zeros((n, actions), np.bool_)
    entries, weights = np.zeros((n, actions, parts), np.int64), np.zeros((n, actions, parts), np.float32)
    shares, leads = np.full((n, seats), -1, np.float32), np.zeros((n, seats), np.float32)
    owners = np.full((n, height * width), NOTHING, np.int64)
    for i, (sample, layout) in enumerate(zip(samples, layouts, strict=True)):
        _share(sample.policy, policies[i])
        _share(sample.reply, replies[i])
        is_legal[i, list(sample.position.legal_actions())] = True
        count, own = layout.entries.shape
        entries[i, :count, :own], weights[i, :count, :own] = layout.entries, layout.weights
        _write_end(sample, shares[i], leads[i])
        owners[i, layout.input_layout.spots] = _owners(sample, seats)
    arrays = policies, replies, is_legal, entries, weights, shares, leads, owners.reshape(n, height, width)
    targets = Targets(*map(torch.from_numpy, arrays))
    return torch.from_numpy(inputs.planes), torch.from_numpy(inputs.scalars), targets


def _share(policy: Mapping[int, int], row: np.ndarray) -> None:
    for action, count in policy.items():
        row[action] = count / sum(policy.values())


def _write_end(sample: Sample, shares: np.ndarray, leads: np.ndarray) -> None:
    """Write each seat's share of the win and its lead, the viewer's seat first."""
    scores = np.array(sample.end.scores(), float)
    is_best = scores == scores.max()
    players = len(scores)
    for seat in range(players):
        player = (sample.position.to_move + seat) % players
        shares[seat] = is_best[player] / is_best.sum()
        leads[seat] = scores[player] - np.delete(scores, player).max()


def _owners(sample: Sample, seats: int) -> np.ndarray:
    """The seat that owns each point at the end, with a stone or as Lin's territory; `seats` for none."""
    end = sample.end
    names = end.game.geometry.names
    owned = dict(end.stones())
    for overlay in end.overlays():
        if overlay.name == "territory":
            owned |= {mark.at: mark.player for mark in overlay.marks if mark.player is not None}
    owners = np.full(len(names), seats)
    for point, name in enumerate(names):
        if name in owned:
            owners[point] = (owned[name] - sample.position.to_move) % end.game.players
    return owners
