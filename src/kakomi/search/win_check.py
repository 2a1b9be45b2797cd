"""Wins of one turn, found by looking (O. Teytaud and F. Teytaud, "On the huge benefit of decisive moves in
Monte-Carlo tree search algorithms", 2010).

A tree search may take long to try a first action that looks bad and whose turn ends in a win. The player's
own turn is small enough to be walked through, the shortest turns first.
"""

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.returns import share_returns
from kakomi.kernel import driver
from kakomi.kernel.contract import legal, over, play, scores

LONGEST = 16
"""Actions of a turn that are looked at."""
BUDGET = 10_000
"""Actions tried at most."""
NOT_FOUND = 0


class WinCheck:
    """Looks for wins of one turn; holds the space that this takes."""

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
        """The first action of a rest of turn that wins the game at once, if one was found."""
        self._states[0] = position.state
        if self.look() == NOT_FOUND:
            return None
        return int(self._actions[0, self._tried[0] - 1])

    def look(self) -> int:
        """Look from the first state on; the length of the rest of turn that wins, or `NOT_FOUND`."""
        return int(find_win(*self.arguments()))

    def arguments(self) -> tuple[object, ...]:
        """The arguments of the compiled walk."""
        space = (self._states, self._scratch, self._actions, self._counts, self._tried, self._gains)
        return (self._board, *space, BUDGET)


@driver
def find_win(boards, states, scratches, actions, counts, tried, gains, budget):
    """Walk through the turn of the player to act in `states[0]`, by iterative deepening.

    The length of the first rest of turn that ends the game as that player's alone, or `NOT_FOUND`: its
    actions are `actions[depth, tried[depth] - 1]`. At most `budget` actions are tried.
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
    """From the last down: passes, which end games, are numbered behind the points."""
    count = legal(board, states[depth], scratch)
    counts[depth] = count
    tried[depth] = 0
    for i in range(count):
        actions[depth, i] = scratch.actions[count - 1 - i]
