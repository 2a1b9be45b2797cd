"""Games played again from their actions, by the thousand, in compiled code."""

from collections.abc import Sequence

import numpy as np

from kakomi.core import Game
from kakomi.learn.steps import replay, score_all


def states_after(
    game: Game, actions: np.ndarray, starts: np.ndarray, plies: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The states, STATE [n], that come of the first `plies` (int64 [n]) of the actions that begin at `starts`
    (int64 [n]) in `actions` (int32), and which actions are legal in each, bool [n, A]."""
    n = len(starts)
    states = np.zeros(n, game.description.rules.STATE)
    masks = np.zeros((n, len(game.actions)), np.bool_)
    replay(game.board, states, game.scratch, actions, starts, plies, masks)
    return states, masks


def final_scores(game: Game, states: np.ndarray) -> np.ndarray:
    """The scores of states, float64 [n, players]."""
    found = np.zeros((len(states), game.players))
    score_all(game.board, states, found)
    return found


def flattened(games: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The actions of games, one behind the other (int32), and where each begins (int64)."""
    lengths = [len(actions) for actions in games]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if games else np.zeros(0)
    every = [np.asarray(actions, np.int32) for actions in games]
    return np.concatenate(every) if every else np.zeros(0, np.int32), starts.astype(np.int64)
