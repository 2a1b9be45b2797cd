"""Equality, hashes, keys and pickles: they contain exactly what belongs to a position."""

import copy
import itertools
import pickle
import random
import subprocess
import sys
from collections import defaultdict

import pytest

import kakomi
from conformance.cases import (
    QUICK,
    Case,
    actions_of,
    all_cases,
    cases_of,
    observed,
    quick_cases,
    random_game,
    some,
)
from kakomi import Position
from kakomi.core.position import position_from_key
from kakomi.research.certify.equivalence import after


@all_cases
def test_pickles_and_copies_are_equal(case: Case) -> None:
    for position in some(random_game(case), 20):
        for twin in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
            assert twin == position
            assert observed(twin) == observed(position)
            assert (twin.ply, twin.turn, twin.previous_turn) == (
                position.ply,
                position.turn,
                position.previous_turn,
            )
            assert twin.game == case.game


@all_cases
def test_a_position_from_its_key_goes_on_like_the_original(case: Case) -> None:
    """A state's other fields can be computed from its identity fields."""
    positions = random_game(case)
    actions = actions_of(positions)
    for start in some(range(len(positions)), 6):
        position = position_from_key(case.game, positions[start].key())
        assert observed(position) == observed(positions[start])
        for original, action in zip(positions[start + 1 :], actions[start:], strict=True):
            position = position.play_action(action)
            assert observed(position) == observed(original)


@all_cases
def test_a_position_from_its_text_is_the_same(case: Case) -> None:
    for position in some(random_game(case), 30):
        twin = case.game.position(str(position))
        assert twin == position
        assert observed(twin) == observed(position)


@all_cases
def test_a_text_is_one_line_that_may_be_spelled_leniently(case: Case) -> None:
    for position in some(random_game(case), 8):
        text = str(position)
        assert text.isascii()
        assert text.isprintable()
        assert text == " ".join(text.lower().split())
        assert case.game.position(f"  {text.upper()}\n") == position


@quick_cases
def test_a_text_of_another_board_is_refused(case: Case) -> None:
    for other in cases_of(case.name):
        if other.game.geometry.points != case.game.geometry.points:
            with pytest.raises(ValueError, match="points"):
                case.game.position(str(other.game.start()))


@quick_cases
def test_players_that_do_not_exist_are_refused_in_keys(case: Case) -> None:
    """Rules index arrays by players, so every game must refuse them."""
    states = case.game.start().states()
    for name in ("stones", "to_move"):
        wrong = states.copy()
        wrong[name] = case.game.players
        with pytest.raises(ValueError, match=f"player {case.game.players}"):
            case.game.restored(wrong)


@quick_cases
@pytest.mark.parametrize("cut", [1, -1])
def test_a_key_of_the_wrong_length_is_refused(case: Case, cut: int) -> None:
    key = case.game.start().key()
    with pytest.raises(ValueError, match="key"):
        position_from_key(case.game, key + b"\0" if cut < 0 else key[:-cut])


@all_cases
def test_arranging_by_hand_gives_the_same_position(case: Case) -> None:
    identity = case.game.description.rules.IDENTITY
    others = [name for name in identity if name not in ("stones", "to_move")]
    for position in some(random_game(case), 8):
        fields = {name: position.state[name].copy() for name in others}
        assert case.game.arranged(position.stones(), position.to_move, **fields) == position


def transpositions(case: Case) -> list[list[Position]]:
    """Groups of positions reached from one position by the same actions in different orders."""
    groups = []
    chance = random.Random(7)
    for start in random_game(case)[:-1]:
        following = start
        actions: list[int] = []
        while len(actions) < 4 and not following.is_over:
            actions.append(chance.choice(following.legal_actions()))
            following = following.play_action(actions[-1])
        reached = (after(start, order) for order in itertools.permutations(actions))
        groups.append([position for position in reached if position is not None])
    return groups


@quick_cases
def test_equal_positions_have_equal_hashes_whatever_way_they_were_reached(case: Case) -> None:
    met = 0
    for group in transpositions(case):
        by_key: dict[bytes, list[Position]] = defaultdict(list)
        for position in group:
            by_key[position.key()].append(position)
        for twins in by_key.values():
            met += len(twins) - 1
            assert len({hash(twin) for twin in twins}) == 1
            assert all(twin == twins[0] for twin in twins)
            assert all(observed(twin) == observed(twins[0]) for twin in twins)
            for action in twins[0].legal_actions()[:3]:
                assert len({twin.play_action(action).key() for twin in twins}) == 1
    assert met > 10, "no two ways led to one position: nothing was tested"


@quick_cases
def test_the_same_stones_are_the_same_bytes(case: Case) -> None:
    """The stones' bytes don't depend on the order of actions, even if positions differ otherwise."""
    for group in transpositions(case):
        seen: dict[tuple[tuple[str, int], ...], bytes] = {}
        for position in group:
            stones = tuple(sorted(position.stones().items()))
            assert seen.setdefault(stones, position.state["stones"].tobytes()) == (
                position.state["stones"].tobytes()
            )


@all_cases
def test_one_action_makes_another_position(case: Case) -> None:
    positions = random_game(case)
    for before, following in itertools.pairwise(positions):
        assert before != following
        assert before.key() != following.key()


def test_positions_of_other_games_and_options_are_never_equal() -> None:
    starts = [case.game.start() for name in kakomi.names() for case in cases_of(name)]
    assert len(set(starts)) == len(starts)
    assert all(one != other for one, other in itertools.combinations(starts, 2))
    assert starts[0] != "a position"


def test_hashes_are_the_same_in_every_process() -> None:
    """They may be stored, but Python's own string hashes differ between processes."""
    code = f"""
import kakomi
for name, options in {[(case.name, dict(case.options)) for case in QUICK]!r}:
    position = kakomi.game(name, **options).start()
    print(hash(position), hash(position.play_action(position.legal_actions()[0])))
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**_environment(), "PYTHONHASHSEED": seed}, capture_output=True
        )
        for seed in ("1", "2")
    ]
    assert runs[0].returncode == 0, runs[0].stderr.decode()
    assert runs[0].stdout == runs[1].stdout
    starts = [case.game.start() for case in QUICK]
    hashes = [(hash(start), hash(start.play_action(start.legal_actions()[0]))) for start in starts]
    assert [tuple(map(int, line.split())) for line in runs[0].stdout.decode().splitlines()] == hashes


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)
