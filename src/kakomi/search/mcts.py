"""The tree search that the bots play with: Monte-Carlo tree search, any number of players and threads.

What it adds to plain UCT, each a setting of `kakomi.core.SearchConfig` or advice from the game's policy:

- Proven wins, losses and draws are carried up the tree (MCTS-Solver: M. Winands, Y. Björnsson and
  J. Saito, 2008; with more players a node is lost for its chooser as soon as anybody else has it won).
- The next action is chosen by what was seen of it elsewhere (RAVE) or by what the game promises of it
  (PUCT); `kakomi.search.selection` has both.
- Playouts follow the game's policy and end once the result is decided, or after so many plies that the
  scores then tell enough; a margin may count a little.

Several threads share one tree. A visit is counted on the way down, before its gain is known, which
keeps other threads from the same line (virtual loss: G. Chaslot, M. Winands and J. van den Herik,
"Parallel Monte-Carlo tree search", 2008); visits and gains are added atomically, without a lock.
Gains lie between 0, a loss, and 1.
"""

from kakomi.kernel import long_driver
from kakomi.kernel.atomic import add
from kakomi.kernel.contract import is_decided, over, play, playout_action, sample, scores
from kakomi.search.expansion import grow
from kakomi.search.selection import select
from kakomi.search.tree import NO_CHILDREN, NOBODY, ROOT
from kakomi.search.value_backup import back_up, give_all, prove_up, share_sightings, weigh


@long_driver(patience=12)  # by then another process has compiled it, if one does
def simulate(boards, roots, tree, space, configs, n, most_plies):
    """Make n simulations from `roots[0]`, or fewer if its result is proven before; how many.

    `boards`, `roots` and `configs`, each [1], are records of the game's board, of its state and of
    `SearchConfig`; `tree` is a `TreeArrays`, which threads share, and `space` this thread's own `Workspace`.
    A playout is cut off after `most_plies` actions (0: never).

    The arrays are taken out of the tuples here and handed on one by one where every simulation passes:
    functions that took the tuples were slower by 2 to 18 % (docs/speed.md).
    """
    board, config = boards[0], configs[0]
    state, scratch = space.states[0], space.scratches[0]
    _, nodes, visits, _, sums = tree
    states, _, path, clock, last_played, _, rng, gains = space
    cut = playout_limit(most_plies, config)
    for made in range(n):
        if made > 0 and nodes[ROOT].winner != NOBODY:
            return made
        states[0] = roots[0]
        start = clock[0]
        path[0] = ROOT
        add(visits, ROOT, 1)
        depth = descend(
            board, state, scratch, tree, space, nodes, visits, sums, path, clock, last_played, 0, config, False
        )
        play_out(
            board, state, scratch, nodes, path, depth, rng, clock, last_played, gains, cut, config
        )
        back_up(sums, path, depth, gains, board.players)
        if config.puct == 0 and config.equivalence > 0:
            share_sightings(nodes, path, depth, gains, last_played, start)
    return n


def descend(
    board, state, scratch, tree, space, nodes, visits, sums, path, clock, last_played, depth, config, is_advised
):
    """Go on from the node `path[depth]` to the end of the tree; the depth reached.

    Where a leaf is to get children, and a network is to say which deserve visits (`is_advised`), the descent
    stops, and the answer is `~depth`, which is negative.
    """
    node = path[depth]
    while depth + 1 < len(path) and not over(board, state):
        if depth > 0 and nodes[node].winner != NOBODY:
            break
        if nodes[node].first_child <= NO_CHILDREN:
            if depth > 0 and visits[node] <= config.expand_after:
                break
            if is_advised:
                return ~depth
            if not grow(board, tree, space, node, config):
                break
        node = select(nodes, visits, sums, node, config)
        add(visits, node, 1)
        last_played[state.to_move, nodes[node].action] = clock[0]
        clock[0] += 1
        play(board, state, scratch, nodes[node].action)
        depth += 1
        path[depth] = node
    return depth


def play_out(board, state, scratch, nodes, path, depth, rng, clock, last_played, gains, cut, config):
    """Write the gains of the simulation that has come to `path[depth]`: proven ones, or those of a playout.

    Returns the number of plies played, 0 where the gains are certain.
    """
    winner = nodes[path[depth]].winner
    if depth > 0 and winner != NOBODY:
        give_all(gains, board.players, winner)
        return 0
    played = _finish(board, state, scratch, rng, clock, last_played, cut, config)
    scores(board, state, gains)
    winner = weigh(gains, board.players, config)
    if played == 0 and winner != NOBODY:
        give_all(gains, board.players, winner)
        prove_up(nodes, path, depth, winner)
    return played


def playout_limit(most_plies, config):
    """The longest playout, by the game's limit and the config's; 0: any length."""
    cut = int(config.playout_plies)
    if cut == 0 or 0 < most_plies < cut:
        return most_plies
    return cut


def _finish(board, state, scratch, rng, clock, last_played, cut, config):
    """Play on until the result is decided or the cut (0: none). Returns the number of plies."""
    plies = 0
    while not is_at_end(board, state, scratch, config) and (cut == 0 or plies < cut):
        if config.use_playouts > 0:
            action = playout_action(board, state, scratch, rng)
        else:
            action = sample(board, state, scratch, rng)
        last_played[state.to_move, action] = clock[0]
        clock[0] += 1
        play(board, state, scratch, action)
        plies += 1
    return plies


def is_at_end(board, state, scratch, config):
    """Whether there is nothing to play out any more."""
    if config.use_decided > 0:
        return is_decided(board, state, scratch)
    return over(board, state)
