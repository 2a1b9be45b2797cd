"""Checks of invariance: positions that are queried, copied, rebuilt, transformed, written and read."""

import copy
import pickle
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kakomi import records
from kakomi.core import Game, IllegalAction, Position
from kakomi.core import steps as positions
from kakomi.core.position import position_from_key, rotate_players
from kakomi.core.symmetry import Symmetry
from kakomi.research import steps
from kakomi.research.certify.random_games import Inspection, RandomGame, is_legal, sampled, snapshot, spread
from kakomi.research.observation import observation_spec

REFUSED = 8
"""The number of illegal actions tried at a position."""
PLAYED = 4
"""The number of legal actions tried at a position."""
COPIED = 8
"""The number of positions of a game that are copied."""
COPIES_PLAY_ON = 2
"""The number of actions played from a copy."""
REBUILT = 6
"""The number of positions of a game that are rebuilt and played on to the end."""


def refusals(inspection: Inspection) -> None:
    """An illegal action raises IllegalAction, says why, and changes nothing."""
    chance = random.Random(inspection.name)
    numbers = range(len(inspection.game.actions))
    for position in inspection.positions():
        before = snapshot(position)
        others = sorted(set(numbers) - set(position.legal_actions()))
        for action in (-1, len(numbers), *chance.sample(others, min(REFUSED, len(others)))):
            inspection.same("IllegalAction with a reason", "raised", _refused(position, action), action)
            inspection.same("after the refusal: key", before["key"], position.key().hex(), action)
        inspection.same_facts("after refusals", before, snapshot(position))


def _refused(position: Position, action: int) -> str:
    try:
        position.play_action(action)
    except IllegalAction as error:
        return "raised" if str(error) else "raised without a word"
    return "played"


def queries(inspection: Inspection) -> None:
    """Queries leave the identity fields of a state unchanged."""
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
    """All queries of a state, by their names in the contract."""
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
    """Playing from a position doesn't change it; its pickles and copies are equal and play on equally."""
    for one in inspection.random_games:
        passed = list(inspection.walk(one))
        known = [snapshot(position) for position in passed]
        for position in spread(passed, COPIED):
            inspection.place = one.actions[: position.ply]
            for action in spread(position.legal_actions(), PLAYED):
                position.play_action(action)
                inspection.same_facts("after playing on", known[position.ply], snapshot(position), action)
            for twin in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
                _follow(inspection, one, known, twin, position.ply, COPIES_PLAY_ON)


def restoring(inspection: Inspection) -> None:
    """A position rebuilt from its key plays the rest of the game as the original does."""
    for one in inspection.random_games:
        passed = list(inspection.walk(one))
        known = [snapshot(position) for position in passed]
        for position in spread(passed, REBUILT):
            inspection.place = one.actions[: position.ply]
            twin = position_from_key(inspection.game, position.key())
            _follow(inspection, one, known, twin, position.ply, len(passed))


def arranging(inspection: Inspection) -> None:
    """A position set up by hand from its identity fields is the same."""
    game = inspection.game
    others = [name for name in game.description.rules.IDENTITY if name not in ("stones", "to_move")]
    for one in inspection.random_games:
        for position in spread(list(inspection.walk(one)), COPIED):
            inspection.place = one.actions[: position.ply]
            stones = position.state["stones"]
            held = {name: int(stones[game.geometry.index[name]]) for name in position.stones()}
            fields = {name: position.state[name].copy() for name in others}
            again = game.arranged(held, position.to_move, **fields)
            inspection.same("the key of the same set up by hand", position.key().hex(), again.key().hex())


def symmetries(inspection: Inspection) -> None:
    """Play commutes with the rotations and reflections of the board."""
    game = inspection.game
    numbers = list(range(len(game.actions)))
    inspection.same("actions of the first symmetry", numbers, list(game.symmetries[0].actions))
    for number, symmetry in enumerate(game.symmetries[1:], 1):
        inspection.same(f"actions of game.symmetries[{number}], sorted", numbers, sorted(symmetry.actions))
        what = f"of the image by game.symmetries[{number}]"
        for walk in inspection.walks():
            image = next(walk)
            for position in walk:
                image = image.play_action(symmetry.actions[inspection.place[-1]])
                inspection.same_facts(what, _turned(position, symmetry), _seen(image))


def _turned(position: Position, symmetry: Symmetry) -> dict[str, object]:
    names, index = position.game.geometry.names, position.game.geometry.index
    return _seen(position) | {
        "stones": {names[symmetry.points[index[name]]]: stone for name, stone in position.stones().items()},
        "kinds": {names[symmetry.points[index[name]]]: kind for name, kind in position.kinds().items()},
        "legal actions": {symmetry.actions[action] for action in position.legal_actions()},
    }


def _seen(position: Position) -> dict[str, object]:
    """The facts about a position that can be compared across a symmetry."""
    return snapshot(position) | {"legal actions": set(position.legal_actions()), "key": None}


def players(inspection: Inspection) -> None:
    """Play stays the same when players exchange seats, with scores and turns exchanged too."""
    game = inspection.game
    if not game.description.players_are_alike(game.options):
        return
    for by in range(1, game.players):
        for walk in inspection.walks():
            other = rotate_players(next(walk), by)
            for position in walk:
                other = other.play_action(inspection.place[-1])
                inspection.same_facts(
                    f"of players rotated by {by}", snapshot(rotate_players(position, by)), snapshot(other)
                )
                inspection.same("legal actions, rotated", position.legal(), other.legal())
                inspection.same("scores, rotated", _rotated(position.scores(), by), other.scores())
                if position.is_over:
                    inspection.same("returns, rotated", _rotated(position.returns(), by), other.returns())


def _rotated(numbers: Sequence[float], by: int) -> list[float]:
    return [numbers[(player - by) % len(numbers)] for player in range(len(numbers))]


def _follow(
    inspection: Inspection,
    one: RandomGame,
    known: list[dict[str, Any]],
    twin: Position,
    ply: int,
    most: int,
) -> None:
    """Check that a twin of the position at a ply plays up to `most` of the following actions equally."""
    inspection.place = one.actions[:ply]
    inspection.same_facts("of a twin", known[ply], snapshot(twin))
    for action in one.actions[ply : ply + most]:
        twin = twin.play_action(action)
        inspection.place += (action,)
        inspection.same_facts("after a twin", known[len(inspection.place)], snapshot(twin))


def spellings(inspection: Inspection) -> None:
    """Every action's text is read back as that action, in any spacing and case."""
    game = inspection.game
    for number, text in enumerate(game.action_texts):
        for spelled in (text, text.upper(), f" {text} ", f"({text})"):
            inspection.same(f"the action read from {spelled!r}:", number, game.action(spelled))
    for before, action, after in inspection.steps():
        played = before.play(game.action_texts[action])
        inspection.same(f"the key after {game.action_texts[action]}", after.key().hex(), played.key().hex())


def notation(inspection: Inspection) -> None:
    """A position's text is one line of ASCII, and is read back as an equal position with an equal hash."""
    for position in inspection.positions():
        text = str(position)
        inspection.holds("a text", text.isascii() and text.isprintable(), "of one line of ASCII", text)
        again = inspection.game.position(text)
        inspection.same(f"the key read from {text!r}", position.key().hex(), again.key().hex())
        inspection.same(f"the hash read from {text!r}", hash(position), hash(again))


def recording(inspection: Inspection) -> None:
    """A game's record survives JSON unchanged, and leads to the same position."""
    game = inspection.game

    def find(name: str, /, **options: object) -> Game:
        return Game(game.description, options)

    for one in inspection.random_games:
        *_, last = inspection.walk(one)
        record = records.recorded(game, one.actions)
        again = records.read(records.write(record, game, "json"), find)
        inspection.same("a record", record, again)
        end = records.position_after(again, game)
        inspection.same("the key at its end", last.key().hex(), end.key().hex())
