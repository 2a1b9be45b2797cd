"""Compiled networks compared with the reference implementation, and their files."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi.core import Game, Position
from kakomi.kernel import use_mode
from kakomi.networks.evaluator import CompiledEvaluator
from kakomi.networks.layout import board_layout, network_layout
from kakomi.networks.observation import inputs_of
from kakomi.networks.weights import load_network, read_network, save_network
from kakomi.search import PatternTable
from networks.reference_network import random_numbers, reference_answer
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
"""Boards with numbers of tiles that are multiplied in different ways: 1, 4, 9, 16 and others."""


def some_positions(game: Game, count: int, rng: np.random.Generator) -> list[Position]:
    positions = [game.start()]
    while len(positions) < count and not positions[-1].is_over:
        action = int(rng.choice(positions[-1].legal_actions()))
        positions.append(positions[-1].play_action(action))
    return positions


def evaluated(path: Path, game: Game, positions: list[Position]) -> np.ndarray:
    """The answers of a network file for positions, with 0 for spots off the board."""
    evaluator, inputs = CompiledEvaluator(path, game, len(positions)), inputs_of(positions)
    for number, advice in enumerate(evaluator.advices):
        advice.planes[:] = inputs.planes[number].reshape(advice.planes.shape)
        advice.scalars[:] = inputs.scalars[number]
    evaluator.evaluate()
    return np.array([advice.answer for advice in evaluator.advices]) * counted(game)


def counted(game: Game) -> np.ndarray:
    """1 for each meaningful number of an answer, 0 for others."""
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


def wrong_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Files of a Rive network with one wrong array each, and the expected messages."""
    layout, rng = network_layout(kakomi.game("rive", size=2)), np.random.default_rng(4)
    good = random_numbers(layout, 16, 2, rng)
    one = good["blocks.0.second.weight"]
    infinite, nan = good["value.bias"].copy(), good["stem.weight"].copy()
    infinite[1], nan[3, 2, 1, 0] = -np.inf, np.nan
    changes: list[tuple[dict[str, np.ndarray], str]] = [
        ({"stem.bias": good["stem.bias"][:15]}, r"stem\.bias is float32 \(15,\); it must be float32 \(16,\)"),
        ({"blocks.0.second.weight": one[:15]}, r"blocks\.0\.second\.weight is float32 \(15, 16, 3, 3\)"),
        ({"blocks.0.second.weight": np.concatenate([one, one])}, r"\(32, 16, 3, 3\); it must be"),
        ({"blocks.1.pooled.weight": good["blocks.1.pooled.weight"][:, :31]}, r"blocks\.1\.pooled\.weight is"),
        ({"places.weight": good["places.weight"][:2]}, r"places\.weight is float32 \(2, 16, 1, 1\)"),
        ({"leads.bias": np.array(1, np.float32)}, r"leads\.bias is float32 \(\); it must be float32 \(2,\)"),
        ({"hidden.weight": good["hidden.weight"].astype(np.int8)}, r"hidden\.weight is int8 \(32, 32\)"),
        ({"hidden.weight": good["hidden.weight"].astype(float)}, r"hidden\.weight is float64 \(32, 32\)"),
        ({"value.bias": infinite}, r"value\.bias holds numbers that aren't finite"),
        ({"stem.weight": nan}, r"stem\.weight holds numbers that aren't finite"),
        ({"more.weight": one}, r"more\.weight is nothing that a network of 2 blocks has"),
        ({"blocks.7.first.weight": one}, r"it has no blocks\.2\.first\.weight"),
        ({"owner.bias": good["stem.bias"][:3]}, r"it has no owner\.weight"),
        ({"hidden.bias": None}, r"it has no hidden\.bias"),
        ({"stem.weight": None, "stem.bias": None, "scalars.weight": None, "scalars.bias": None}, r"no stem"),
    ]
    for number, (change, told) in enumerate(changes):
        kept = {name: array for name, array in (good | change).items() if array is not None}
        np.savez(folder / f"{number}.npz", layout=layout.to_json(), boards="[]", **kept)
        yield folder / f"{number}.npz", told
    for boards in ("{", "[1]", '[{"size": "4"}]', '{"size": 4}'):
        np.savez(folder / "boards.npz", layout=layout.to_json(), boards=boards, **good)
        yield folder / "boards.npz", "its boards are none"
    for text in ("{", "[]", "{}", layout.to_json().replace('"seats": 2', '"seats": "2"')):
        np.savez(folder / "layout.npz", layout=text, **good)
        yield folder / "layout.npz", "this is no layout of a network"


def test_every_array_is_what_the_layout_says(tmp_path: Path) -> None:
    """All readers check it: those for bots, for training, and for conversion."""
    for path, told in wrong_files(tmp_path):
        for read in (load_network, read_network):
            with pytest.raises(ValueError, match=f"is no network of `kakomi learn`: .*{told}") as refused:
                read(str(path))
            assert "\n" not in str(refused.value)
            load_network.cache_clear()


def test_a_network_that_is_none_is_not_written(tmp_path: Path) -> None:
    layout = network_layout(kakomi.game("rive", size=2))
    numbers = random_numbers(layout, 16, 1, np.random.default_rng(4))
    save_network(tmp_path / "network.npz", layout, numbers)
    before = (tmp_path / "network.npz").read_bytes()
    with pytest.raises(ValueError, match=r"value\.bias holds numbers that aren't finite"):
        save_network(
            tmp_path / "network.npz", layout, {**numbers, "value.bias": np.array([np.nan, 0], np.float32)}
        )
    assert (tmp_path / "network.npz").read_bytes() == before


@pytest.mark.parametrize("kind", ["network", "patterns"])
def test_a_damaged_archive_is_refused_in_a_sentence(kind: str, tmp_path: Path) -> None:
    """Wherever a byte is changed or the file is truncated."""
    description = kakomi.game("ren", size=4).description
    whole = description.measured_file(f"{kind}.npz").read_bytes()
    rng, path = np.random.default_rng(6), tmp_path / "damaged.npz"
    for number in range(120):
        damaged = bytearray(whole)
        at = int(rng.integers(len(whole))) if number % 2 else int(rng.integers(len(whole) - 3000, len(whole)))
        damaged[at] ^= int(rng.integers(1, 256))
        path.write_bytes(damaged if number % 3 else whole[:at])
        load_network.cache_clear()
        try:
            PatternTable.load(path) if kind == "patterns" else load_network(str(path))
        except ValueError as error:
            assert re.fullmatch(r"'[^\n]*(is no network|holds no patterns)[^\n]*: [^\n]*", str(error))
