"""Checks of what must stay as it is: positions that are asked, played from, refused, copied, rebuilt."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from kakomi.core import IllegalAction, Position
from kakomi.core import steps as positions
from kakomi.core.position import position_from_key
from kakomi.research import steps
from kakomi.research.certify.asking import is_legal, sampled
from kakomi.research.certify.facts import facts, spread
from kakomi.research.certify.inspection import Inspection
from kakomi.research.certify.trails import Trail
from kakomi.research.observation import observation_spec

REFUSED = 8
"""So many illegal actions are tried at a position."""
PLAYED = 4
"""So many legal actions are tried at a position."""
COPIED = 8
"""So many positions of a game are copied."""
COPIES_PLAY_ON = 2
"""So many actions are played from a copy."""
REBUILT = 6
"""So many positions of a game are rebuilt and played on to its end."""


def refusals(inspection: Inspection) -> None:
    """An action that isn't legal raises IllegalAction, says why, and leaves everything as it was."""
    chance = random.Random(inspection.name)
    numbers = range(len(inspection.game.actions))
    for position in inspection.positions():
        before = facts(position)
        others = sorted(set(numbers) - set(position.legal_actions()))
        for action in (-1, len(numbers), *chance.sample(others, min(REFUSED, len(others)))):
            inspection.same("IllegalAction with a reason", "raised", _refused(position, action), action)
            inspection.same("after the refusal: key", before["key"], position.key().hex(), action)
        inspection.same_facts("after refusals", before, facts(position))


def _refused(position: Position, action: int) -> str:
    try:
        position.play_action(action)
    except IllegalAction as error:
        return "raised" if str(error) else "raised without a word"
    return "played"


def queries(inspection: Inspection) -> None:
    """Asking rules for anything leaves the identity fields of a state as they are."""
    game = inspection.game
    identity = list(game.description.rules.IDENTITY)
    for position in inspection.positions():
        states = position.states()
        before = {name: states[name].tolist() for name in identity}
        for name, ask in _queries(position, states).items():
            ask()
            after = {name: states[name].tolist() for name in identity}
            inspection.same_facts(f"after {name}", before, after)


def _queries(position: Position, states: np.ndarray) -> dict[str, Callable[[], object]]:
    """Everything that can be asked about a state, by the contract's name for it."""
    game, spec = position.game, observation_spec(position.game)
    shown = np.zeros((1, spec.shape[0], spec.height * spec.width), np.float32)
    mask, scores = np.zeros((1, len(game.actions)), np.bool_), np.zeros(game.players)
    space = game.board, states, game.scratch
    return {
        "legal": lambda: positions.list_legal(*space),
        "is_legal": lambda: [is_legal(game, states, action) for action in range(len(game.actions))],
        "mask_legal and observe": lambda: steps.show_position(
            *space, position.to_move, spec.spots, shown, mask
        ),
        "sample": lambda: sampled(game, states, position.ply),
        "scores": lambda: positions.count_scores(game.board, states, scores),
    }


def copies(inspection: Inspection) -> None:
    """Playing from a position leaves it as it was; its pickles and copies are equal and go on equally."""
    for trail in inspection.trails:
        passed = list(inspection.walk(trail))
        known = [facts(position) for position in passed]
        for position in spread(passed, COPIED):
            inspection.place = trail.actions[: position.ply]
            for action in spread(position.legal_actions(), PLAYED):
                position.play_action(action)
                inspection.same_facts("after playing on", known[position.ply], facts(position), action)
            for twin in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
                _follow(inspection, trail, known, twin, position.ply, COPIES_PLAY_ON)


def restoring(inspection: Inspection) -> None:
    """A position rebuilt from its key plays the rest of the game as the original does."""
    for trail in inspection.trails:
        passed = list(inspection.walk(trail))
        known = [facts(position) for position in passed]
        for position in spread(passed, REBUILT):
            inspection.place = trail.actions[: position.ply]
            twin = position_from_key(inspection.game, position.key())
            _follow(inspection, trail, known, twin, position.ply, len(passed))


def _follow(
    inspection: Inspection,
    trail: Trail,
    known: list[dict[str, Any]],
    twin: Position,
    ply: int,
    most: int,
) -> None:
    """A twin of the position at a ply must play at most so many of the following actions as it did."""
    inspection.place = trail.actions[:ply]
    inspection.same_facts("of a twin", known[ply], facts(twin))
    for action in trail.actions[ply : ply + most]:
        twin = twin.play_action(action)
        inspection.place += (action,)
        inspection.same_facts("after a twin", known[len(inspection.place)], facts(twin))
