"""The compiled steps of learning."""

from kakomi.kernel import driver
from kakomi.kernel.contract import mark_features, mask_legal, over, play, reset, scores
from kakomi.kernel.planes import fill_plane
from kakomi.search.patterns import FIGURES, read_figures, read_patterns
from kakomi.search.sight import write_inputs


@driver
def show_all(boards, states, scratches, sight, planes, scalars):
    """Write what the player to act sees of each of n states.

    `states` is the game's STATE [n], `planes` float32 [n, channels, spots], `scalars` float32 [n, scalars].
    """
    for i in range(len(states)):
        write_inputs(boards[0], states[i], scratches[0], sight, planes[i], scalars[i])


@driver
def replay(boards, states, scratches, actions, starts, plies, masks):
    """Play the first `plies[i]` actions of a game for every state i, and write what is legal then."""
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
def score_all(boards, states, out):
    """Write the scores of every state, out float64 [n, players]."""
    for i in range(len(states)):
        scores(boards[0], states[i], out[i])


@driver
def read_all(boards, states, scratches, patterns, contents, found, seen, figures):
    """Read what patterns are in every state.

    `states` is the game's STATE [n]; `contents` int8 [n, points + 1], `found` int32 [n, points, R], `seen`
    float32 [n, F, points] and `figures` float32 [n, FIGURES] get what the working space of `patterns` holds
    for each.
    """
    for i in range(len(states)):
        read_patterns(boards[0], states[i], patterns)
        contents[i] = patterns.contents
        found[i] = patterns.found
        mark_features(boards[0], states[i], scratches[0], seen[i])
        read_figures(boards[0], states[i], patterns)
        for k in range(FIGURES):
            figures[i, k] = patterns.figures[k]
