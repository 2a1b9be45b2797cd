"""Cached answers equal computed ones, and are never those of other inputs."""

from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi.networks.answer_cache import answer_cache, key_of, recall, remember
from kakomi.networks.evaluator import CompiledEvaluator
from kakomi.networks.layout import network_layout
from kakomi.networks.weights import save_network
from kakomi.search import AdvisedSearch
from networks.reference_network import random_numbers
from sampling import ALL, is_compiled

BOARDS = [
    ("rin", {"size": 6}),
    ("lin", {"size": 7}),
    ("ren", {"size": 6}),
    ("rive", {"size": 3}),
    ("rings", {"size": 3}),
    ("rings", {"size": 2, "players": 4}),
]
STONE = np.float32(1).view(np.uint32)


@pytest.mark.parametrize(("name", "options"), [board for board in BOARDS if is_compiled(board[0])], ids=str)
@pytest.mark.parametrize("cache_mb", [0.05, 4])
def test_a_search_that_remembers_makes_the_same_visits(
    name: str, options: dict[str, int], cache_mb: float, tmp_path: Path
) -> None:
    """Also with a small cache, in which answers replace each other."""
    game, path = kakomi.game(name, **options), tmp_path / "network.npz"
    layout = network_layout(game)
    save_network(path, layout, random_numbers(layout, 16, 1, np.random.default_rng(1)))
    seen: list[list[object]] = []
    for memory in (0, cache_mb):
        seen.append([])
        evaluator = CompiledEvaluator(path, game, cache_mb=memory)
        search = AdvisedSearch(game, evaluator=evaluator, seed=1, memory_mb=16)
        position = game.start()
        while len(seen[-1]) < 4 and not position.is_over:
            report = search.run(position, simulations=1_000 if ALL else 250)
            seen[-1].append([(line.action, line.visits, line.returns) for line in report.lines])
            position = position.play_action(report.lines[0].action)
    assert seen[0] == seen[1] != []


@pytest.mark.parametrize("words", [38, 75])
def test_inputs_that_differ_in_few_places_have_keys_of_their_own(words: int) -> None:
    scalars, known = np.zeros(2, np.uint32), set()
    for first in range(words):
        for second in range(first + 1):
            planes = np.zeros(words, np.uint32)
            planes[[first, second]] = STONE
            known.add(key_of(planes, scalars))
    for scalar in range(2):
        scalars = np.zeros(2, np.uint32)
        scalars[scalar] = STONE
        known.add(key_of(np.zeros(words, np.uint32), scalars))
    assert len(known) == words * (words + 1) // 2 + 2


def test_halves_of_keys_do_not_make_up_for_each_other() -> None:
    """Moving a stone from an even place to an odd one changes both halves."""
    keys = []
    for place in range(40):
        planes = np.zeros(40, np.uint32)
        planes[place] = STONE
        keys.append(key_of(planes, np.zeros(1, np.uint32)))
    for half in range(2):
        assert len({key[half] for key in keys}) == 21


def test_a_newer_answer_takes_the_place_of_an_older_one() -> None:
    cache, found = answer_cache(3, 28 / 2**20), np.zeros(3, np.float32)
    assert len(cache.keys) == 1
    for number in (1, 2):
        key = np.uint64(number), np.uint64(7)
        assert not recall(cache, key, found)
        remember(cache, key, np.full(3, number, np.float32))
        assert recall(cache, key, found)
        assert list(found) == [number] * 3
    assert not recall(cache, (np.uint64(1), np.uint64(7)), found)


def test_a_cache_of_no_memory_keeps_nothing() -> None:
    cache, key, answer = answer_cache(3, 0), (np.uint64(1), np.uint64(1)), np.ones(3, np.float32)
    remember(cache, key, answer)
    assert not recall(cache, key, answer)
