"""Likely owners and leads from playouts."""

import random
import threading

import numpy as np
import pytest

import kakomi
from kakomi import analysis
from kakomi.core import Game, Position
from kakomi.kernel import Mode, random_state, use_mode
from kakomi.kernel.records import EMPTY
from kakomi.networks.steps import judge_all
from kakomi.research import VectorEnv
from kakomi.search import playout
from kakomi.search.playout import own_playouts, ownership
from kakomi.search.report import leads_of
from sampling import is_compiled

BOARDS = [
    *[(name, dict(kakomi.game(name).description.quick)) for name in kakomi.names()],
    *[("rings", {"size": 3, "players": players}) for players in (3, 6)],
]
boards = pytest.mark.parametrize(("name", "options"), BOARDS, ids=str)


@pytest.fixture(autouse=True)
def interpreted_where_slow_to_compile(request: pytest.FixtureRequest):
    """Compile only the game that compiles fastest."""
    name = getattr(request.node, "callspec", None) and request.node.callspec.params.get("name", "rive")
    with use_mode(Mode.COMPILED if is_compiled(name or "rive") else Mode.INTERPRETED):
        yield


def after(game: Game, plies: int | None, seed: int = 1) -> Position:
    """The position after so many random plies, or at the end of a random game."""
    choose, position = random.Random(seed), game.start()
    while not position.is_over and position.ply != plies:
        position = position.play_action(choose.choice(position.legal_actions()))
    return position


def judged(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """The scores and the owners of a position, as networks learn them."""
    game = position.game
    scores, owners = np.zeros((1, game.players)), np.zeros((1, game.geometry.points), np.int8)
    judge_all(game.board, position.states(), scores, owners)
    return scores[0], owners[0]


@boards
def test_shares_and_leads_have_the_documented_shapes(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    found = analysis.ownership(after(game, 5), 4, seed=3)
    assert found.owner.shape == (game.geometry.points, game.players) and found.owner.dtype == np.float64
    assert found.lead.shape == found.spread.shape == (game.players,)
    assert found.playouts == 4
    assert set(np.unique(found.owner * 4)) <= {0, 1, 2, 3, 4}
    assert (found.owner.sum(axis=1) <= 1).all() and found.owner.any()
    if game.players == 2:
        assert found.lead[0] == -found.lead[1] and found.spread[0] == found.spread[1]


@boards
def test_a_seed_decides_everything(name: str, options: dict[str, int]) -> None:
    position = after(kakomi.game(name, **options), 5)
    first, again, other = (ownership(position, 3, seed=seed).to_json() for seed in (1, 1, 2))
    assert first == again != other
    assert ownership(position.game.position(str(position)), 3, seed=1).to_json() == first


@boards
def test_a_finished_game_has_its_owners_and_leads(name: str, options: dict[str, int]) -> None:
    end = after(kakomi.game(name, **options), None)
    found = ownership(end, 2)
    scores, owners = judged(end)
    assert found.owner.sum(axis=1).tolist() == (owners != EMPTY).tolist()
    assert [found.owner[point, player] for point, player in enumerate(owners) if player != EMPTY] == [
        1
    ] * int((owners != EMPTY).sum())
    assert found.lead.tolist() == leads_of(scores[None])[0].tolist() and not found.spread.any()
    if name in ("lin", "rin", "rive"):
        assert found.owner.sum(axis=0).tolist() == end.scores()
    if name != "lin":
        assert {
            end.game.geometry.names[i]: int(owner) for i, owner in enumerate(owners) if owner != EMPTY
        } == (end.stones())


def test_in_lin_a_point_belongs_to_the_only_player_with_a_living_domain_there() -> None:
    with use_mode(Mode.INTERPRETED):
        for seed in range(3):
            position = after(kakomi.game("lin", size=7, komi=6), 20, seed)
            scores, owners = judged(position)
            counts = [int((owners == player).sum()) for player in (0, 1, EMPTY)]
            assert [counts[0] + counts[2], counts[1] + counts[2] + 6] == scores.tolist() == position.scores()
            assert counts[2] == position.contested()
            stones = position.stones()
            assert all(owners[position.game.point(at)] == player for at, player in stones.items())
            assert position.is_over or counts[2] > 0
        end = after(kakomi.game("lin", size=7, komi=6), None)
        assert len(end.stones()) < end.game.geometry.points  # so that empty points have owners


def test_modes_agree() -> None:
    position, found = after(kakomi.game("rive", size=3), 9), []
    for mode in (Mode.COMPILED, Mode.CHECKED, Mode.INTERPRETED):
        with use_mode(mode):
            found.append(ownership(position, 70, seed=5).to_json())
    assert found[0] == found[1] == found[2]
    assert found[0]["playouts"] == 70 and len(found[0]["owner"]) == position.game.geometry.points


def test_more_playouts_begin_with_the_fewer() -> None:
    position = after(kakomi.game("rive", size=3), 9)
    few, many = ownership(position, 50, seed=2), ownership(position, 51, seed=2)
    more = many.owner * 51 - few.owner * 50
    assert set(more.round(6).ravel()) <= {0, 1} and more.sum() == pytest.approx(19)


@pytest.mark.parametrize("playouts", [0, -1])
def test_at_least_one_playout_is_needed(playouts: int) -> None:
    game = kakomi.game("rive", size=3)
    with pytest.raises(ValueError, match=f"playouts is {playouts}; an estimate needs at least one"):
        ownership(game.start(), playouts)
    with pytest.raises(ValueError, match="at least one"):
        VectorEnv(game, 2).ownership(playouts)


def test_a_stop_leaves_the_playouts_so_far() -> None:
    stop = threading.Event()
    stop.set()
    assert ownership(kakomi.game("rive", size=3).start(), 100, stop=stop).playouts == 1


def test_playouts_that_are_not_compiled_yet_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "INTERPRETED_SECONDS", 0.0)
    monkeypatch.setattr(own_playouts, "is_cached", lambda args: False)
    with use_mode(Mode.ADAPTIVE):
        assert ownership(kakomi.game("rive", size=3).start(), 100).playouts == 1


def test_a_spread_is_the_standard_deviation_as_scaled_for_the_game() -> None:
    game = kakomi.game("rive", size=3)
    rules = game.description.rules
    owned, scores = np.zeros((game.geometry.points, 2), np.int64), np.zeros((50, 2))
    space = np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH), random_state(2)
    own_playouts(game.board, game.start().states(), *space, owned, scores, 0)
    deviation = leads_of(scores).astype(np.float64).std(axis=0)
    found = ownership(game.start(), 50, seed=2)
    assert (deviation > 0).all() and game.description.lead_spread > 2
    assert found.spread == pytest.approx(game.description.lead_spread * deviation)


def test_playouts_are_cut_off_where_told() -> None:
    game = kakomi.game("rive", size=3)
    rules = game.description.rules
    owned, scores = np.zeros((game.geometry.points, 2), np.int64), np.zeros((4, 2))
    space = np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH), random_state(1)
    own_playouts(game.board, game.start().states(), *space, owned, scores, 1)
    assert scores.tolist() == [[1, 0]] * 4 and owned.sum(axis=0).tolist() == [4, 0]


def test_an_environment_estimates_all_its_games() -> None:
    game = kakomi.game("rive", size=3)
    env = VectorEnv(game, 3, autoreset="disabled")
    for _ in range(6):
        env.step(env.sample())
    end = after(game, None)
    env.place(2, end)
    found = env.ownership(20, seed=4)
    assert found.owner.shape == (3, game.geometry.points, 2) and found.lead.shape == found.spread.shape == (
        3,
        2,
    )
    assert found.playouts == 20
    assert found.owner[2].tolist() == ownership(end, 1).owner.tolist() and not found.spread[2].any()
    assert found.owner[0].tolist() != found.owner[1].tolist()
    again = env.ownership(20, seed=4)
    assert all(np.array_equal(one, other) for one, other in zip(found, again, strict=True))
