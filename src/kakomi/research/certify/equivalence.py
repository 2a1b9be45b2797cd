"""Checks of equivalence: masks and lists, views, orders, environments, modes, references."""

import math
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from kakomi.core import IllegalAction, Position
from kakomi.kernel import Mode, use_mode
from kakomi.research import steps
from kakomi.research.certify.random_games import (
    Inspection,
    appearance,
    drawn,
    is_legal,
    sampled,
    snapshot,
    spread,
)
from kakomi.research.observation import observation_spec, observe
from kakomi.research.vector import VectorEnv

SAMPLES = 5
"""The number of actions drawn at each position."""
SAMPLED = 2
"""The number of positions of a game at which the distribution of drawn actions is tested."""
DRAWS_OF_EACH = 30
"""The expected count of each action."""
REORDERED = 12
"""The number of positions of a game from which orders of actions are compared."""
ON = 6
"""The number of actions to play on after reaching a position in two ways."""


def masks(inspection: Inspection) -> None:
    """The legal mask, the list of legal actions, the test of each action and random draws agree."""
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
    """Observations have the viewer's pieces first, then the others' in turn order, and the player to act."""
    game, spec = inspection.game, observation_spec(inspection.game)
    kinds = len(game.description.style.kinds) or 1
    for position in inspection.positions():
        stones = position.state["stones"][: game.geometry.points]
        acts = np.float32(position.to_move / (game.players - 1))
        for player in range(game.players):
            planes = observe(position, player)[0].reshape(len(spec.planes), -1)[:, spec.spots]
            for plane in range(kinds * game.players):
                kind, later = divmod(plane, game.players)
                owner = (player + later) % game.players
                what = f"pieces of player {owner} on plane {plane} of player {player}:"
                held = stones == kind * game.players + owner
                inspection.same(what, held.tolist(), (planes[plane] == 1).tolist())
            told = set(planes[kinds * game.players].tolist())
            inspection.same("who acts, by its plane:", {acts.item()}, told)


def planes(inspection: Inspection) -> None:
    """Planes have unique names, are written at every point, and keep to their bounds."""
    spec = observation_spec(inspection.game)
    inspection.same("names of planes, none twice:", len(set(spec.planes)), len(spec.planes))
    for position in inspection.positions():
        over_zeros, over_sevens = (_written(position, number) for number in (0, 7))
        inspection.same("planes, whatever they held:", over_zeros.tolist(), over_sevens.tolist())
        for plane, low, high, numbers in zip(spec.planes, spec.low, spec.high, over_zeros, strict=True):
            within = bool(low <= numbers.min() and numbers.max() <= high)
            seen = f"{numbers.min()} to {numbers.max()}"
            inspection.holds(f"on plane {plane!r}", within, f"numbers from {low} to {high}", seen)


def _written(position: Position, number: int) -> np.ndarray:
    """The observation of the player to act at every point, written to planes filled with a number."""
    game, spec = position.game, observation_spec(position.game)
    seen = np.full((1, len(spec.planes), spec.height * spec.width), number, np.float32)
    mask = np.zeros((1, len(game.actions)), np.bool_)
    states = position.states()
    steps.show_position(game.board, states, game.scratch, position.to_move, spec.spots, seen, mask)
    points: np.ndarray = seen[0][:, spec.spots]
    return points


def sampling(inspection: Inspection) -> None:
    """Legal actions are drawn with equal probability."""
    game = inspection.game
    for one in inspection.random_games:
        for position in spread([p for p in inspection.walk(one) if not p.is_over], SAMPLED):
            inspection.place = one.actions[: position.ply]
            legal = position.legal_actions()
            draws = DRAWS_OF_EACH * len(legal)
            counts = np.bincount(drawn(game, position.states(), position.ply, draws), minlength=1)
            counts = np.pad(counts, (0, max(0, len(game.actions) - len(counts))))[legal]
            chi_square = float(((counts - DRAWS_OF_EACH) ** 2).sum()) / DRAWS_OF_EACH
            likely = len(legal) - 1 + 6 * math.sqrt(2 * (len(legal) - 1)) + 20  # six standard deviations
            what = f"of {draws} draws, {DRAWS_OF_EACH} of each action or so; chi-square"
            inspection.holds(what, chi_square <= likely, f"up to {likely:.0f}", f"{chi_square:.0f}")


def orders(inspection: Inspection) -> None:
    """Positions reached by actions in different orders have equal keys and hashes, and play on equally."""
    length = inspection.game.players + 3  # enough for a player to act twice
    for one in inspection.random_games:
        for start in spread(list(inspection.walk(one)), REORDERED):
            inspection.place = one.actions[: start.ply]
            _compare_orders(inspection, start, one.actions[start.ply : start.ply + length])


def _compare_orders(inspection: Inspection, start: Position, actions: Sequence[int]) -> None:
    place = inspection.place
    reached = after(start, actions)
    if reached is None or reached.is_over:
        return
    for order in _swapped(actions):
        other = after(start, order)
        if other is None or other.is_over:
            continue
        inspection.place = (*place, *order)
        is_between_turns = not reached.turn  # within one, a state may hold how the turn began
        if is_between_turns and appearance(other) == appearance(reached):
            inspection.same("the key of an equal observation", reached.key().hex(), other.key().hex())
        if other.key() == reached.key():
            inspection.same("the hash of an equal position", hash(reached), hash(other))
            _play_on(inspection, reached, other)


def _swapped(actions: Sequence[int]) -> Iterator[list[int]]:
    """The actions with each pair of them exchanged."""
    for last in range(len(actions)):
        for first in range(last):
            order = list(actions)
            order[first], order[last] = order[last], order[first]
            yield order


def after(position: Position, actions: Sequence[int]) -> Position | None:
    """The position after the actions; None if one of them is illegal."""
    try:
        for action in actions:
            position = position.play_action(action)
    except IllegalAction:
        return None
    return position


def _play_on(inspection: Inspection, one: Position, other: Position) -> None:
    """Check that play from a position doesn't depend on how it was reached."""
    chance = random.Random(one.ply)
    inspection.same_facts("of an equal position", snapshot(one), snapshot(other))
    for _ in range(ON):
        if one.is_over:
            return
        action = chance.choice(one.legal_actions())
        one, other = one.play_action(action), other.play_action(action)
        inspection.place += (action,)
        inspection.same_facts("on from an equal position", snapshot(one), snapshot(other))


def environment(inspection: Inspection) -> None:
    """A vector environment plays and shows the same as single positions."""
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
    """Compiled rules, with and without bounds checks, do the same as interpreted ones."""
    for one in inspection.random_games:
        interpreted = [_shown(position) for position in inspection.walk(one)]
        for mode in (Mode.CHECKED, Mode.COMPILED):
            with use_mode(mode):
                for position, expected in zip(inspection.walk(one), interpreted, strict=True):
                    inspection.same_facts(mode.value, expected, _shown(position))


def _shown(position: Position) -> dict[str, object]:
    return snapshot(position) | {"observation": observe(position)[0].tobytes()}


class Reference(Protocol):
    """A game in progress of another implementation; points and actions are given as texts."""

    to_move: int

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def legal(self) -> Collection[str]:
        """The legal actions; empty if the game is over."""

    def play(self, text: str, /) -> None:
        """Play a legal action."""

    def stones(self) -> Mapping[str, int]:
        """Point → player, for every point with a stone."""

    def scores(self) -> Sequence[float]:
        """Each player's current score."""


def compared_with(begin: Callable[[], Reference]) -> Callable[[Inspection], None]:
    """A check of a game against a reference; `begin` starts a game of the reference."""

    def reference(inspection: Inspection) -> None:
        """Another implementation of the rules agrees at every position."""
        texts = inspection.game.action_texts
        for walk in inspection.walks():
            other = begin()
            for position in walk:
                if inspection.place:
                    other.play(texts[inspection.place[-1]])
                inspection.same_facts("by the reference", _facts(other), _facts_of_position(position))

    return reference


def _facts(reference: Reference) -> dict[str, object]:
    return {
        "legal actions": sorted(reference.legal()),
        "game over": reference.is_over,
        "player to act": None if reference.is_over else reference.to_move,
        "stones": dict(reference.stones()),
        "scores": list(reference.scores()),
    }


def _facts_of_position(position: Position) -> dict[str, object]:
    return {
        "legal actions": sorted(position.legal()),
        "game over": position.is_over,
        "player to act": None if position.is_over else position.to_move,
        "stones": position.stones(),
        "scores": position.scores(),
    }
