"""Sequential halving: the distribution of simulations, the choice, and the training target."""

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

import kakomi
from kakomi.core import Game, Position
from kakomi.learn.root_search import (
    CONSIDERED,
    GAIN_SCALE,
    MOST_KEPT,
    VISITS_BEFORE,
    WHOLE,
    Choice,
    HalvingSearch,
    lines_of,
)
from kakomi.search.advised_search import AdvisedWorker, advised
from kakomi.search.tree import DRAWN, NO_FOCUS, NOBODY, ROOT, Tree
from learn.played import quick, result_of
from sampling import is_compiled
from search.evaluators import CountingEvaluator, InsistentEvaluator

every_game = pytest.mark.parametrize("name", list(filter(is_compiled, kakomi.names())))
SIMULATIONS = 48


class Turn:
    """A choice in a position by sequential halving with an evaluator."""

    def __init__(self, position: Position, evaluator: CountingEvaluator, mix: float = 1.0) -> None:
        game = position.game
        self.game, self.position, self.tree = game, position, Tree(game.players, len(game.actions), 4.0)
        config = advised(game.description.search_config, mix)
        self.worker = AdvisedWorker(game, self.tree, config, 1, evaluator, mix)

    def simulate(self, n: int) -> Iterator[None]:
        self.worker.simulate(self.position.states(), n)
        yield

    def choose(self, simulations: int = SIMULATIONS, temperature: float = 1.0, seed: int = 1) -> Choice:
        search = HalvingSearch(self.tree, self.game.players, simulations)
        return result_of(search.choose(self.simulate, temperature, np.random.default_rng(seed)))

    @property
    def visits(self) -> np.ndarray:
        """The visits of the root's children, in descending order."""
        children = self.tree.children(ROOT)
        return np.sort(self.tree.nodes["visits"][children.start : children.stop])[::-1]


@every_game
def test_simulations_are_halved_among_those_considered(name: str) -> None:
    game = quick(name)
    turn = Turn(game.start(), CountingEvaluator(game))
    choice = turn.choose()
    visits = turn.visits
    assert visits.sum() == SIMULATIONS and not turn.tree.is_proven
    assert CONSIDERED <= np.count_nonzero(visits) <= CONSIDERED + 1, "the first goes where the search likes"
    assert visits[1] >= 2 * visits[5] >= 2 and turn.tree.header["focus"][0] == NO_FOCUS
    assert choice.action in game.start().legal_actions()
    assert set(choice.policy) <= set(game.start().legal_actions())
    assert 0 < sum(choice.policy.values()) < WHOLE + MOST_KEPT


def test_chance_follows_from_the_seed() -> None:
    game = quick("rive")
    found = [Turn(game.start(), CountingEvaluator(game)).choose(seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert found[0] == found[1] and len({choice.action for choice in found}) > 2


@every_game
def test_who_is_sure_of_an_action_gets_it(name: str) -> None:
    game = quick(name)
    action = game.start().legal_actions()[-1]
    turn = Turn(game.start(), InsistentEvaluator(game, action))
    choice = turn.choose(temperature=0.0)
    assert choice.action == action and max(choice.policy, key=choice.policy.__getitem__) == action


@every_game
def test_a_policy_is_moved_by_gains(name: str) -> None:
    """Each logit is shifted by its action's mean gain or, if unvisited, by the weighted mean of the
    others."""
    game = quick(name)
    turn = Turn(game.start(), CountingEvaluator(game), mix=0.5)
    policy = turn.choose().policy
    nodes = [turn.tree.nodes[child] for child in turn.tree.children(ROOT)]
    sums = [turn.tree.sums[child, 0] for child in turn.tree.children(ROOT)]
    seen = {
        int(node["action"]): (total / node["visits"], float(node["amaf_visits"]))
        for node, total in zip(nodes, sums, strict=True)
        if node["visits"]
    }
    mean = sum(gain * share for gain, share in seen.values()) / sum(share for _, share in seen.values())
    scale = GAIN_SCALE * (VISITS_BEFORE + max(node["visits"] for node in nodes))
    weights = {
        int(node["action"]): node["amaf_visits"]
        * math.exp(scale * (seen.get(int(node["action"]), (mean, 0))[0] - mean))
        for node in nodes
    }
    whole = sum(weights.values())
    assert len({round(gain, 6) for gain, _ in seen.values()}) > 3, "playouts differ"
    kept = sorted(weights.values())[-MOST_KEPT:]
    for action, weight in weights.items():
        if weight > kept[0]:
            assert policy.get(action, 0) == pytest.approx(WHOLE * weight / whole, abs=0.51)
    assert len(policy) <= MOST_KEPT


@pytest.mark.parametrize("simulations", [1, 2, 5, 17, 400])
def test_any_number_of_simulations_will_do(simulations: int) -> None:
    game = quick("rive")
    turn = Turn(game.start(), CountingEvaluator(game))
    assert turn.choose(simulations).policy and turn.visits.sum() == simulations


@pytest.mark.parametrize(
    "game",
    [kakomi.game(name, size=size) for name, size in (("rive", 2), ("rin", 4)) if is_compiled(name)],
    ids=lambda game: game.name,
)
def test_what_is_proven_is_played_and_learned_as_such(game: Game) -> None:
    """Targets are a win alone, nothing if all actions lose, and otherwise have no weight on losing
    actions."""
    found = {"won": 0, "lost": 0, "open": 0}
    choose = random.Random(3)
    for number in range(60):
        positions = [game.start()]
        while not positions[-1].is_over:
            positions.append(positions[-1].play_action(choose.choice(positions[-1].legal_actions())))
        position = positions[-1 - choose.randrange(1, 7)]
        turn = Turn(position, CountingEvaluator(game))
        choice = turn.choose(seed=number)
        losing = {line.action for line in lines_of(turn.tree, 2) if line.loses}
        winner = turn.tree.nodes["winner"][ROOT]
        if winner == position.to_move:
            found["won"] += 1
            assert set(choice.policy) == {choice.action}
        elif winner not in (NOBODY, DRAWN):
            found["lost"] += 1
            assert not choice.policy
        else:
            found["open"] += 1
            assert choice.action not in losing and not losing & set(choice.policy)
    assert min(found.values()) > 0, found
