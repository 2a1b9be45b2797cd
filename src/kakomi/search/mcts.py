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

With a network's `Advice` the descent stops where a node is to grow: the loop ends, and its next call takes
the answer, grows the node and goes on. So one thread can have many searches wait for one evaluation.
"""

from kakomi.kernel import driver
from kakomi.kernel.atomic import add
from kakomi.kernel.contract import is_decided, over, play, playout_action, sample, scores
from kakomi.search.advice import DEPTH, START, WAITING, ask, blend, take
from kakomi.search.expansion import grow
from kakomi.search.patterns import expect, read_patterns
from kakomi.search.selection import select
from kakomi.search.tree import FOCUS, NO_CHILDREN, NO_FOCUS, NOBODY, ROOT
from kakomi.search.value_backup import back_up, give_all, prove_up, share_sightings, weigh


@driver
def simulate(boards, roots, tree, space, configs, n, most_plies, advice, patterns, mix):
    """Make n simulations from `roots[0]`, fewer if its result is proven or one waits for advice; how many.

    `boards`, `roots` and `configs`, each [1], are records of the game's board, of its state and of
    `SearchConfig`; `tree` is a `TreeArrays`, which threads share, and `space` this thread's own `Workspace`.
    A playout is cut off after `most_plies` actions (0: never).

    `advice` is None, for which the compiler leaves out all that concerns it, or an `Advice`, on one thread;
    and `patterns` is None or this thread's own `Patterns`. `mix`, 0 to 1, is the share of either in a
    simulation's value. With 0 a network's answer only says which actions deserve visits, and simulations go
    on as without it; else they end where a node other than the root has grown. With 1 there is no playout.

    The arrays are taken out of the tuples here and handed on one by one where every simulation passes:
    functions that took the tuples were slower by 2 to 8 % (docs/speed.md), and so was a loop that was split
    into a function for the descent and one for the rest.
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
                goes_on = take(board, state, tree, space, node, advice, config) and (mix == 0 or depth == 0)
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
                    if ask(board, state, scratch, tree, advice, depth, start, mix):
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
            give_all(gains, board.players, winner)
        else:
            is_played = True
            if advice is not None:
                is_played = share < 1 or _is_at_end(board, state, scratch, config)
            if patterns is not None:
                share = mix
                is_played = share < 1 or _is_at_end(board, state, scratch, config)
                if share > 0:
                    read_patterns(board, state, patterns)
                    expect(board, state, patterns)
            played = 1
            if is_played:
                played = _finish(board, state, scratch, rng, clock, last_played, cut, config)
                scores(board, state, gains)
                winner = weigh(gains, board.players, config)
            if played == 0 and winner != NOBODY and config.use_proofs > 0:
                give_all(gains, board.players, winner)
                prove_up(nodes, path, depth, winner)
            if advice is not None:
                if share > 0 and played > 0:
                    blend(gains, advice.gains, share)
            if patterns is not None:
                if share > 0 and played > 0:
                    blend(gains, patterns.gains, share)
        back_up(sums, path, depth, gains, board.players)
        if config.puct == 0 and config.equivalence > 0:
            share_sightings(nodes, path, depth, gains, last_played, start)
    return n


def _cut(most_plies, config):
    """The longest playout, by the game's limit and the config's; 0: any length."""
    cut = int(config.playout_plies)
    if cut == 0 or 0 < most_plies < cut:
        return most_plies
    return cut


def _finish(board, state, scratch, rng, clock, last_played, cut, config):
    """Play on until the result is decided or the cut (0: none). Returns the number of plies."""
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
