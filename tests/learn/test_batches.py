"""Training batches, and a network that learns from them."""

from pathlib import Path

import numpy as np
import pytest

import kakomi
from learn.needs import needed
from learn.played import searched

torch = needed("torch")

from kakomi.core.line_file import add_row  # noqa: E402
from kakomi.kernel.records import EMPTY  # noqa: E402
from kakomi.learn.batches import FIRST_WINDOW, NO_SEAT, NOTHING, BatchMaker, Window, action_logits, window_of  # noqa: E402
from kakomi.learn.games import Rows  # noqa: E402
from kakomi.learn.learner import Learner  # noqa: E402
from kakomi.learn.network import Network  # noqa: E402
from kakomi.learn.plan import LearningRate, Plan  # noqa: E402
from kakomi.learn.round_log import Round  # noqa: E402
from kakomi.learn.students import NetworkStudent  # noqa: E402
from kakomi.networks.layout import network_layout  # noqa: E402
from learn.samples import Sample, tensors_of  # noqa: E402

every_game = pytest.mark.parametrize("name", kakomi.names())


@every_game
def test_rows_are_turned_whole(name: str) -> None:
    """Under every symmetry, an action's logit comes from its own point."""
    rows = Rows.of(searched(name))
    game = rows.game
    chosen = np.arange(len(rows))
    batch = BatchMaker(rows).batch(chosen, np.random.default_rng(1))
    n, actions = batch.targets.is_legal.shape
    assert batch.planes.shape[0] == n == len(rows)
    assert torch.allclose(batch.targets.policies.sum(dim=1), torch.ones(n))
    assert (batch.targets.policies > 0).logical_and(~batch.targets.is_legal).sum() == 0
    stones = batch.planes[:, 1 : 1 + network_layout(game).seats * game.kinds].sum(dim=1).flatten(1)
    length = network_layout(game).answer_length(batch.planes[0, 0].numel())
    logits = action_logits(stones.repeat(1, length // stones.shape[1] + 1)[:, :length], batch.targets)
    places = torch.tensor([action.kind == "place" and action.point is not None for action in game.actions])
    empty = batch.targets.is_legal & places
    if game.name != "ren":  # in which stones are replaced
        assert empty.any() and logits[empty].abs().max() == 0, "stones are placed on empty points"
    assert actions == len(game.actions)


@every_game
def test_targets_are_told_from_the_viewers_seat(name: str) -> None:
    rows = Rows.of(searched(name))
    batch = BatchMaker(rows).batch(np.arange(len(rows)), np.random.default_rng(2))
    players, seats = rows.game.players, network_layout(rows.game).seats
    assert (batch.targets.shares[:, players:] == NO_SEAT).all()
    for row in range(len(rows)):
        game, ply = int(rows.games[row]), int(rows.plies[row])
        position = rows.game.start()
        for action in rows.actions[rows.starts[game] : rows.starts[game] + ply]:
            position = position.play_action(int(action))
        turned = np.roll(rows.shares[game], -position.to_move)
        assert batch.targets.shares[row, :players].tolist() == turned.tolist()
        assert batch.targets.leads[row, 0] == rows.leads[game, position.to_move]
        owners = batch.targets.owners[row]
        mine = (rows.owners[game] == position.to_move).sum()
        nobodys = (rows.owners[game] == EMPTY).sum()
        assert ((owners == 0).sum(), (owners == seats).sum()) == (mine, nobodys)
        assert (owners != NOTHING).sum() == rows.game.geometry.points


@every_game
def test_batches_say_what_slow_python_says(name: str) -> None:
    games = searched(name)
    rows = Rows.of(games)
    chosen = np.arange(len(rows))
    batch = BatchMaker(rows).batch(chosen, np.random.default_rng(4))
    turned = np.random.default_rng(4).integers(len(rows.game.symmetries), size=len(rows))
    samples = [_sample(rows, row) for row in chosen]
    planes, scalars, targets = tensors_of(samples, [rows.game.symmetries[number] for number in turned])
    assert torch.equal(batch.planes, planes) and torch.equal(batch.scalars, scalars)
    for field in targets._fields:
        found, expected = getattr(batch.targets, field), getattr(targets, field)
        assert torch.allclose(found.double(), expected.double()), field


def _sample(rows: Rows, row: int) -> Sample:
    game, ply = int(rows.games[row]), int(rows.plies[row])
    position, end = rows.game.start(), rows.game.start()
    last = rows.starts[game + 1] if game + 1 < len(rows.starts) else len(rows.actions)
    for number, action in enumerate(rows.actions[rows.starts[game] : last]):
        end = end.play_action(int(action))
        position = end if number < ply else position
    visits, reply = (
        dict(zip(actions.tolist(), counts.astype(int).tolist(), strict=True))
        for actions, counts in (rows.policies[row], rows.replies(row))
    )
    return Sample(position, visits, end, reply)


def test_a_window_grows_more_slowly_than_the_rows() -> None:
    assert window_of(100) == 100 and window_of(FIRST_WINDOW) == FIRST_WINDOW
    assert FIRST_WINDOW < window_of(4 * FIRST_WINDOW) < 3 * FIRST_WINDOW
    games = searched("rive")
    newest = Window.of(reversed(games), len(games[-1].policies))
    assert newest.sizes == (len(games[-1].policies),)
    assert sum(Window.of(reversed(games), 10**6 and sum(len(g.policies) for g in games)).sizes) == sum(
        len(game.policies) for game in games
    )


def test_a_network_learns_a_batch_and_its_average_follows(tmp_path: Path) -> None:
    rows = Rows.of(searched("ren"))
    torch.manual_seed(3)
    learner = Learner(Network(network_layout(rows.game)), LearningRate())
    batch = BatchMaker(rows).batch(np.arange(min(32, len(rows))), np.random.default_rng(3))
    first = learner.learn(batch)
    for _ in range(60):
        last = learner.learn(batch)
    for head in ("policy", "value", "owner"):
        assert last[head] < first[head], head
    learner.save(tmp_path / "learner.pt")
    other = Learner(Network(network_layout(rows.game)), LearningRate())
    other.load(tmp_path / "learner.pt")
    assert other.steps == learner.steps == 61
    assert other.learn(batch) == learner.learn(batch)
    with pytest.raises(ValueError, match="another network"):
        Learner(Network(network_layout(kakomi.game("lin"))), LearningRate()).load(tmp_path / "learner.pt")


def a_student(folder: Path) -> NetworkStudent:
    """A student of Rive with a few games, with its state in a folder."""
    game = searched("rive")[0].game
    (folder / "checkpoints").mkdir(exist_ok=True)
    plan = Plan("rive", (dict(game.options),), channels=8, blocks=1, batch=16, passes=1)
    return NetworkStudent(plan, folder / "learner.pt", game)


def learn(student: NetworkStudent, steps: int) -> None:
    for _ in student.learn(searched("rive"), 16 * (student.steps + steps)):
        pass


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_learning_stops_at_the_first_loss_that_is_not_finite(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    student = a_student(tmp_path)
    learn(student, 2)
    student.keep(tmp_path / "checkpoints" / "0000.npz")
    before, network = contents(tmp_path), student._learner.network
    if where == "loss":
        with torch.no_grad():
            network.value.bias[0] = float("nan")
        told = "at step 2 the loss of value is nan; learning stops, and overwrites nothing"
    else:
        network.value.bias.register_hook(lambda gradient: gradient * float("inf"))
        told = "at step 2 the gradient is (nan|inf); learning stops, and overwrites nothing"
    weights = network.places.weight.clone()
    monkeypatch.setattr("kakomi.learn.students.SAVED_EVERY", 0.0)
    with pytest.raises(ValueError, match=told):
        learn(student, 3)
    assert torch.equal(network.places.weight, weights) and student.steps == 2
    assert contents(tmp_path) == before


def test_weights_that_are_not_finite_are_not_kept(tmp_path: Path) -> None:
    student = a_student(tmp_path)
    student.keep(tmp_path / "checkpoints" / "0000.npz")
    before = contents(tmp_path)
    with torch.no_grad():
        student._learner.averaged.leads.bias[0] = float("inf")
    for keep in (student.save, lambda: student.keep(tmp_path / "checkpoints" / "0000.npz")):
        with pytest.raises(ValueError, match="the sum of all weights is inf"):
            keep()
    assert contents(tmp_path) == before


def test_a_round_in_json_has_no_nan(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        add_row(tmp_path / "rounds.jsonl", Round("0000", 1, 1, 1, {"value": float("nan")}, 0.1))
    assert not (tmp_path / "rounds.jsonl").exists()


@pytest.mark.parametrize("damage", ["empty", "half", "none", "infinite"])
def test_a_learner_that_cannot_be_read_gives_way_to_the_last_checkpoint(damage: str, tmp_path: Path) -> None:
    student, path = a_student(tmp_path), tmp_path / "learner.pt"
    learn(student, 2)
    for name in ("0000", "0001"):
        student.keep(tmp_path / "checkpoints" / f"{name}.npz")
        add_row(tmp_path / "rounds.jsonl", Round(name, 4, 32, student.steps, {}, 0.1))
    averaged = {name: value.copy() for name, value in student._learner.averaged.numbers().items()}
    whole = path.read_bytes()
    learn(student, 3)
    student.save()
    if damage == "infinite":
        kept = torch.load(path)
        kept["network"]["value.bias"][0] = float("-inf")
        torch.save(kept, path)
        wrong = path.read_bytes()
    else:
        wrong = {"empty": b"", "half": whole[: len(whole) // 2], "none": b"none"}[damage]
        path.write_bytes(wrong)
    again = a_student(tmp_path)
    assert (
        f"learner.pt.damaged; learning goes on from {tmp_path / 'checkpoints' / '0001.npz'}" in again.notice
    )
    assert "\n" not in again.notice and again.steps == 2
    found = again._learner.network.numbers()
    assert all(np.array_equal(found[name], value) for name, value in averaged.items())
    assert (tmp_path / "learner.pt.damaged").read_bytes() == wrong
    learn(again, 1)
    again.save()
    assert a_student(tmp_path).notice == "" and a_student(tmp_path).steps == 3
    path.write_bytes(b"")
    (tmp_path / "checkpoints" / "0001.npz").write_bytes(b"")
    assert "goes on from" in (notice := a_student(tmp_path).notice) and "0000.npz" in notice


def test_without_a_checkpoint_it_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "learner.pt").touch()
    student = a_student(tmp_path)
    assert "learning begins anew with the games that there are" in student.notice and student.steps == 0
