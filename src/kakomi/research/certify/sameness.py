"""Checks of what must come to the same: masks and lists, images, orders, environments, modes."""

import random
from collections.abc import Iterator, Sequence

import numpy as np

from kakomi.core import IllegalAction, Position
from kakomi.core.symmetry import Symmetry, rotate_players
from kakomi.kernel import Mode, use_mode
from kakomi.research.certify.asking import is_legal, sampled
from kakomi.research.certify.facts import facts, sight, spread
from kakomi.research.certify.inspection import Inspection
from kakomi.research.observation import observation_spec, observe
from kakomi.research.vector import VectorEnv

SAMPLES = 5
"""So many actions are drawn at a position."""
REORDERED = 12
"""So many positions of a game are followed by the same actions in other orders."""
ON = 6
"""So many actions are played on from two ways to a position."""


def masks(inspection: Inspection) -> None:
    """The legal mask, the list, the answer for every single action and what is drawn agree."""
    numbers = range(len(inspection.game.actions))
    for position in inspection.positions():
        legal = set(position.legal_actions())
        inspection.same_actions("the mask and the list", legal, np.flatnonzero(observe(position)[1]).tolist())
        if position.is_over:
            continue
        states = position.states()
        single = {action for action in numbers if is_legal(position.game, states, action)}
        inspection.same_actions("each action by itself and the list", legal, single)
        drawn = {sampled(position.game, states, 1000 * position.ply + seed) for seed in range(SAMPLES)}
        inspection.same_actions("drawn actions and those of them in the list", drawn & legal, drawn)


def views(inspection: Inspection) -> None:
    """Every player sees their own stones first, then those of the others in turn order, and who acts."""
    game, spec = inspection.game, observation_spec(inspection.game)
    for position in inspection.positions():
        stones = position.state["stones"][: game.geometry.points]
        acts = np.float32(position.to_move / (game.players - 1))
        for player in range(game.players):
            planes = observe(position, player)[0].reshape(
                -1, observation_spec(game).height * observation_spec(game).width
            )
            for later in range(game.players):
                owner = (player + later) % game.players
                what = f"stones of player {owner} on plane {later} of player {player}:"
                inspection.same(what, (stones == owner).tolist(), (planes[later, spec.spots] == 1).tolist())
            told = set(planes[game.players, spec.spots].tolist())
            inspection.same("who acts, by its plane:", {acts.item()}, told)


def symmetries(inspection: Inspection) -> None:
    """Play commutes with the rotations and reflections of the board."""
    for number, symmetry in enumerate(inspection.game.symmetries[1:], 1):
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
        "legal actions": {symmetry.actions[action] for action in position.legal_actions()},
    }


def _seen(position: Position) -> dict[str, object]:
    """What an image shows, in no order."""
    return facts(position) | {"legal actions": set(position.legal_actions()), "key": None}


def players(inspection: Inspection) -> None:
    """Players who change places go on as before, with scores and turns that went along."""
    game = inspection.game
    if not game.description.players_are_alike(game.options):
        return
    for by in range(1, game.players):
        for walk in inspection.walks():
            other = rotate_players(next(walk), by)
            for position in walk:
                other = other.play_action(inspection.place[-1])
                inspection.same_facts(
                    f"of players rotated by {by}", facts(rotate_players(position, by)), facts(other)
                )
                inspection.same("scores, rotated", _rotated(position.scores(), by), other.scores())
                if position.is_over:
                    inspection.same("returns, rotated", _rotated(position.returns(), by), other.returns())


def _rotated(numbers: Sequence[float], by: int) -> list[float]:
    return [numbers[(player - by) % len(numbers)] for player in range(len(numbers))]


def orders(inspection: Inspection) -> None:
    """Where actions in another order lead to the same, keys and hashes are equal and play goes on alike."""
    length = inspection.game.players + 3  # enough for a player to act twice
    for trail in inspection.trails:
        for start in spread(list(inspection.walk(trail)), REORDERED):
            inspection.place = trail.actions[: start.ply]
            _compare_orders(inspection, start, trail.actions[start.ply : start.ply + length])


def _compare_orders(inspection: Inspection, start: Position, actions: Sequence[int]) -> None:
    place = inspection.place
    reached = _after(start, actions)
    if reached is None or reached.is_over:
        return
    for order in _swapped(actions):
        other = _after(start, order)
        if other is None or other.is_over:
            continue
        inspection.place = (*place, *order)
        is_between_turns = not reached.turn  # within one, a state may hold how the turn began
        if is_between_turns and sight(other) == sight(reached):
            inspection.same("the key of the same by another way", reached.key().hex(), other.key().hex())
        if other.key() == reached.key():
            inspection.same("the hash of an equal position", hash(reached), hash(other))
            _play_on(inspection, reached, other)


def _swapped(actions: Sequence[int]) -> Iterator[list[int]]:
    """The actions with two of them exchanged, for every two."""
    for last in range(len(actions)):
        for first in range(last):
            order = list(actions)
            order[first], order[last] = order[last], order[first]
            yield order


def _after(position: Position, actions: Sequence[int]) -> Position | None:
    """The position after these actions, None if one of them is not legal."""
    try:
        for action in actions:
            position = position.play_action(action)
    except IllegalAction:
        return None
    return position


def _play_on(inspection: Inspection, one: Position, other: Position) -> None:
    """Two ways to a position must go on in the same way."""
    chance = random.Random(one.ply)
    inspection.same_facts("of an equal position", facts(one), facts(other))
    for _ in range(ON):
        if one.is_over:
            return
        action = chance.choice(one.legal_actions())
        one, other = one.play_action(action), other.play_action(action)
        inspection.place += (action,)
        inspection.same_facts("on from an equal position", facts(one), facts(other))


def environment(inspection: Inspection) -> None:
    """Many games stepped at once play and show what single positions do."""
    game = inspection.game
    for walk in inspection.walks():
        with VectorEnv(game, 2, autoreset="disabled") as env:
            shown = env.shown
            for position in walk:
                if inspection.place:
                    shown = env.step([inspection.place[-1]] * 2)
                observation, mask = observe(position)
                rewards = np.array(position.returns() if position.is_over else [0] * game.players, np.float32)
                inspection.same("its observation", observation.tobytes(), shown.observations[1].tobytes())
                inspection.same_actions("its mask", np.flatnonzero(mask), np.flatnonzero(shown.masks[1]))
                inspection.same("its player to act", position.to_move, int(shown.to_move[1]))
                inspection.same("its end", position.is_over, bool(shown.done[1]))
                inspection.same("its rewards", rewards.tolist(), shown.rewards[1].tolist())
            inspection.same("its position", position.key().hex(), env.position(1).key().hex())


def modes(inspection: Inspection) -> None:
    """Compiled rules, with bounds checks and without, do what interpreted ones do."""
    for trail in inspection.trails:
        interpreted = [_shown(position) for position in inspection.walk(trail)]
        for mode in (Mode.CHECKED, Mode.COMPILED):
            with use_mode(mode):
                for position, expected in zip(inspection.walk(trail), interpreted, strict=True):
                    inspection.same_facts(mode.value, expected, _shown(position))


def _shown(position: Position) -> dict[str, object]:
    return facts(position) | {"observation": observe(position)[0].tobytes()}
