"""Fit pattern tables to games: to the visits of their searches and to their results.

The teacher is the search that played: the game's own, or an advised one (`kakomi.learn.run`).
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.extras import needs_extra
from kakomi.learn.batches import check_finite
from kakomi.learn.games import Rows, TrainingGame, states_after
from kakomi.networks.steps import read_all
from kakomi.search.pattern_table import ARRAYS, PatternTable
from kakomi.search.patterns import FIGURES, NOWHERE, Patterns

with needs_extra("learn"):
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

BATCH = 256
"""Rows in a step."""
PASSES = 6
"""How often each row is used, on average."""
HIGHEST_RATE = 0.03
DECAY = 1e-4
"""Weight decay, which keeps parameters without evidence small."""
SHRINKAGE = 100.0
"""The strength of the L2 penalty on values, divided by the number of games: each game has only one result, so
there is much less evidence than positions."""
HELD_OUT = 10
"""One game in this many is held out to measure the fit."""
_IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class Fit:
    """A fitted table, and its fit to held-out games."""

    table: PatternTable
    rows: int
    """The number of positions in these games."""
    policy: float
    """The cross entropy between visits and the table's shares, in nats per position."""
    uniform: float
    """The same for equal shares."""
    entropy: float
    """The entropy of the visits, which is the minimum of `policy`."""
    value: float
    """The cross entropy of the result, in nats per position; 0.693 for even chances between two players."""


def distil(games: Sequence[TrainingGame], seed: int = 0) -> Generator[float, None, Fit]:
    """Fit a table to games of one kind, on boards of any size. Yields the fraction done and returns the fit.

    One game in `HELD_OUT` is held out. Raises ValueError if there are too few games, or no rows.
    """
    held_out, learned = games[::HELD_OUT], [game for i, game in enumerate(games) if i % HELD_OUT]
    if not learned:
        raise ValueError(f"there are {len(games)} games to learn from; more are needed")
    torch.manual_seed(seed)
    tables = _Tables(games[0].game)
    boards = _boards(learned)
    if not boards:
        raise ValueError(f"no position of these {len(games)} games says what to play")
    optimizer = torch.optim.AdamW(tables.parameters(), lr=HIGHEST_RATE, weight_decay=DECAY)
    sizes = np.array([len(board.rows) for board in boards], float)
    steps = max(1, int(PASSES * sizes.sum()) // BATCH)
    rng = np.random.default_rng(seed)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = HIGHEST_RATE * (1 - step / steps)
        board = boards[rng.choice(len(boards), p=sizes / sizes.sum())]
        batch = board.batch(rng.integers(len(board.rows), size=BATCH))
        policy, value = board.losses(tables, batch)
        check_finite({"loss of policy": float(policy.detach()), "loss of value": float(value.detach())}, step)
        optimizer.zero_grad(set_to_none=True)
        (policy + value + SHRINKAGE / len(learned) * tables.size_of_values()).backward()
        optimizer.step()
        yield (step + 1) / steps
    return _judged(tables, _boards(held_out) or boards)


def _boards(games: Sequence[TrainingGame]) -> list["_Board"]:
    """The boards of games that have any rows."""
    by_game: dict[Game, list[TrainingGame]] = {}
    for each in games:
        if each.policies:
            by_game.setdefault(each.game, []).append(each)
    return [_Board(Rows.of(group)) for group in by_game.values()]


def _judged(tables: "_Tables", boards: Sequence["_Board"]) -> Fit:
    found = [np.zeros(5)]
    with torch.no_grad():
        for board in boards:
            for numbers in _batches(len(board.rows)):
                batch = board.batch(numbers)
                losses = (*board.losses(tables, batch), *batch.baselines(), 1.0)
                found.append(np.array([*map(float, losses)]) * len(numbers))
    policy, value, entropy, uniform, n = np.sum(found, axis=0)
    return Fit(tables.table(), int(n), policy / n, uniform / n, entropy / n, value / n)


def _batches(rows: int) -> Iterator[np.ndarray]:
    for first in range(0, rows, BATCH):
        yield np.arange(first, min(rows, first + BATCH))


class _Tables(nn.Module):
    """The arrays of a table as parameters."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._blank = PatternTable.blank(game)
        for name in ARRAYS:
            self.register_parameter(name, nn.Parameter(torch.zeros(getattr(self._blank, name).shape)))

    def size_of_values(self) -> Tensor:
        """The sum of the squares of all values."""
        return self.values.square().sum()

    def table(self) -> PatternTable:
        """The fitted table."""
        arrays = {name: parameter.detach().numpy().copy() for name, parameter in self.named_parameters()}
        return PatternTable(self._blank.game, self._blank.kinds, **arrays)


@dataclass(frozen=True)
class _Batch:
    contents: Tensor
    """int64 [n, points + 1];"""
    found: Tensor
    """int64 [n, points, R];"""
    seen: Tensor
    """float32 [n, F, points];"""
    figures: Tensor
    """float32 [n, FIGURES];"""
    is_legal: Tensor
    """bool [n, A];"""
    shares: Tensor
    """float32 [n, A];"""
    wins: Tensor
    """float32 [n]: the share of the win of the player to act."""

    def baselines(self) -> tuple[Tensor, Tensor]:
        """The entropy of the visits, and the cross entropy of equal shares."""
        logs = torch.log(self.shares.clamp(min=1e-12))
        entropy = -(self.shares * logs).sum(dim=1).mean()
        return entropy, torch.log(self.is_legal.sum(dim=1).float()).mean()


class _Board:
    """The rows of the games on one board, and the losses of tables on them."""

    def __init__(self, rows: Rows) -> None:
        self.rows, self._game = rows, rows.game
        self._patterns: Patterns = PatternTable.blank(rows.game).patterns(rows.game)
        self._kinds = torch.from_numpy(self._patterns.kinds.astype(np.int64))
        places = torch.from_numpy(self._patterns.places.astype(np.int64))
        self._touches = (places != NOWHERE).float()
        self._places = places.clamp(min=0)

    def losses(self, tables: _Tables, batch: _Batch) -> tuple[Tensor, Tensor]:
        """The mean losses of policy and value over the rows of a batch."""
        logits = self._logits(tables, batch).masked_fill(~batch.is_legal, _IMPOSSIBLE)
        policy = -(batch.shares * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
        value = functional.binary_cross_entropy_with_logits(self._win(tables, batch), batch.wins)
        return policy, value

    def _logits(self, tables: _Tables, batch: _Batch) -> Tensor:
        """The logits of all actions [n, A], computed as in `kakomi.search.patterns.write_priors`."""
        places = self._places
        centres = batch.contents[:, places]
        logits = torch.zeros_like(centres, dtype=torch.float32)
        for ring in range(batch.found.shape[2]):
            logits = logits + tables.shares[self._kinds, centres, ring, batch.found[:, places, ring]]
        logits = logits + (tables.weights[self._kinds].T * batch.seen[:, :, places]).sum(dim=1)
        return logits * self._touches + tables.biases[self._kinds]

    def _win(self, tables: _Tables, batch: _Batch) -> Tensor:
        """The logit of a win for the player to act [n]."""
        logit = batch.figures @ tables.outlook
        centres = batch.contents[:, :-1]
        for ring in range(batch.found.shape[2]):
            logit = logit + tables.values[centres, ring, batch.found[:, :, ring]].sum(dim=1)
        return logit

    def batch(self, numbers: np.ndarray) -> _Batch:
        """The patterns in the rows with the given indices, and their targets."""
        rows, game = self.rows, self._game
        games = rows.games[numbers]
        states, is_legal = states_after(game, rows.actions, rows.starts[games], rows.plies[numbers])
        n, points, found = len(numbers), game.geometry.points, self._patterns.found
        contents = np.zeros((n, points + 1), np.int8)
        classes = np.zeros((n, *found.shape), np.int32)
        seen = np.zeros((n, *self._patterns.seen.shape), np.float32)
        figures = np.zeros((n, FIGURES), np.float32)
        read_all(game.board, states, game.scratch, self._patterns, contents, classes, seen, figures)
        shares = np.zeros(is_legal.shape, np.float32)
        for row, number in zip(shares, numbers, strict=True):
            actions, counts = rows.policies[number]
            row[actions] = counts / max(counts.sum(), 1)
        return _Batch(
            torch.from_numpy(contents.astype(np.int64)),
            torch.from_numpy(classes.astype(np.int64)),
            torch.from_numpy(seen),
            torch.from_numpy(figures),
            torch.from_numpy(is_legal),
            torch.from_numpy(shares),
            torch.from_numpy(rows.shares[games, states["to_move"]]),
        )
