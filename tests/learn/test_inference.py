"""Networks as compiled code, against one that is worked out number by number; and the files of them."""

from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi.core import Game, Position
from kakomi.kernel import use_mode
from kakomi.learn.compiled_evaluator import CompiledEvaluator
from kakomi.learn.layout import board_layout, network_layout
from kakomi.learn.observation import inputs_of
from kakomi.learn.weights import load_network, save_network
from learn.reference_network import random_numbers, reference_answer
from sampling import is_compiled

BOARDS = [
    *((name, {}) for name in kakomi.names()),
    ("lin", {"size": 5, "line": 3}),
    ("ren", {"size": 4}),
    ("rin", {"size": 6}),
    ("rings", {"size": 2, "players": 4}),
    ("rive", {"size": 2}),
    ("rive", {"size": 5}),
]
"""Of tiles in all numbers that are multiplied in different ways: 1, 4, 9, 16 and others."""


def some_positions(game: Game, count: int, rng: np.random.Generator) -> list[Position]:
    positions = [game.start()]
    while len(positions) < count and not positions[-1].is_over:
        action = int(rng.choice(positions[-1].legal_actions()))
        positions.append(positions[-1].play_action(action))
    return positions


def evaluated(path: Path, game: Game, positions: list[Position]) -> np.ndarray:
    """What a network's file says of positions, 0 for spots beside the board."""
    evaluator, inputs = CompiledEvaluator(path, game, len(positions)), inputs_of(positions)
    for number, advice in enumerate(evaluator.advices):
        advice.planes[:] = inputs.planes[number].reshape(advice.planes.shape)
        advice.scalars[:] = inputs.scalars[number]
    evaluator.evaluate()
    return np.array([advice.answer for advice in evaluator.advices]) * counted(game)


def counted(game: Game) -> np.ndarray:
    """1 for each number of an answer that means something."""
    layout, board = network_layout(game), board_layout(game)
    rest = layout.answer_length(board.spots) - len(layout.policies) * board.spots
    return np.concatenate([np.tile(board.on_board, len(layout.policies)), np.ones(rest, np.float32)])


@pytest.mark.parametrize(("name", "options"), [board for board in BOARDS if is_compiled(board[0])], ids=str)
@pytest.mark.parametrize(("channels", "blocks"), [(32, 3), (24, 2)])
def test_compiled_code_answers_as_the_description_says(
    name: str, options: dict[str, int], channels: int, blocks: int, tmp_path: Path
) -> None:
    game, rng = kakomi.game(name, **options), np.random.default_rng(2)
    layout = network_layout(game)
    numbers = random_numbers(layout, channels, blocks, rng)
    save_network(tmp_path / "network.npz", layout, numbers)
    positions = some_positions(game, 4, rng)
    inputs = inputs_of(positions)
    wanted = [
        reference_answer(layout, numbers, planes, scalars)
        for planes, scalars in zip(inputs.planes, inputs.scalars, strict=True)
    ]
    found = evaluated(tmp_path / "network.npz", game, positions)
    assert found == pytest.approx(np.array(wanted) * counted(game), rel=1e-3, abs=1e-3)


def test_interpreted_it_is_the_same(tmp_path: Path) -> None:
    game, rng = kakomi.game("rive", size=2), np.random.default_rng(3)
    save_network(
        tmp_path / "network.npz", network_layout(game), random_numbers(network_layout(game), 16, 2, rng)
    )
    positions = some_positions(game, 3, rng)
    compiled = evaluated(tmp_path / "network.npz", game, positions)
    with use_mode("interpreted"):
        assert evaluated(tmp_path / "network.npz", game, positions) == pytest.approx(compiled, abs=1e-4)


def test_what_is_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    game = kakomi.game("rive", size=2)
    layout, rng = network_layout(game), np.random.default_rng(4)
    save_network(tmp_path / "network.npz", layout, random_numbers(layout, 16, 1, rng))
    with pytest.raises(ValueError, match="is not for rin"):
        CompiledEvaluator(tmp_path / "network.npz", kakomi.game("rin"))
    with pytest.raises(ValueError, match="there is no file"):
        load_network(str(tmp_path / "nowhere.npz"))
    whole = (tmp_path / "network.npz").read_bytes()
    for number, wrong in enumerate((b"", b"nothing", whole[: len(whole) // 2])):
        path = tmp_path / f"{number}.npz"
        path.write_bytes(wrong)
        with pytest.raises(ValueError, match="is no network") as refused:
            load_network(str(path))
        assert "\n" not in str(refused.value)
    some = random_numbers(layout, 16, 1, rng)
    del some["hidden.bias"]
    save_network(tmp_path / "part.npz", layout, some)
    with pytest.raises(ValueError, match="is no network"):
        load_network(str(tmp_path / "part.npz"))
