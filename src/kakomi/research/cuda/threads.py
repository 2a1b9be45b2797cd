"""The work of one GPU thread: the CPU's loops over many games, run on one game.

Each thread passes slices of one game to the CPU's functions, so that CPU and GPU share the code of a step.
Arrays are passed separately, as the CPU's steps take them, and grouped into `Rows` where a function needs it.
"""

from kakomi.kernel.cuda import grid_driver, thread_number
from kakomi.research import steps
from kakomi.research.steps import Rows
from kakomi.search import playout

_reset_games = steps.reset_games.function
_show_games = steps.show_games.function
_find_illegal = steps.find_illegal.function
_step_games = steps.step_games.function
_sample_games = steps.sample_games.function
_play_out = playout.playouts.function


@grid_driver
def begin(boards, states, scratches, spots, chosen, observations, masks, rewards, done, to_move, status):
    """Reset the game if it is chosen."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        rows = Rows(observations[i:j], masks[i:j], rewards[i:j], done[i:j], to_move[i:j])
        _reset_games(boards, states[i:j], status[i:j], chosen[i:j])
        _show_games(boards, states[i:j], scratches[i:j], spots, status[i:j], chosen[i:j], rows)


@grid_driver
def look_for_illegal(boards, states, scratches, actions, status):
    """Set `status` to whether the game is in progress and its action is illegal."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        _find_illegal(boards, states[i:j], scratches[i:j], actions[i:j], status[i:j])


@grid_driver
def step(
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
    scores,
    endings,
):
    """Play a legal action, and reset the game as `autoreset` says."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        _step_games(
            boards,
            states[i:j],
            scratches[i:j],
            spots,
            actions[i:j],
            status[i:j],
            observations[i:j],
            masks[i:j],
            rewards[i:j],
            done[i:j],
            to_move[i:j],
            autoreset,
            scores[i],
            endings[i:j],
            0,
            1,
        )


@grid_driver
def sample(boards, states, scratches, status, rngs, actions):
    """Draw a legal action."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        _sample_games(boards, states[i:j], scratches[i:j], status[i:j], rngs[i:j], actions[i:j])


@grid_driver
def play_out(boards, states, scratches, rngs, scores, plies):
    """Play at random from the start to the end."""
    i = thread_number()
    if i < len(states):
        j = i + 1
        plies[i] = _play_out(boards, states[i:j], scratches[i:j], rngs[i], scores[i], 1, 0)
