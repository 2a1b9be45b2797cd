"""Patterns from games: their tables are fitted to the visits of searches and to who won.

Who searched is the teacher: the game's own search, or one that was advised (`kakomi.learn.run`).
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.extras import needs_extra
from kakomi.learn.batches import check_finite
from kakomi.learn.games import Rows, TrainingGame, states_after
from kakomi.learn.steps import read_all
from kakomi.search.pattern_table import ARRAYS, PatternTable
from kakomi.search.patterns import FIGURES, NOWHERE, Patterns

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
SHRINKAGE = 100.0
"""How strongly values are drawn to 0, over the number of games: a result speaks of a whole game, so that
there are far fewer of them than positions."""
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


def distil(games: Sequence[TrainingGame], seed: int = 0) -> Generator[float, None, Fit]:
    """Fit a table to games of one game, on boards of any size: yields the part that is done, returns the fit.

    One game of `HELD_OUT` is not learned from. Raises ValueError where they are too few for that.
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
    """Those of some games, as many as have any rows."""
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
    """The tables as parameters."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._blank = PatternTable.blank(game)
        for name in ARRAYS:
            self.register_parameter(name, nn.Parameter(torch.zeros(getattr(self._blank, name).shape)))

    def size_of_values(self) -> Tensor:
        """The sum of the squares of all values."""
        return self.values.square().sum()

    def table(self) -> PatternTable:
        """What was fitted."""
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
    """The rows of the games on one board, and what tables say of them."""

    def __init__(self, rows: Rows) -> None:
        self.rows, self._game = rows, rows.game
        self._patterns: Patterns = PatternTable.blank(rows.game).patterns(rows.game)
        self._kinds = torch.from_numpy(self._patterns.kinds.astype(np.int64))
        places = torch.from_numpy(self._patterns.places.astype(np.int64))
        self._touches = (places != NOWHERE).float()
        self._places = places.clamp(min=0)

    def losses(self, tables: _Tables, batch: _Batch) -> tuple[Tensor, Tensor]:
        """The mean losses of policy and value over rows."""
        logits = self._logits(tables, batch).masked_fill(~batch.is_legal, _IMPOSSIBLE)
        policy = -(batch.shares * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
        value = functional.binary_cross_entropy_with_logits(self._win(tables, batch), batch.wins)
        return policy, value

    def _logits(self, tables: _Tables, batch: _Batch) -> Tensor:
        """Those of all actions [n, A], as `kakomi.search.patterns.promise` reckons them."""
        places = self._places
        centres = batch.contents[:, places]
        logits = torch.zeros_like(centres, dtype=torch.float32)
        for ring in range(batch.found.shape[2]):
            logits = logits + tables.shares[self._kinds, centres, ring, batch.found[:, places, ring]]
        logits = logits + (tables.weights[self._kinds].T * batch.seen[:, :, places]).sum(dim=1)
        return logits * self._touches + tables.biases[self._kinds]

    def _win(self, tables: _Tables, batch: _Batch) -> Tensor:
        """The logit of a win of the player to act [n]."""
        logit = batch.figures @ tables.outlook
        centres = batch.contents[:, :-1]
        for ring in range(batch.found.shape[2]):
            logit = logit + tables.values[centres, ring, batch.found[:, :, ring]].sum(dim=1)
        return logit

    def batch(self, numbers: np.ndarray) -> _Batch:
        """What patterns are in some rows, and what was found of them."""
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
