"""The compiled steps of many games at once.

Every function takes `boards` (the game's board record, 1), `states` (the game's STATE record, n) and
`scratches` (its SCRATCH record, one a thread) as they are: by their types compiled code finds the rules.
What else belongs together is kept in the tuples below, which say what each array is. A step takes them apart
(`*moves`), as Numba needs 2.5 microseconds more for a call with tuples. n is the number of games, players and
actions are those of the game, and a plane's spots are its rows and columns as one row.
"""

from typing import Any, NamedTuple

from kakomi.core.returns import share_returns
from kakomi.kernel import driver
from kakomi.kernel.contract import is_legal, mask_legal, observe, over, play, reset, sample, scores
from kakomi.kernel.planes import fill_plane
from kakomi.research.modes import Autoreset

DISABLED, SAME_STEP = int(Autoreset.DISABLED), int(Autoreset.SAME_STEP)

PLAYED, ILLEGAL, FORFEITED = 0, 1, 2
"""A game's status, of which the rules know nothing: nothing special; its next action is not legal; such an
action has ended it."""


class Rows(NamedTuple):
    """What is told of each of n games, one row a game."""

    observations: Any
    """float32 (n, planes, spots): what the player to act sees."""
    masks: Any
    """bool (n, actions): which actions are legal."""
    rewards: Any
    """float32 (n, players): the returns of a game that the last step ended, else 0."""
    done: Any
    """bool (n): whether the last step ended the game."""
    to_move: Any
    """int8 (n): the player to act."""


class Moves(NamedTuple):
    """What is to be played in each of n games."""

    actions: Any
    """int64 (n): the actions' numbers."""
    status: Any
    """int8 (n): `PLAYED`, `ILLEGAL` or `FORFEITED`; `find_illegal` tells the first two apart."""


class Endings(NamedTuple):
    """What a thread does with games that end."""

    autoreset: Any
    """int: one of `Autoreset`."""
    gains: Any
    """float64 (players): working space for scores."""
    final_observations: Any
    """float32 (n, planes, spots): takes the last observation of a game that ends, with SAME_STEP."""


def show(board, state, scratch, spots, observation, mask):
    """Write what the player to act sees, and which actions are legal."""
    observe(board, state, int(state.to_move), spots, observation)
    if over(board, state):
        fill_plane(mask, False)
    else:
        mask_legal(board, state, scratch, mask)


def show_to(board, state, scratch, viewer, spots, observation, mask):
    """Write what a player sees, and what they may do: nothing, if they are not to act."""
    if viewer == state.to_move:
        show(board, state, scratch, spots, observation, mask)
    else:
        observe(board, state, viewer, spots, observation)
        fill_plane(mask, False)


def share_forfeit(loser, players, scores, out):
    """Write the returns of a game that a player lost by an illegal action: the others share the win."""
    for player in range(players):
        scores[player] = 0.0 if player == loser else 1.0
    share_returns(scores, players, out)


@driver
def reset_games(boards, states, status, chosen):
    """Set the chosen games (bool, n) up anew, without showing them."""
    for i in range(len(states)):
        if chosen[i]:
            reset(boards[0], states[i])
            status[i] = PLAYED


@driver
def show_games(boards, states, scratches, spots, status, chosen, rows):
    """Write the rows of the chosen games (bool, n), as if no step had been taken."""
    board = boards[0]
    for i in range(len(states)):
        if chosen[i]:
            fill_plane(rows.rewards[i], 0.0)
            rows.done[i] = status[i] == FORFEITED or over(board, states[i])
            rows.to_move[i] = states[i].to_move
            show(board, states[i], scratches[0], spots, rows.observations[i], rows.masks[i])
            if status[i] == FORFEITED:
                fill_plane(rows.masks[i], False)


@driver
def find_illegal(boards, states, scratches, actions, status):
    """Write which games that go on have an illegal action; the first of them, or -1."""
    board = boards[0]
    first = -1
    for i in range(len(states)):
        if status[i] == FORFEITED:
            continue
        action = int(actions[i])
        status[i] = PLAYED
        if over(board, states[i]):
            continue
        if action < 0 or action >= board.actions or not is_legal(board, states[i], scratches[0], action):
            status[i] = ILLEGAL
            if first < 0:
                first = i
    return first


@driver
def step_games(
    boards,
    states,
    scratches,
    spots,
    actions,
    status,
    observations,
    masks,
    rewards,
    done,
    to_move,
    autoreset,
    gains,
    final_observations,
    first,
    last,
):
    """Play the actions of the games from `first` up to `last` that go on, and see to those that have ended.

    A game whose action is illegal is forfeited. The arguments are `Moves`, `Rows` and `Endings`, taken apart.
    """
    board, scratch = boards[0], scratches[0]
    for i in range(first, last):
        state = states[i]
        fill_plane(rewards[i], 0.0)
        if status[i] == FORFEITED or over(board, state):
            if autoreset == DISABLED:
                continue
            reset(board, state)
            status[i] = PLAYED
            done[i] = False
        else:
            if status[i] == ILLEGAL:
                status[i] = FORFEITED
                done[i] = True
                share_forfeit(int(state.to_move), board.players, gains, rewards[i])
            else:
                play(board, state, scratch, int(actions[i]))
                done[i] = over(board, state)
                if done[i]:
                    scores(board, state, gains)
                    share_returns(gains, board.players, rewards[i])
            if done[i] and autoreset == SAME_STEP:
                show(board, state, scratch, spots, final_observations[i], masks[i])
                reset(board, state)
                status[i] = PLAYED
        to_move[i] = state.to_move
        # As `show` does: through a call more the compiled loops take half as long again.
        observe(board, state, int(state.to_move), spots, observations[i])
        if status[i] == FORFEITED or over(board, state):
            fill_plane(masks[i], False)
        else:
            mask_legal(board, state, scratch, masks[i])


@driver
def sample_games(boards, states, scratches, status, rngs, actions):
    """Draw a legal action for every game that goes on, each equally likely; 0 for the others.

    `rngs` is uint64 (n, 1), a generator for each game; `actions` int64 (n).
    """
    for i in range(len(states)):
        if status[i] == FORFEITED or over(boards[0], states[i]):
            actions[i] = 0
        else:
            actions[i] = sample(boards[0], states[i], scratches[0], rngs[i])


@driver
def show_position(boards, states, scratches, viewer, spots, observations, masks):
    """What a player sees of one position, and what they may do."""
    show_to(boards[0], states[0], scratches[0], viewer, spots, observations[0], masks[0])
