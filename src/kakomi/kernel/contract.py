"""The rules of a game as generic code calls them: stubs, filled in by the record type of `state`.

Every game's `rules.py` holds functions with these names and parameter names. `board` is the geometry
and the options as one record, `state` the position (changed in place), `scratch` working space that
holds nothing between calls. Generic code may rely on the fields that `kakomi.kernel.records` gives them, and
on `board.kinds` for several kinds of pieces a player: then `state.stones` holds player + kind * players.

`sample`, `restore`, and one of `legal` and `is_legal` may be left out: then the definitions here stand in for
them.

The second part is advice to a search, from a game's `policy.py`: `candidates`, `prior`,
`playout_action` and `is_decided`. All of it may be left out; none of it changes what is legal.

The third part is what a learner sees, from a game's `observation.py`: `observe`, which may be left out where
the stones and the player to act are all that there is to know, and `mask_legal` and `mark_features`, which
may for all.

The fourth part is short cuts for a solver, from a game's `solving.py`: `solver_legal`, `solver_play`,
`piece`, `numbers`, `bound_scores` and `standing`. All of it may be left out.
"""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from kakomi.kernel.planes import fill_plane, mark_players
from kakomi.kernel.random import below
from kakomi.kernel.registry import (
    function_of,
    make_compilable,
    mark_compilable,
    rules_of_state,
    rules_of_type,
)


def reset(board, state):
    """Make `state` the starting position."""
    rules_of_state(state).reset(board, state)


def restore(board, state, scratch):
    """Work out every field of `state` that is not one of the game's identity fields."""
    _rule(state, "restore")(board, state, scratch)


def legal(board, state, scratch):
    """Write the legal actions, ascending, into `scratch.actions`; their number (0 only when over)."""
    return _rule(state, "legal")(board, state, scratch)


def is_legal(board, state, scratch, action):
    """Whether an action (0 or more, below the game's number of actions) is legal now."""
    return _rule(state, "is_legal")(board, state, scratch, action)


def sample(board, state, scratch, rng):
    """A legal action, each with equal probability; the game must not be over."""
    return _rule(state, "sample")(board, state, scratch, rng)


def mask_legal(board, state, scratch, out):
    """Write into `out` (bool, one an action) which actions are legal; the game must not be over."""
    _marking(rules_of_state(state))(board, state, scratch, out)


def play(board, state, scratch, action):
    """Carry out a legal action."""
    rules_of_state(state).play(board, state, scratch, action)


def over(board, state):
    """Whether the game has ended."""
    return rules_of_state(state).over(board, state)


def scores(board, state, out):
    """Write each player's score into `out` (float64, at least `board.players` long)."""
    rules_of_state(state).scores(board, state, out)


def candidates(board, state, scratch):
    """As `legal`, but only the actions that a search need look at; at least one.

    Left out is only what another action is at least as good as, so that proofs stay proofs.
    """
    return _rule(state, "candidates")(board, state, scratch)


def prior(board, state, scratch, count, out):
    """Write into `out` what share of a win, 0 to 1, each action of `scratch.actions[:count]` promises.

    A guess made before any simulation; 0.5 says nothing.
    """
    _rule(state, "prior")(board, state, scratch, count, out)


def playout_action(board, state, scratch, rng):
    """A legal action for a playout, drawn as the game thinks best; the game must not be over."""
    return _rule(state, "playout_action")(board, state, scratch, rng)


def is_decided(board, state, scratch):
    """Whether the game is over, or whoever leads by `scores` now will have won at the end."""
    return _rule(state, "is_decided")(board, state, scratch)


def observe(board, state, viewer, spots, out):
    """Write the position as a player sees it into `out` (float32; plane, spot), whoever is to act.

    `spots` (ascending) says at which spot of a plane each point of the board lies. Every plane has to be
    written at every point, whatever it held.
    """
    _rule(state, "observe")(board, state, viewer, spots, out)


def mark_features(board, state, scratch, out):
    """Write what the rules know of each point already into `out` (float32; feature, point), as the player to
    act sees it.

    None of it is needed to know the position: it spares a network working it out. Every feature has to be
    written at every point; numbers are best between 0 and 1. The game must not be over.
    """
    _rule(state, "mark_features")(board, state, scratch, out)


def solver_legal(board, state, scratch):
    """As `legal`, without actions that change no value: it is the same without them."""
    return _rule(state, "solver_legal")(board, state, scratch)


def solver_play(board, state, scratch, action):
    """As `play`, and all that follows of which the value is the same."""
    _rule(state, "solver_play")(board, state, scratch, action)


def piece(board, state, point):
    """A number from 0 for what is on a point, as far as values depend on it; 0 where nothing is."""
    return _rule(state, "piece")(board, state, point)


def numbers(board, state, out):
    """Write what else values depend on into `out` (int64); how many numbers."""
    return _rule(state, "numbers")(board, state, out)


def bound_scores(board, state, least, most):
    """Write what each player's score can't fall below and can't rise above any more (int64)."""
    _rule(state, "bound_scores")(board, state, least, most)


def standing(board, state, out):
    """Write how well each player stands (float64): actions are tried by the lead in it that they give."""
    _rule(state, "standing")(board, state, out)


def restore_nothing(board, state, scratch):
    """For states that hold nothing but identity fields."""


def list_each(board, state, scratch):
    """The list by asking for every action."""
    n = 0
    for action in range(board.actions):
        if is_legal(board, state, scratch, action):
            scratch.actions[n] = action
            n += 1
    return n


def is_among_legal(board, state, scratch, action):
    """Legality by listing."""
    n = legal(board, state, scratch)
    for i in range(n):
        if scratch.actions[i] == action:
            return True
    return False


def mask_each(board, state, scratch, out):
    """The mask by asking for every action."""
    for action in range(board.actions):
        out[action] = is_legal(board, state, scratch, action)


def mask_listed(board, state, scratch, out):
    """The mask by listing."""
    for action in range(board.actions):
        out[action] = False
    for k in range(legal(board, state, scratch)):
        out[scratch.actions[k]] = True


def sample_listed(board, state, scratch, rng):
    """Sampling by listing."""
    n = legal(board, state, scratch)
    return int(scratch.actions[below(rng, n)])


def leave_out_nothing(board, state, scratch):
    """Every legal action is a candidate."""
    return legal(board, state, scratch)


def expect_nothing(board, state, scratch, count, out):
    """No action promises more than another."""
    for i in range(count):
        out[i] = 0.5


def play_at_random(board, state, scratch, rng):
    """Playouts draw uniformly."""
    return sample(board, state, scratch, rng)


def is_decided_when_over(board, state, scratch):
    """Nothing is decided before the end."""
    return over(board, state)


def observe_stones(board, state, viewer, spots, out):
    """A plane of stones for each player, the viewer first, so for every kind of piece, and one that tells who
    acts; how many planes."""
    planes = board.players
    mark_players(board, spots, state.stones, viewer, 0, out)
    for _ in range(1, kinds_of(board)):  # none for most games: the first is not in the loop, for speed
        mark_players(board, spots, state.stones, viewer, planes, out[planes:])
        planes += board.players
    fill_plane(out[planes], int(state.to_move) / (board.players - 1))
    return planes + 1


def mark_nothing(board, state, scratch, out):
    """There are no features."""


def kinds_of(board):
    """How many kinds of pieces each player has: 1, unless the board has a field that says."""
    return int(board.kinds) if "kinds" in board.dtype.names else 1


UNKNOWN_SCORE = 15_000
"""Above any score."""


def play_on(board, state, scratch, action):
    """What the rules do."""
    play(board, state, scratch, action)


def list_all(board, state, scratch):
    """All that the rules allow."""
    return legal(board, state, scratch)


def stone(board, state, point):
    """Whose stone it is."""
    return int(state.stones[point]) + 1


def bound_nothing(board, state, least, most):
    """Nothing is certain before the end."""
    for player in range(board.players):
        least[player] = -UNKNOWN_SCORE
        most[player] = UNKNOWN_SCORE


def stand_by_scores(board, state, out):
    """Who has the higher score stands better."""
    scores(board, state, out)


_DEFAULTS: dict[str, Callable] = {
    "restore": restore_nothing,
    "legal": list_each,
    "is_legal": is_among_legal,
    "sample": sample_listed,
    "candidates": leave_out_nothing,
    "prior": expect_nothing,
    "playout_action": play_at_random,
    "is_decided": is_decided_when_over,
    "observe": observe_stones,
    "mark_features": mark_nothing,
    "solver_legal": list_all,
    "solver_play": play_on,
    "piece": stone,
    "bound_scores": bound_nothing,
    "standing": stand_by_scores,
}


def _rule(state, name):
    return _function(rules_of_state(state), name)


def _function(rules: ModuleType, name: str) -> Callable | None:
    """A game's own function, or what stands in for it."""
    own = function_of(rules, name)
    return own or (list_identity(rules.STATE, rules.IDENTITY) if name == "numbers" else _DEFAULTS.get(name))


@cache
def list_identity(record: np.dtype, fields: tuple[str, ...]) -> Callable:
    """The `numbers` of a game that doesn't say: all that its identity fields hold beside the stones."""

    def numbers(board, state, out):
        return 0

    for name in fields:
        if name != "stones":
            numbers = _append_field(numbers, name, bool(record[name].shape))
    return numbers


def _append_field(before: Callable, name: str, is_array: bool) -> Callable:
    def append_array(board, state, out):
        n = before(board, state, out)
        for number in state[name].flat:
            out[n] = number
            n += 1
        return n

    def append_number(board, state, out):
        n = before(board, state, out)
        out[n] = state[name]
        return n + 1

    make_compilable(before)
    chosen = append_array if is_array else append_number
    make_compilable(chosen)
    return chosen


def _marking(rules: ModuleType) -> Callable:
    """Games that can tell legality of one action do so without going through the list."""
    own = function_of(rules, "mask_legal")
    return own or (mask_each if function_of(rules, "is_legal") else mask_listed)


def _chosen(state: Any, name: str) -> Callable | None:
    rules = rules_of_type(state)
    return _function(rules, name) if rules else None


def _chosen_mask(state: Any) -> Callable | None:
    rules = rules_of_type(state)
    return _marking(rules) if rules else None


def _chosen_kinds(board):
    if "kinds" in board.fields:
        return lambda board: board.kinds
    return lambda board: 1


# Numba matches an overload's parameter names with those of the calls, so each is spelled out. They are
# kept in a constant, as the cache's fingerprint reads those; `kakomi.kernel.compiler` gives them to Numba.
OVERLOADS = (
    (reset, lambda board, state: _chosen(state, "reset")),
    (restore, lambda board, state, scratch: _chosen(state, "restore")),
    (legal, lambda board, state, scratch: _chosen(state, "legal")),
    (is_legal, lambda board, state, scratch, action: _chosen(state, "is_legal")),
    (sample, lambda board, state, scratch, rng: _chosen(state, "sample")),
    (play, lambda board, state, scratch, action: _chosen(state, "play")),
    (over, lambda board, state: _chosen(state, "over")),
    (scores, lambda board, state, out: _chosen(state, "scores")),
    (candidates, lambda board, state, scratch: _chosen(state, "candidates")),
    (prior, lambda board, state, scratch, count, out: _chosen(state, "prior")),
    (playout_action, lambda board, state, scratch, rng: _chosen(state, "playout_action")),
    (is_decided, lambda board, state, scratch: _chosen(state, "is_decided")),
    (observe, lambda board, state, viewer, spots, out: _chosen(state, "observe")),
    (mark_features, lambda board, state, scratch, out: _chosen(state, "mark_features")),
    (solver_legal, lambda board, state, scratch: _chosen(state, "solver_legal")),
    (solver_play, lambda board, state, scratch, action: _chosen(state, "solver_play")),
    (piece, lambda board, state, point: _chosen(state, "piece")),
    (numbers, lambda board, state, out: _chosen(state, "numbers")),
    (bound_scores, lambda board, state, least, most: _chosen(state, "bound_scores")),
    (standing, lambda board, state, out: _chosen(state, "standing")),
    (mask_legal, lambda board, state, scratch, out: _chosen_mask(state)),
    (kinds_of, _chosen_kinds),
)
for _stub, _ in OVERLOADS:
    mark_compilable(_stub)
for _default in (mask_each, mask_listed, *_DEFAULTS.values()):
    make_compilable(_default)
