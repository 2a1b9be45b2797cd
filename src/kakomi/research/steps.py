"""The compiled steps of many games at once.

Every function takes `boards` (the game's board record, 1), `states` (the game's STATE record, n) and
`scratches` (its SCRATCH record, one per thread); compiled code finds the rules by their types. The other
arrays are grouped in the tuples below, which document them. A step takes the tuples unpacked (`*moves`),
because a call with tuples takes Numba 2.5 microseconds longer. n is the number of games, players and actions
are those of the game, and the spots of a plane are its flattened rows and columns.
"""

from typing import Any, NamedTuple

from kakomi.core.returns import share_returns
from kakomi.kernel import driver
from kakomi.kernel.contract import is_legal, mask_legal, observe, over, play, reset, sample, scores
from kakomi.kernel.planes import fill_plane
from kakomi.research.modes import Autoreset

DISABLED, SAME_STEP = int(Autoreset.DISABLED), int(Autoreset.SAME_STEP)

PLAYED, ILLEGAL, FORFEITED = 0, 1, 2
"""The status of a game, which isn't part of the rules: normal; its next action is illegal; an illegal action
has ended it."""


class Rows(NamedTuple):
    """The results for n games, one row per game."""

    observations: Any
    """float32 (n, planes, spots): the observation of the player to act."""
    masks: Any
    """bool (n, actions): which actions are legal."""
    rewards: Any
    """float32 (n, players): the returns of a game that the last step ended, otherwise 0."""
    done: Any
    """bool (n): whether the last step ended the game."""
    to_move: Any
    """int8 (n): the player to act."""


class Moves(NamedTuple):
    """The actions to play in n games."""

    actions: Any
    """int64 (n): the action numbers."""
    status: Any
    """int8 (n): `PLAYED`, `ILLEGAL` or `FORFEITED`; `find_illegal` sets the first two."""


class Endings(NamedTuple):
    """What to do with games that end, for one thread."""

    autoreset: Any
    """int: a value of `Autoreset`."""
    gains: Any
    """float64 (players): working space for scores."""
    final_observations: Any
    """float32 (n, planes, spots): gets the last observation of each game that ends, with SAME_STEP."""


def show(board, state, scratch, spots, observation, mask):
    """Write the observation of the player to act, and which actions are legal."""
    observe(board, state, int(state.to_move), spots, observation)
    if over(board, state):
        fill_plane(mask, False)
    else:
        mask_legal(board, state, scratch, mask)


def show_to(board, state, scratch, viewer, spots, observation, mask):
    """Write a player's observation, and which actions are legal for them: none if they aren't to act."""
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
    """Reset the chosen games (bool, n), without writing their rows."""
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
    """Write the status of games in progress, and return the first with an illegal action, or -1."""
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
    """Play the actions of the games from `first` up to `last`, resetting ended games as `autoreset` says.

    A game whose action is illegal is forfeited. The arguments are `Moves`, `Rows` and `Endings`, unpacked.
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
        # The same as `show`, inlined: a call would make the compiled loops half as slow again.
        observe(board, state, int(state.to_move), spots, observations[i])
        if status[i] == FORFEITED or over(board, state):
            fill_plane(masks[i], False)
        else:
            mask_legal(board, state, scratch, masks[i])


@driver
def sample_games(boards, states, scratches, status, rngs, actions):
    """Draw a legal action uniformly for every game in progress; 0 for the others.

    `rngs` is uint64 (n, 1), a generator for each game; `actions` int64 (n).
    """
    for i in range(len(states)):
        if status[i] == FORFEITED or over(boards[0], states[i]):
            actions[i] = 0
        else:
            actions[i] = sample(boards[0], states[i], scratches[0], rngs[i])


@driver
def show_position(boards, states, scratches, viewer, spots, observations, masks):
    """Write a player's observation of one position, and which actions are legal for them."""
    show_to(boards[0], states[0], scratches[0], viewer, spots, observations[0], masks[0])
