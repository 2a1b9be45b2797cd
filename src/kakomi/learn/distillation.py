"""Patterns from games: their tables are fitted to the visits of searches and to who won.

Who searched is the teacher: the game's own search, or one that a network advised (`kakomi.learn.run`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.extras import needs_extra
from kakomi.learn.replay import states_after
from kakomi.learn.rows import Rows
from kakomi.learn.steps import read_all
from kakomi.learn.training_game import TrainingGame
from kakomi.search.pattern_table import PatternTable
from kakomi.search.patterns import NOWHERE, Patterns

with needs_extra("learn"):
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

BATCH = 256
"""Rows in a step."""
PASSES = 6
"""How often a row is learned from."""
HIGHEST_RATE = 0.03
DECAY = 1e-4
"""Of what no row speaks for."""
HELD_OUT = 10
"""One game of so many is not learned from, to tell how well the others are learned."""
_IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class Fit:
    """How near a table comes to games that it has not learned from."""

    table: PatternTable
    rows: int
    """Positions of these games."""
    policy: float
    """Cross entropy between visits and shares, in nats a position;"""
    uniform: float
    """the same of equal shares;"""
    entropy: float
    """and of the visits themselves, which is the least that can be."""
    value: float
    """Cross entropy of who won, in nats a position; 0.693 without knowing anything, between two."""


def distil(
    games: Sequence[TrainingGame], seed: int = 0, tell: Callable[[float], None] = lambda part: None
) -> Fit:
    """The table for games of one board, at least `HELD_OUT` of them; `tell` is called with the part done."""
    held_out, learned = games[::HELD_OUT], [game for i, game in enumerate(games) if i % HELD_OUT]
    torch.manual_seed(seed)
    game = games[0].game
    fitted = _Fitted(game)
    optimizer = torch.optim.AdamW(fitted.parameters(), lr=HIGHEST_RATE, weight_decay=DECAY)
    rows = Rows.of(learned)
    steps = max(1, PASSES * len(rows) // BATCH)
    rng = np.random.default_rng(seed)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = HIGHEST_RATE * (1 - step / steps)
        policy, value = fitted.losses(rows, rng.integers(len(rows), size=BATCH))
        optimizer.zero_grad(set_to_none=True)
        (policy + value).backward()
        optimizer.step()
        tell((step + 1) / steps)
    return _judged(fitted, Rows.of(held_out))


def _judged(fitted: "_Fitted", rows: Rows) -> Fit:
    found = []
    with torch.no_grad():
        for numbers in _batches(len(rows)):
            policy, value = fitted.losses(rows, numbers)
            entropy, uniform = _baselines(fitted, rows, numbers)
            found.append(np.array([policy, uniform, entropy, value, 1.0]) * len(numbers))
    policy, uniform, entropy, value, n = np.sum(found, axis=0)
    return Fit(fitted.table(), int(n), policy / n, uniform / n, entropy / n, value / n)


def _batches(rows: int) -> Iterator[np.ndarray]:
    for first in range(0, rows, BATCH):
        yield np.arange(first, min(rows, first + BATCH))


def _baselines(fitted: "_Fitted", rows: Rows, numbers: np.ndarray) -> tuple[float, float]:
    """The entropy of the visits, and the cross entropy of equal shares."""
    batch = fitted.batch(rows, numbers)
    logs = torch.log(batch.shares.clamp(min=1e-12))
    entropy = -(batch.shares * logs).sum(dim=1).mean()
    return float(entropy), float(torch.log(batch.is_legal.sum(dim=1).float()).mean())


@dataclass(frozen=True)
class _Batch:
    contents: Tensor
    """int64 [n, points + 1];"""
    found: Tensor
    """int64 [n, points, R];"""
    seen: Tensor
    """float32 [n, F, points];"""
    is_legal: Tensor
    """bool [n, A];"""
    shares: Tensor
    """float32 [n, A];"""
    wins: Tensor
    """float32 [n]: the share of the win of the player to act."""


class _Fitted(nn.Module):
    """The tables as parameters."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game, self._blank = game, PatternTable.blank(game)
        self._patterns: Patterns = self._blank.patterns(game)
        self.tables = {name: nn.Parameter(torch.zeros(getattr(self._blank, name).shape)) for name in _TABLES}
        for name, table in self.tables.items():
            self.register_parameter(f"table_{name}", table)
        self._kinds = torch.from_numpy(self._patterns.kinds.astype(np.int64))
        places = torch.from_numpy(self._patterns.places.astype(np.int64))
        self._touches = (places != NOWHERE).float()
        self._places = places.clamp(min=0)

    def losses(self, rows: Rows, numbers: np.ndarray) -> tuple[Tensor, Tensor]:
        """The mean losses of policy and value over rows."""
        batch = self.batch(rows, numbers)
        logits = self._logits(batch).masked_fill(~batch.is_legal, _IMPOSSIBLE)
        policy = -(batch.shares * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
        value = functional.binary_cross_entropy_with_logits(self._win(batch), batch.wins)
        return policy, value

    def _logits(self, batch: _Batch) -> Tensor:
        """Those of all actions [n, A], as `kakomi.search.patterns.promise` reckons them."""
        tables, places = self.tables, self._places
        centres = batch.contents[:, places]
        logits = torch.zeros_like(centres, dtype=torch.float32)
        for ring in range(batch.found.shape[2]):
            logits = logits + tables["shares"][self._kinds, centres, ring, batch.found[:, places, ring]]
        logits = logits + (tables["weights"][self._kinds].T * batch.seen[:, :, places]).sum(dim=1)
        return logits * self._touches + tables["biases"][self._kinds]

    def _win(self, batch: _Batch) -> Tensor:
        """The logit of a win of the player to act [n]."""
        logit = self.tables["lead"].expand(len(batch.found))
        centres = batch.contents[:, :-1]
        for ring in range(batch.found.shape[2]):
            logit = logit + self.tables["values"][centres, ring, batch.found[:, :, ring]].sum(dim=1)
        return logit

    def batch(self, rows: Rows, numbers: np.ndarray) -> _Batch:
        """What patterns are in some rows, and what was found of them."""
        games = rows.games[numbers]
        states, is_legal = states_after(self._game, rows.actions, rows.starts[games], rows.plies[numbers])
        n, points, found = len(numbers), self._game.geometry.points, self._patterns.found
        contents = np.zeros((n, points + 1), np.int8)
        classes = np.zeros((n, *found.shape), np.int32)
        seen = np.zeros((n, *self._patterns.seen.shape), np.float32)
        read_all(self._game.board, states, self._game.scratch, self._patterns, contents, classes, seen)
        shares = np.zeros(is_legal.shape, np.float32)
        for row, number in zip(shares, numbers, strict=True):
            actions, counts = rows.visits[number]
            row[actions] = counts / counts.sum()
        return _Batch(
            torch.from_numpy(contents.astype(np.int64)),
            torch.from_numpy(classes.astype(np.int64)),
            torch.from_numpy(seen),
            torch.from_numpy(is_legal),
            torch.from_numpy(shares),
            torch.from_numpy(rows.shares[games, states["to_move"]]),
        )

    def table(self) -> PatternTable:
        """What was fitted."""
        arrays = {name: self.tables[name].detach().numpy().copy() for name in _TABLES}
        return PatternTable(self._blank.game, self._blank.kinds, **arrays)


_TABLES = ("shares", "weights", "biases", "values", "lead")
