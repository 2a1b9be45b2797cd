"""What a thread of a GPU does for its game: the processor's loops over many games, over one.

Slices of one game go in, so there is one text of what a step is.
"""

from kakomi.kernel.cuda import grid_driver, thread_number
from kakomi.research import steps
from kakomi.search import playout

_begin_games = steps.begin_games.function
_first_illegal = steps.first_illegal.function
_step_games = steps.step_games.function
_sample_games = steps.sample_games.function
_play_out = playout.playouts.function


@grid_driver
def begin(boards, states, scratches, spots, chosen, observations, masks, rewards, done, to_move):
    """Set the game up anew if it is chosen."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        _begin_games(
            boards,
            states[i:j],
            scratches[i:j],
            spots,
            chosen[i:j],
            observations[i:j],
            masks[i:j],
            rewards[i:j],
            done[i:j],
            to_move[i:j],
        )


@grid_driver
def look_for_illegal(boards, states, scratches, actions, wrong):
    """Note in `wrong` whether the game goes on and its action is not legal."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        wrong[i] = _first_illegal(boards, states[i:j], scratches[i:j], actions[i:j]) == 0


@grid_driver
def step(
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
):
    """Play a legal action, and see to the game if it has ended."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        _step_games(
            boards,
            states[i:j],
            scratches[i:j],
            spots,
            autoreset,
            actions[i:j],
            gains[i],
            observations[i:j],
            masks[i:j],
            rewards[i:j],
            done[i:j],
            to_move[i:j],
            endings[i:j],
            0,
            1,
        )


@grid_driver
def sample(boards, states, scratches, rngs, actions):
    """Draw a legal action."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        _sample_games(boards, states[i:j], scratches[i:j], rngs[i:j], actions[i:j])


@grid_driver
def play_out(boards, states, scratches, rngs, scores, plies):
    """Play at random from the start to the end."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        plies[i] = _play_out(boards, states[i:j], scratches[i:j], rngs[i], scores[i], 1, 0)
