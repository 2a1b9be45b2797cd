"""The compiled steps of many games at once, each from game `first` up to `last`."""

from kakomi.core.returns import share_returns
from kakomi.kernel import driver
from kakomi.kernel.contract import is_legal, mask_legal, observe, over, play, reset, sample, scores
from kakomi.kernel.planes import fill_plane
from kakomi.research.autoreset import Autoreset

DISABLED, SAME_STEP = int(Autoreset.DISABLED), int(Autoreset.SAME_STEP)


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


@driver
def begin_games(boards, states, scratches, spots, chosen, observations, masks, rewards, done, to_move):
    """Set the chosen games up anew."""
    board = boards[0]
    for i in range(len(states)):
        if chosen[i]:
            reset(board, states[i])
            fill_plane(rewards[i], 0.0)
            done[i] = False
            to_move[i] = states[i].to_move
            show(board, states[i], scratches[0], spots, observations[i], masks[i])


@driver
def first_illegal(boards, states, scratches, actions):
    """The first game that goes on and whose action is not legal, or -1."""
    board = boards[0]
    for i in range(len(states)):
        action = int(actions[i])
        if over(board, states[i]):
            continue
        if action < 0 or action >= board.actions or not is_legal(board, states[i], scratches[0], action):
            return i
    return -1


@driver
def step_games(
    boards,
    states,
    scratches,
    spots,
    autoreset,
    actions,
    gains,
    observations,
    masks,
    rewards,
    done,
    to_move,
    endings,
    first,
    last,
):
    """Play a legal action in every game that goes on, and see to those that have ended.

    `gains` is space for scores; `endings` takes the final observations with SAME_STEP.
    """
    board, scratch = boards[0], scratches[0]
    for i in range(first, last):
        state = states[i]
        fill_plane(rewards[i], 0.0)
        if over(board, state):
            if autoreset == DISABLED:
                continue
            reset(board, state)
            done[i] = False
        else:
            play(board, state, scratch, int(actions[i]))
            done[i] = over(board, state)
            if done[i]:
                scores(board, state, gains)
                share_returns(gains, board.players, rewards[i])
                if autoreset == SAME_STEP:
                    show(board, state, scratch, spots, endings[i], masks[i])
                    reset(board, state)
        to_move[i] = state.to_move
        # As `show` does: through a call more the compiled loops take half as long again.
        observe(board, state, int(state.to_move), spots, observations[i])
        if over(board, state):
            fill_plane(masks[i], False)
        else:
            mask_legal(board, state, scratch, masks[i])


@driver
def sample_games(boards, states, scratches, rngs, actions):
    """Draw a legal action for every game that goes on, each equally likely; 0 for the others."""
    for i in range(len(states)):
        if over(boards[0], states[i]):
            actions[i] = 0
        else:
            actions[i] = sample(boards[0], states[i], scratches[0], rngs[i])


@driver
def show_position(boards, states, scratches, viewer, spots, observations, masks):
    """What a player sees of one position, and what they may do."""
    show_to(boards[0], states[0], scratches[0], viewer, spots, observations[0], masks[0])
