"""The rows that a network learns from: positions of games, found again by replay when they are wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.kernel.records import EMPTY
from kakomi.learn.replay import final_scores, flattened, states_after
from kakomi.learn.training_game import TrainingGame


@dataclass(frozen=True)
class Rows:
    """The rows of games of one board, oldest first. G is the number of games, n that of rows."""

    game: Game
    actions: np.ndarray
    """int32: the actions of all games, one game behind the other."""
    starts: np.ndarray
    """int64 [G]: where each game begins there."""
    shares: np.ndarray
    """float32 [G, players]: the share of the win of each player."""
    leads: np.ndarray
    """float32 [G, players]: each player's score less the best of the others', in points."""
    owners: np.ndarray
    """int8 [G, points]: who has a stone on each point at the end, or `EMPTY`."""
    games: np.ndarray
    """int32 [n]: the game of each row,"""
    plies: np.ndarray
    """int64 [n]: and how many actions came before."""
    policies: Sequence[tuple[np.ndarray, np.ndarray]]
    """[n]: the actions that a search thought of (int32), and how much each counts (float32)."""

    def __len__(self) -> int:
        return len(self.plies)

    @staticmethod
    def of(games: Sequence[TrainingGame]) -> "Rows":
        """The rows of some games of one board, at least of one."""
        game = games[0].game
        actions, starts = flattened([each.actions for each in games])
        ends, _ = states_after(game, actions, starts, np.array([len(each.actions) for each in games]))
        scores = final_scores(game, ends)
        chosen = [
            (number, ply, counts)
            for number, each in enumerate(games)
            for ply, counts in each.policies.items()
        ]
        return Rows(
            game,
            actions,
            starts,
            shares=shares_of(scores),
            leads=leads_of(scores),
            owners=_owners(game, ends),
            games=np.array([number for number, _, _ in chosen], np.int32),
            plies=np.array([ply for _, ply, _ in chosen], np.int64),
            policies=[_arrays(counts) for _, _, counts in chosen],
        )

    def replies(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """The actions that were considered after a row's, and their weights: the policy of a search if there
        was one, else what was played; none where the game was over."""
        number, ply = int(self.games[row]), int(self.plies[row]) + 1
        following = row + 1
        if following < len(self) and (self.games[following], self.plies[following]) == (number, ply):
            return self.policies[following]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.actions)
        at = self.starts[number] + ply
        return self.actions[at : min(at + 1, end)], np.ones(int(at < end), np.float32)


def shares_of(scores: np.ndarray) -> np.ndarray:
    """The share of the win of each player, float32, of scores [G, players]: winners share equally."""
    wins = scores == scores.max(axis=1, keepdims=True)
    shares: np.ndarray = (wins / wins.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def leads_of(scores: np.ndarray) -> np.ndarray:
    """Each player's score less the best of the others', float32 [G, players]."""
    best = np.stack(
        [np.delete(scores, player, axis=1).max(axis=1) for player in range(scores.shape[1])], axis=1
    )
    leads: np.ndarray = (scores - best).astype(np.float32)
    return leads


def _owners(game: Game, states: np.ndarray) -> np.ndarray:
    stones = states["stones"][:, : game.geometry.points].astype(np.int8)
    return np.where(stones == EMPTY, stones, stones % game.players)


def _arrays(counts: Mapping[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(list(counts), np.int32), np.array(list(counts.values()), np.float32)
