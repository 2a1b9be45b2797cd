"""The bots' tree search: Monte-Carlo tree search for any number of players and threads.

It adds to plain UCT, each controlled by a setting of `SearchConfig` or by the game's policy:

- Proven wins, losses and draws propagate up the tree (MCTS-Solver: M. Winands, Y. Björnsson and
  J. Saito, 2008; with more players a node is lost for its chooser once it is a proven win for anyone else).
- Selection uses what was seen of an action elsewhere (RAVE) or the action's prior (PUCT); both are in
  `kakomi.search.selection`.
- Playouts follow the game's policy. They end once the result is decided, or after a number of plies at which
  the scores are informative enough; the margin may count a little.

Several threads share one tree. A visit is counted on the way down, before its gain is known, which
keeps other threads from the same line (virtual loss: G. Chaslot, M. Winands and J. van den Herik,
"Parallel Monte-Carlo tree search", 2008); visits and gains are added atomically, without a lock.
Gains range from 0, a loss, to 1, a win.

With a network's `Advice` the descent pauses where a node needs children: the function returns, and its next
call applies the answer, adds the children and continues. So one thread can run many searches that share one
evaluation.
"""

from kakomi.kernel import driver
from kakomi.kernel.atomic import add
from kakomi.kernel.contract import is_decided, over, play, playout_action, sample, scores
from kakomi.search.advice import DEPTH, START, WAITING, apply_evaluation, blend, request_evaluation
from kakomi.search.expansion import grow
from kakomi.search.patterns import read_patterns, write_gains
from kakomi.search.selection import select
from kakomi.search.tree import FOCUS, NO_CHILDREN, NO_FOCUS, NOBODY, ROOT
from kakomi.search.value_backup import back_up, prove_up, scores_to_gains, set_winner_gains, update_amaf


@driver
def simulate(boards, roots, tree, space, configs, n, most_plies, advice, patterns, mix):
    """Run n simulations from `roots[0]`, or fewer if its result is proven or one waits for advice.

    Return how many ended. `boards`, `roots` and `configs`, each [1], are records of the game's board, of its
    state and of `SearchConfig`; `tree` is a `TreeArrays`, which threads share, and `space` this thread's own
    `Workspace`. A playout is cut off after `most_plies` actions (0: never).

    `advice` is an `Advice`, on one thread only, or None, for which the compiler removes the code that uses
    it. `patterns` is None or this thread's own `Patterns`. `mix`, 0 to 1, is the share of either in a
    simulation's value. With 0 a network's answer only supplies priors, and the descent continues; otherwise
    a simulation ends once a node other than the root has been given children. With 1 there is no playout.

    The hot path unpacks the tuples here and passes arrays one by one: functions that took the tuples were
    2 to 8 % slower (docs/speed.md), and so was a loop split into one function for the descent and one for
    the rest.
    """
    board, config = boards[0], configs[0]
    state, scratch = space.states[0], space.scratches[0]
    used, nodes, visits, _, sums = tree
    states, _, path, clock, last_played, _, rng, gains = space
    cut = _cut(most_plies, config)
    for made in range(n):
        share = 0.0
        goes_on = True
        is_answered = False
        if advice is not None:
            is_answered = advice.pause[WAITING] != 0
        if is_answered:
            if advice is not None:
                depth, start = advice.pause[DEPTH], advice.pause[START]
                node = path[depth]
                goes_on = apply_evaluation(board, state, tree, space, node, advice, config) and (
                    mix == 0 or depth == 0
                )
                share = mix
        else:
            if made > 0 and nodes[ROOT].winner != NOBODY:
                return made
            states[0] = roots[0]
            start = clock[0]
            depth = 0
            node = ROOT
            path[0] = ROOT
            add(visits, ROOT, 1)
        while goes_on and depth + 1 < len(path) and not over(board, state):
            if depth > 0 and nodes[node].winner != NOBODY:
                break
            if nodes[node].first_child <= NO_CHILDREN:
                if depth > 0 and visits[node] <= config.expand_after:
                    break
                if advice is not None:
                    if request_evaluation(board, state, scratch, tree, advice, depth, start, mix):
                        return made
                    break
                if not grow(board, tree, space, node, config, patterns):
                    break
            if depth == 0 and used[FOCUS] != NO_FOCUS:
                node = used[FOCUS]
            else:
                node = select(nodes, visits, sums, node, config)
            add(visits, node, 1)
            last_played[state.to_move, nodes[node].action] = clock[0]
            clock[0] += 1
            play(board, state, scratch, nodes[node].action)
            depth += 1
            path[depth] = node
        winner = nodes[node].winner
        if depth > 0 and winner != NOBODY:
            set_winner_gains(gains, board.players, winner)
        else:
            is_played = True
            if advice is not None:
                is_played = share < 1 or _is_at_end(board, state, scratch, config)
            if patterns is not None:
                share = mix
                is_played = share < 1 or _is_at_end(board, state, scratch, config)
                if share > 0:
                    read_patterns(board, state, patterns)
                    write_gains(board, state, patterns)
            played = 1
            if is_played:
                played = _finish(board, state, scratch, rng, clock, last_played, cut, config)
                scores(board, state, gains)
                winner = scores_to_gains(gains, board.players, config)
            if played == 0 and winner != NOBODY and config.use_proofs > 0:
                set_winner_gains(gains, board.players, winner)
                prove_up(nodes, path, depth, winner)
            if advice is not None:
                if share > 0 and played > 0:
                    blend(gains, advice.gains, share)
            if patterns is not None:
                if share > 0 and played > 0:
                    blend(gains, patterns.gains, share)
        back_up(sums, path, depth, gains, board.players)
        if config.puct == 0 and config.equivalence > 0:
            update_amaf(nodes, path, depth, gains, last_played, start)
    return n


def _cut(most_plies, config):
    """Return the maximum length of a playout, the smaller of the game's and the config's; 0: unlimited."""
    cut = int(config.playout_plies)
    if cut == 0 or 0 < most_plies < cut:
        return most_plies
    return cut


def _finish(board, state, scratch, rng, clock, last_played, cut, config):
    """Play on until the result is decided or `cut` plies are played (0: no limit). Return the plies."""
    plies = 0
    while not _is_at_end(board, state, scratch, config) and (cut == 0 or plies < cut):
        if config.use_playouts > 0:
            action = playout_action(board, state, scratch, rng)
        else:
            action = sample(board, state, scratch, rng)
        last_played[state.to_move, action] = clock[0]
        clock[0] += 1
        play(board, state, scratch, action)
        plies += 1
    return plies


def _is_at_end(board, state, scratch, config):
    if config.use_decided > 0:
        return is_decided(board, state, scratch)
    return over(board, state)
