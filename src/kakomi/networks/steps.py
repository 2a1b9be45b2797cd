"""The compiled steps of learning."""

from kakomi.kernel import driver
from kakomi.kernel.contract import mark_features, mask_legal, over, owner, play, reset, scores
from kakomi.kernel.planes import fill_plane
from kakomi.search.input_layout import write_inputs
from kakomi.search.patterns import FIGURES, read_figures, read_patterns


@driver
def show_all(boards, states, scratches, input_layout, planes, scalars):
    """Write the network's inputs for the player to act in each of n states.
    `states` is the game's STATE [n], `planes` float32 [n, channels, spots], `scalars` float32 [n, scalars].
    """
    for i in range(len(states)):
        write_inputs(boards[0], states[i], scratches[0], input_layout, planes[i], scalars[i])


@driver
def replay(boards, states, scratches, actions, starts, plies, masks):
    """Play the first `plies[i]` actions of a game into every state i, and write which actions are legal."""
    board, scratch = boards[0], scratches[0]
    for i in range(len(states)):
        state = states[i]
        reset(board, state)
        for k in range(plies[i]):
            play(board, state, scratch, int(actions[starts[i] + k]))
        if over(board, state):
            fill_plane(masks[i], False)
        else:
            mask_legal(board, state, scratch, masks[i])


@driver
def judge_all(boards, states, found, owners):
    """Write the scores of every state to `found`, float64 [n, players], and the owner of every point to
    `owners`, int8 [n, points]."""
    for i in range(len(states)):
        scores(boards[0], states[i], found[i])
        for point in range(boards[0].points):
            owners[i, point] = owner(boards[0], states[i], point)


@driver
def read_all(boards, states, scratches, patterns, contents, found, seen, figures):
    """Read the patterns in every state.

    `states` is the game's STATE [n]; `contents` int8 [n, points + 1], `found` int32 [n, points, R], `seen`
    float32 [n, F, points] and `figures` float32 [n, FIGURES] are copies of the working space of `patterns`
    for each state.
    """
    for i in range(len(states)):
        read_patterns(boards[0], states[i], patterns)
        contents[i] = patterns.contents
        found[i] = patterns.found
        mark_features(boards[0], states[i], scratches[0], seen[i])
        read_figures(boards[0], states[i], patterns)
        for k in range(FIGURES):
            figures[i, k] = patterns.figures[k]
