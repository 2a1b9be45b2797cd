"""The PyTorch network: all board sizes, training, and files for searches."""

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kakomi
from kakomi.bots import make_bot
from kakomi.core import Game, Position
from kakomi.networks.layout import board_layout, network_layout, rectangle
from kakomi.networks.observation import inputs_of
from kakomi.search import Search
from learn.needs import needed

torch = needed("torch")
onnx = needed("onnx")
onnxruntime = needed("onnxruntime")

from kakomi.learn.batches import WEIGHTS, losses, total  # noqa: E402
from kakomi.learn.export import export  # noqa: E402
from kakomi.learn.network import Network, NetworkSize  # noqa: E402
from kakomi.networks.evaluator import (  # noqa: E402
    ANSWER,
    METADATA_KEY,
    PARTS,
    check_network,
    open_evaluator,
)
from kakomi.networks.weights import read_network, save_network, shapes_of  # noqa: E402
from learn.samples import Sample, tensors_of  # noqa: E402

torch.set_num_threads(1)  # more threads are slower for networks of this size

SMALL = {
    "lin": {"size": 5, "line": 3},
    "ren": {"size": 4},
    "rin": {"size": 4},
    "rings": {"size": 2, "players": 3},
    "rive": {"size": 2},
}
every_game = pytest.mark.parametrize("name", SMALL)


def small(name: str) -> Game:
    return kakomi.game(name, **SMALL[name])


def random_network(game: Game, size: NetworkSize | None = None) -> Network:
    """A network without zero weights, which new blocks have."""
    torch.manual_seed(1)
    network = Network(network_layout(game), size)
    for weights in network.parameters():
        if not weights.any():
            torch.nn.init.normal_(weights, std=0.1)
    return network.eval()


def searched_game(game: Game, seed: int) -> list[Sample]:
    """The samples of a game by a weak search."""
    search, positions, found = Search(game, seed=seed), [game.start()], []
    choose = random.Random(seed)
    while not positions[-1].is_over:
        report = search.run(positions[-1], simulations=60)
        found.append({line.action: line.visits for line in report.lines})
        position = positions[-1]
        action = choose.choice(position.legal_actions()) if position.ply < 2 else report.action
        positions.append(position.play_action(action))
    replies = [*found[1:], {}]
    return [
        Sample(position, visits, positions[-1], reply)
        for position, visits, reply in zip(positions, found, replies, strict=False)
    ]


def answers(network: Network, positions: list[Position], shape: tuple[int, int] | None = None) -> np.ndarray:
    inputs = inputs_of(positions, shape)
    with torch.no_grad():
        return network(torch.from_numpy(inputs.planes), torch.from_numpy(inputs.scalars)).answer().numpy()


@every_game
def test_padding_changes_no_answer(name: str) -> None:
    game = small(name)
    network, positions = random_network(game), [sample.position for sample in searched_game(game, 1)][:6]
    height, width = rectangle(game)
    seats = network.layout.seats
    tight = answers(network, positions)
    wide = answers(network, positions, (height + 3, width + 1))
    assert wide[:, -2 * seats :] == pytest.approx(tight[:, -2 * seats :], abs=1e-5)
    logits = [
        a[:, : len(network.layout.policies) * h * w].reshape(len(a), -1, h, w)
        for a, h, w in ((tight, height, width), (wide, height + 3, width + 1))
    ]
    on_board = inputs_of(positions).planes[:, :1] == 1
    found = np.where(on_board, logits[1][:, :, :height, :width], 0)
    assert found == pytest.approx(np.where(on_board, logits[0], 0), abs=1e-5)


@every_game
def test_every_head_learns(name: str) -> None:
    game = small(name)
    samples = [sample for seed in range(4) for sample in searched_game(game, seed)]
    choose = random.Random(1)
    network = Network(network_layout(game), NetworkSize(16, 2))
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    found = []
    for _ in range(60):
        chosen = choose.choices(samples, k=32)
        planes, scalars, targets = tensors_of(chosen, [choose.choice(game.symmetries) for _ in chosen])
        each = losses(network(planes, scalars), targets)
        optimizer.zero_grad()
        total(each).backward()
        optimizer.step()
        found.append({head: float(loss.detach()) for head, loss in each.items()})
    assert set(found[0]) == set(WEIGHTS)
    for head in WEIGHTS:
        before, after = (np.mean([losses[head] for losses in some]) for some in (found[:5], found[-10:]))
        assert after < before, head


@every_game
def test_a_network_comes_back_from_its_file(name: str, tmp_path: Path) -> None:
    game = small(name)
    network = random_network(game, NetworkSize(8, 2))
    network.save(tmp_path / "network.pt")
    again = Network.load(tmp_path / "network.pt").eval()
    assert again.layout == network.layout
    assert np.array_equal(answers(again, [game.start()]), answers(network, [game.start()]))


def test_a_file_without_the_owners_head_can_be_learned_from(tmp_path: Path) -> None:
    """Files made from ONNX don't have it, and it isn't used in play."""
    network = random_network(small("rive"), NetworkSize(8, 1))
    numbers = {name: value for name, value in network.numbers().items() if not name.startswith("owner.")}
    save_network(tmp_path / "network.npz", network.layout, numbers)
    again = Network.of_numbers(read_network(str(tmp_path / "network.npz"))).numbers()
    assert again.keys() == network.numbers().keys()
    assert all(np.array_equal(again[name], value) for name, value in numbers.items())


@every_game
@pytest.mark.parametrize("size", [NetworkSize(), NetworkSize(8, 1)])
def test_files_answer_as_the_network_does_for_all_sizes(name: str, size: NetworkSize, tmp_path: Path) -> None:
    games = [small(name), kakomi.game(name, **kakomi.game(name).description.quick)]
    network = random_network(games[0], size)
    is_full = all(np.prod(rectangle(game)) == game.geometry.points for game in games)
    for fills_rectangle in (False, True)[: 1 + is_full]:
        export(network, tmp_path / f"{fills_rectangle}.onnx", fills_rectangle=fills_rectangle)
    save_network(tmp_path / "numbers.npz", network.layout, network.numbers())
    for game in games:
        positions = [sample.position for sample in searched_game(game, 2)][:3]
        inputs, means = inputs_of(positions), counted(network, game)
        wanted = answers(network, positions) * means
        for path in sorted(tmp_path.iterdir()):
            evaluator = open_evaluator(path, game, len(positions))
            for number, advice in enumerate(evaluator.advices):
                advice.planes[:] = inputs.planes[number].reshape(advice.planes.shape)
                advice.scalars[:] = inputs.scalars[number]
            evaluator.evaluate()
            found = np.array([advice.answer for advice in evaluator.advices]) * means
            assert found == pytest.approx(wanted, abs=1e-4), path.name


def counted(network: Network, game: Game) -> np.ndarray:
    """1 for each meaningful number of an answer, and 0 for logits of spots off the board."""
    policies, on_board = len(network.layout.policies), board_layout(game).on_board
    rest = network.layout.answer_length(len(on_board)) - policies * len(on_board)
    return np.concatenate([np.tile(on_board, policies), np.ones(rest)])


def test_every_array_of_a_file_is_checked(tmp_path: Path) -> None:
    """In ONNX and PyTorch files as in files for play, arrays must fit the layout and be finite."""
    path, network = tmp_path / "network.onnx", random_network(small("ren"), NetworkSize(8, 2))
    export(network, path)
    check_network(str(path))
    for number, name in enumerate(network.numbers()):
        model = onnx.load(path)
        for stored in model.graph.initializer:
            if stored.name.endswith(name):
                wrong = onnx.numpy_helper.to_array(stored).copy()
                wrong.flat[-1] = -np.inf
                stored.CopyFrom(onnx.numpy_helper.from_array(wrong, stored.name))
                onnx.save(model, tmp_path / f"{number}.onnx")
                with pytest.raises(
                    ValueError, match=rf"is no network .*{name} holds numbers that aren't finite"
                ):
                    check_network(str(tmp_path / f"{number}.onnx"))
    model = onnx.load(path)
    onnx.helper.set_model_props(model, {METADATA_KEY: network_layout(small("rings")).to_json()})
    onnx.save(model, tmp_path / "another.onnx")
    with pytest.raises(ValueError, match=r"is no network .*its arrays don't fit its layout"):
        check_network(str(tmp_path / "another.onnx"))
    onnx.helper.set_model_props(model, {METADATA_KEY: "{}"})
    onnx.save(model, tmp_path / "none.onnx")
    with pytest.raises(ValueError, match=r"is no network .*no layout"):
        check_network(str(tmp_path / "none.onnx"))


def test_every_array_that_pytorch_wrote_is_checked(tmp_path: Path) -> None:
    path, network = tmp_path / "network.pt", random_network(small("ren"), NetworkSize(8, 2))
    with torch.no_grad():
        network.value.bias[0] = float("nan")
    network.save(path)
    with pytest.raises(ValueError, match=r"value\.bias holds numbers that aren't finite"):
        Network.load(path)
    whole = path.read_bytes()
    for wrong in (b"", b"none", whole[: len(whole) // 2], whole[:-10]):
        path.write_bytes(wrong)
        with pytest.raises(ValueError, match="is damaged, or none of PyTorch's files"):
            Network.load(path)
    torch.save({"weights": {}}, path)
    with pytest.raises(ValueError, match="is no network of `kakomi learn`"):
        Network.load(path)


def test_arrays_are_those_of_the_module() -> None:
    for name in SMALL:
        for size in (NetworkSize(), NetworkSize(8, 6)):
            network = Network(network_layout(small(name)), size)
            found = {key: value.shape for key, value in network.numbers().items()}
            assert found == shapes_of(network.layout, size.channels, size.blocks)


def test_from_named_outputs_to_a_policy_as_the_docs_say(tmp_path: Path) -> None:
    network, start = random_network(small("rive")), kakomi.game("rive", size=4).start()
    export(network, tmp_path / "0012.onnx")
    docs = (Path(__file__).parents[2] / "docs" / "networks.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?onnxruntime.*?)```", docs, re.DOTALL)
    told: dict[str, Any] = {}
    exec(code, told)
    policy, wins = told["ask"](onnxruntime.InferenceSession(tmp_path / "0012.onnx"), start)
    outputs = network(*map(torch.from_numpy, inputs_of([start])))
    board, legal = board_layout(start.game), start.legal_actions()
    answer = outputs.answer()[0].detach().numpy()
    logits = torch.tensor([(answer[board.entries[each]] * board.weights[each]).sum() for each in legal])
    assert list(policy) == start.legal()
    assert list(policy.values()) == pytest.approx(logits.softmax(dim=0).tolist(), abs=1e-5)
    assert wins == pytest.approx(outputs.value[0].softmax(dim=0).tolist(), abs=1e-5)


def test_named_outputs_are_the_parts_of_an_answer(tmp_path: Path) -> None:
    """For batches of every game."""
    for name in SMALL:
        game, path = small(name), tmp_path / f"{name}.onnx"
        export(random_network(game, NetworkSize(8, 1)), path)
        positions = [game.start().play_action(each) for each in game.start().legal_actions()[:3]]
        inputs = inputs_of(positions)
        session = onnxruntime.InferenceSession(str(path))
        assert [output.name for output in session.get_outputs()] == [ANSWER, *PARTS]
        answer, *parts = session.run([ANSWER, *PARTS], inputs._asdict())
        assert np.array_equal(np.concatenate(parts, axis=1), answer)
        assert parts[1].shape == parts[2].shape == (3, network_layout(game).seats)


@pytest.mark.parametrize("mix", [0, 0.5, 1])
def test_a_bot_plays_by_it(mix: float, tmp_path: Path) -> None:
    path = tmp_path / "network.onnx"
    export(random_network(small("rive")), path)
    game = kakomi.game("rive", size=3)
    bots = [make_bot(f"net:{path},simulations=30,mix={mix}", seed=4) for _ in range(2)]
    assert bots[0].choose(game.start()) == bots[1].choose(game.start())
    reports = [bot.last_report for bot in bots]
    assert reports[0] and reports[1] and reports[0].lines == reports[1].lines
    with pytest.raises(ValueError, match="is not for rin"):
        bots[0].choose(kakomi.game("rin", size=4).start())
