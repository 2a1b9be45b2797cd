"""The interface of a game's rules: stubs that dispatch on the record type of `state`.

Every game's `rules.py` defines functions with these names and parameter names. `board` is one record with the
geometry and the options, `state` the position (changed in place), `scratch` working space whose content
doesn't survive a call. Generic code may rely on the fields that `kakomi.kernel.records` defines, and on
`board.kinds` for games with several kinds of pieces: then `state.stones` holds player + kind * players.

`sample`, `restore`, `owner`, and one of `legal` and `is_legal` are optional and have defaults here.

The second part, from a game's `policy.py`, advises a search: `candidates`, `prior`, `playout_action` and
`is_decided`. All of them are optional; none changes what is legal.

The third part, from a game's `observation.py`, is the input of a learner: `observe`, which is optional if the
stones and the player to act describe the position, and `mask_legal` and `mark_features`, which are always
optional.

The fourth part, from a game's `solving.py`, speeds up a solver: `solver_legal`, `solver_play`, `piece`,
`numbers`, `bound_scores` and `standing`. All of them are optional.
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
    """Set `state` to the starting position."""
    rules_of_state(state).reset(board, state)


def restore(board, state, scratch):
    """Compute every field of `state` that isn't one of the game's identity fields."""
    _rule(state, "restore")(board, state, scratch)


def legal(board, state, scratch):
    """Write the legal actions, ascending, into `scratch.actions`. Return their number (0 only when over)."""
    return _rule(state, "legal")(board, state, scratch)


def is_legal(board, state, scratch, action):
    """Whether an action (0 or more, below the game's number of actions) is legal now."""
    return _rule(state, "is_legal")(board, state, scratch, action)


def sample(board, state, scratch, rng):
    """Draw a uniformly random legal action. The game must not be over."""
    return _rule(state, "sample")(board, state, scratch, rng)


def mask_legal(board, state, scratch, out):
    """Write into `out` (bool [actions]) which actions are legal. The game must not be over."""
    _marking(rules_of_state(state))(board, state, scratch, out)


def play(board, state, scratch, action):
    """Play a legal action."""
    rules_of_state(state).play(board, state, scratch, action)


def over(board, state):
    """Whether the game has ended."""
    return rules_of_state(state).over(board, state)


def scores(board, state, out):
    """Write each player's score into `out` (float64, at least `board.players` long)."""
    rules_of_state(state).scores(board, state, out)


def owner(board, state, point):
    """Return the player who owns a point now, or `EMPTY`; by default the one with a stone there."""
    return _rule(state, "owner")(board, state, point)


def candidates(board, state, scratch):
    """Like `legal`, but write only the actions that a search needs to try, at least one.

    Only actions that another one equals or beats may be left out, so that proofs stay valid.
    """
    return _rule(state, "candidates")(board, state, scratch)


def prior(board, state, scratch, count, out):
    """Write the prior of each action of `scratch.actions[:count]` into `out`.

    A prior is the share of a win, 0 to 1, expected before any simulation; 0.5 is neutral.
    """
    _rule(state, "prior")(board, state, scratch, count, out)


def playout_action(board, state, scratch, rng):
    """Draw a legal action for a playout by the game's policy. The game must not be over."""
    return _rule(state, "playout_action")(board, state, scratch, rng)


def is_decided(board, state, scratch):
    """Whether the game is over, or the player who leads by `scores` now is certain to win."""
    return _rule(state, "is_decided")(board, state, scratch)


def observe(board, state, viewer, spots, out):
    """Write the position as a player sees it into `out` (float32 [planes, spots]), whoever is to act.

    `spots` (ascending) is the index of each point of the board within a plane. Every plane must be written at
    every point: `out` may hold old values.
    """
    _rule(state, "observe")(board, state, viewer, spots, out)


def mark_features(board, state, scratch, out):
    """Write features that the rules compute for each point into `out` (float32 [features, points]), as the
    player to act sees them.

    They follow from the position, but spare a network from computing them. Every feature must be written at
    every point; values should be between 0 and 1. The game must not be over.
    """
    _rule(state, "mark_features")(board, state, scratch, out)


def solver_legal(board, state, scratch):
    """Like `legal`, without actions whose removal changes no value."""
    return _rule(state, "solver_legal")(board, state, scratch)


def solver_play(board, state, scratch, action):
    """Like `play`, continued with follow-up actions that don't change the value."""
    _rule(state, "solver_play")(board, state, scratch, action)


def piece(board, state, point):
    """Return a number for the content of a point, as far as values depend on it; 0 if it is empty."""
    return _rule(state, "piece")(board, state, point)


def numbers(board, state, out):
    """Write the other numbers that values depend on into `out` (int64). Return how many there are."""
    return _rule(state, "numbers")(board, state, out)


def bound_scores(board, state, least, most):
    """Write a lower and an upper bound on each player's final score (int64 [players])."""
    _rule(state, "bound_scores")(board, state, least, most)


def standing(board, state, out):
    """Write an evaluation of each player (float64 [players]), whose lead orders the solver's actions."""
    _rule(state, "standing")(board, state, out)


def restore_nothing(board, state, scratch):
    """Do nothing: the default for states with only identity fields."""


def list_each(board, state, scratch):
    """List the legal actions by testing every action."""
    n = 0
    for action in range(board.actions):
        if is_legal(board, state, scratch, action):
            scratch.actions[n] = action
            n += 1
    return n


def is_among_legal(board, state, scratch, action):
    """Test legality by listing the legal actions."""
    n = legal(board, state, scratch)
    for i in range(n):
        if scratch.actions[i] == action:
            return True
    return False


def mask_each(board, state, scratch, out):
    """Write the mask by testing every action."""
    for action in range(board.actions):
        out[action] = is_legal(board, state, scratch, action)


def mask_listed(board, state, scratch, out):
    """Write the mask by listing the legal actions."""
    for action in range(board.actions):
        out[action] = False
    for k in range(legal(board, state, scratch)):
        out[scratch.actions[k]] = True


def sample_listed(board, state, scratch, rng):
    """Draw from the list of legal actions."""
    n = legal(board, state, scratch)
    return int(scratch.actions[below(rng, n)])


def holder(board, state, point):
    """Return the player with a piece on a point, or `EMPTY`."""
    stone = int(state.stones[point])
    return stone % board.players if stone >= 0 else stone


def leave_out_nothing(board, state, scratch):
    """List every legal action as a candidate."""
    return legal(board, state, scratch)


def uniform_prior(board, state, scratch, count, out):
    """Give every action the same prior."""
    for i in range(count):
        out[i] = 0.5


def play_at_random(board, state, scratch, rng):
    """Draw uniformly."""
    return sample(board, state, scratch, rng)


def is_decided_when_over(board, state, scratch):
    """Treat nothing as decided before the end."""
    return over(board, state)


def observe_stones(board, state, viewer, spots, out):
    """Write a plane of stones for each player, the viewer first, for each kind of piece; then a plane for
    the player to act. Return the number of planes."""
    planes = board.players
    mark_players(board, spots, state.stones, viewer, 0, out)
    for _ in range(1, kinds_of(board)):  # empty for most games; the first kind is outside for speed
        mark_players(board, spots, state.stones, viewer, planes, out[planes:])
        planes += board.players
    fill_plane(out[planes], int(state.to_move) / (board.players - 1))
    return planes + 1


def mark_nothing(board, state, scratch, out):
    """Write no features."""


def kinds_of(board):
    """Return the number of kinds of pieces per player: `board.kinds`, or 1 without that field."""
    return int(board.kinds) if "kinds" in board.dtype.names else 1


UNKNOWN_SCORE = 15_000
"""Larger than any score."""


def play_on(board, state, scratch, action):
    """Play by the rules alone."""
    play(board, state, scratch, action)


def list_all(board, state, scratch):
    """List every legal action."""
    return legal(board, state, scratch)


def stone(board, state, point):
    """Return 1 + the content of `state.stones`, 0 for an empty point."""
    return int(state.stones[point]) + 1


def bound_nothing(board, state, least, most):
    """Write bounds that say nothing."""
    for player in range(board.players):
        least[player] = -UNKNOWN_SCORE
        most[player] = UNKNOWN_SCORE


def stand_by_scores(board, state, out):
    """Use the scores as the evaluation."""
    scores(board, state, out)


_DEFAULTS: dict[str, Callable] = {
    "restore": restore_nothing,
    "legal": list_each,
    "is_legal": is_among_legal,
    "sample": sample_listed,
    "owner": holder,
    "candidates": leave_out_nothing,
    "prior": uniform_prior,
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
    """Return a game's own function, or the default."""
    own = function_of(rules, name)
    return own or (list_identity(rules.STATE, rules.IDENTITY) if name == "numbers" else _DEFAULTS.get(name))


@cache
def list_identity(record: np.dtype, fields: tuple[str, ...]) -> Callable:
    """Make the default `numbers` function, which lists the identity fields other than the stones."""

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
    """Return the mask function: the game's own, else by `is_legal` if it defines that, else by listing."""
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


# Numba matches an overload's parameter names with those of the calls, so each is spelled out. A constant
# holds them because the cache's fingerprint covers constants; `kakomi.kernel.compiler` registers them.
OVERLOADS = (
    (reset, lambda board, state: _chosen(state, "reset")),
    (restore, lambda board, state, scratch: _chosen(state, "restore")),
    (legal, lambda board, state, scratch: _chosen(state, "legal")),
    (is_legal, lambda board, state, scratch, action: _chosen(state, "is_legal")),
    (sample, lambda board, state, scratch, rng: _chosen(state, "sample")),
    (play, lambda board, state, scratch, action: _chosen(state, "play")),
    (over, lambda board, state: _chosen(state, "over")),
    (scores, lambda board, state, out: _chosen(state, "scores")),
    (owner, lambda board, state, point: _chosen(state, "owner")),
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
