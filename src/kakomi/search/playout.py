"""Random games to the end, for statistics and benchmarks."""

from kakomi.kernel import driver
from kakomi.kernel.contract import over, play, reset, sample, scores


@driver
def playouts(boards, states, scratches, rng, final_scores, n, most_plies):
    """Play n random games; the number of plies in all.

    `final_scores` (float64, one a player) are left those of the last game. A game is cut off after
    `most_plies` actions (0: never).
    """
    board, state, scratch = boards[0], states[0], scratches[0]
    plies = 0
    for _ in range(n):
        reset(board, state)
        ply = 0
        while not over(board, state) and (most_plies == 0 or ply < most_plies):
            play(board, state, scratch, sample(board, state, scratch, rng))
            ply += 1
        plies += ply
        scores(board, state, final_scores)
    return plies
