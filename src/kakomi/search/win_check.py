"""Detection of wins within one turn (O. Teytaud and F. Teytaud, "On the huge benefit of decisive moves in
Monte-Carlo tree search algorithms", 2010).

A tree search may take long to try a turn that wins if its first action looks bad. The player's own turn is
small enough for an exhaustive search, shortest turns first.
"""

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.returns import share_returns
from kakomi.kernel import driver
from kakomi.kernel.contract import legal, over, play, scores

LONGEST = 16
"""The maximum number of actions in a turn to search."""
BUDGET = 10_000
"""The maximum number of actions to try."""
NOT_FOUND = 0


class WinCheck:
    """Finds wins within one turn; owns the working space."""

    def __init__(self, game: Game) -> None:
        rules = game.description.rules
        self._board = game.board
        self._states = np.zeros(LONGEST + 1, rules.STATE)
        self._scratch = np.zeros(1, rules.SCRATCH)
        self._actions = np.zeros((LONGEST, len(game.actions)), np.int32)
        self._counts = np.zeros(LONGEST, np.int64)
        self._tried = np.zeros(LONGEST, np.int64)
        self._gains = np.zeros(game.players)

    def first_action(self, position: Position) -> int | None:
        """Return the first action that wins within the rest of this turn; None if none was found."""
        self._states[0] = position.state
        if self.look() == NOT_FOUND:
            return None
        return int(self._actions[0, self._tried[0] - 1])

    def look(self) -> int:
        """Search from the first state. Return the length of the winning rest of the turn, or `NOT_FOUND`."""
        return int(find_win(*self.arguments()))

    def arguments(self) -> tuple[object, ...]:
        """Return the arguments of `find_win`."""
        space = (self._states, self._scratch, self._actions, self._counts, self._tried, self._gains)
        return (self._board, *space, BUDGET)


@driver
def find_win(boards, states, scratches, actions, counts, tried, gains, budget):
    """Search the turn of the player to act in `states[0]` by iterative deepening.

    Return the length of the first rest of the turn that makes that player the sole winner, or `NOT_FOUND`.
    Its actions are `actions[depth, tried[depth] - 1]`. At most `budget` actions are tried.
    """
    board, scratch = boards[0], scratches[0]
    mover = states[0].to_move
    for longest in range(1, len(states)):
        goes_on = False
        depth = 0
        _list_actions(board, states, scratch, actions, counts, tried, 0)
        while depth >= 0:
            if tried[depth] == counts[depth]:
                depth -= 1
                continue
            if budget == 0:
                return NOT_FOUND
            budget -= 1
            action = actions[depth, tried[depth]]
            tried[depth] += 1
            states[depth + 1] = states[depth]
            play(board, states[depth + 1], scratch, action)
            if over(board, states[depth + 1]):
                scores(board, states[depth + 1], gains)
                share_returns(gains, board.players, gains)
                if gains[mover] == 1:
                    return depth + 1
            elif states[depth + 1].to_move == mover:
                goes_on = True
                if depth + 1 < longest:
                    depth += 1
                    _list_actions(board, states, scratch, actions, counts, tried, depth)
        if not goes_on:
            return NOT_FOUND
    return NOT_FOUND


def _list_actions(board, states, scratch, actions, counts, tried, depth):
    """List the legal actions in reverse: passes, which end games, have the highest numbers."""
    count = legal(board, states[depth], scratch)
    counts[depth] = count
    tried[depth] = 0
    for i in range(count):
        actions[depth, i] = scratch.actions[count - 1 - i]
