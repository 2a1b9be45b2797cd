"""Random games by action numbers and texts: legal actions, refusals and endings."""

import random

import pytest

from conformance.cases import ALL, Case, actions_of, all_cases, observed, quick_cases, random_game, some
from kakomi import IllegalAction, Position
from kakomi.core import steps


@all_cases
def test_legal_actions_are_ascending_numbers_with_texts(case: Case) -> None:
    texts = case.game.action_texts
    for position in random_game(case):
        legal = position.legal_actions()
        assert legal == sorted(set(legal))
        assert all(0 <= action < len(texts) for action in legal)
        assert position.legal() == [texts[action] for action in legal]
        assert bool(legal) != position.is_over


@all_cases
def test_texts_play_as_numbers_do(case: Case) -> None:
    game = case.game
    positions = random_game(case)
    position = game.start()
    for following, action in zip(positions[1:], actions_of(positions), strict=True):
        position = position.play(game.action_texts[action])
        assert position == following
    assert observed(position) == observed(positions[-1])


@all_cases
def test_spelling_is_lenient(case: Case) -> None:
    game = case.game
    for action, text in enumerate(game.action_texts):
        for spelled in (text, text.upper(), text.lower(), f"  {text} ", f"({text})", f"[ {text} ]\n"):
            assert game.action(spelled) == action


@all_cases
def test_turns_are_told_from_actions(case: Case) -> None:
    positions = random_game(case)
    for before, after, action in zip(positions, positions[1:], actions_of(positions), strict=False):
        assert after.ply == before.ply + 1
        assert 0 <= after.to_move < case.game.players
        if after.turn:
            assert after.turn == (*before.turn, action)
            assert after.to_move == before.to_move
            assert after.previous_turn == before.previous_turn
        else:
            assert after.previous_turn == (*before.turn, action)


def refused(position: Position, action: int) -> str:
    with pytest.raises(IllegalAction) as caught:
        position.play_action(action)
    return str(caught.value)


@all_cases
def test_all_other_actions_are_refused_and_change_nothing(case: Case) -> None:
    texts = case.game.action_texts
    chance = random.Random(3)
    for position in some(random_game(case), 12):
        seen = observed(position)
        others = sorted(set(range(len(texts))) - set(position.legal_actions()))
        for action in chance.sample(others, min(40, len(others))):
            message = refused(position, action)
            assert message.startswith(f"{texts[action]} can't be played: ")
            assert "\n" not in message
            with pytest.raises(IllegalAction):
                position.play(texts[action])
        assert observed(position) == seen


@all_cases
def test_legality_of_one_action_agrees_with_the_list(case: Case) -> None:
    game = case.game
    identity = game.description.rules.IDENTITY
    for position in some(random_game(case), 25):
        legal = set(position.legal_actions())
        for action in range(len(game.actions)):
            states, successors = position.states(), position.states()
            status = steps.advance(game.board, states, successors, game.scratch, action)
            assert (status != steps.ILLEGAL) == (action in legal)
            assert all((states[name] == position.state[name]).all() for name in identity)


@quick_cases
@pytest.mark.parametrize("number", [-1, -(10**6), 10**6, 2**31, 2**63, -(2**63), 2**64, 10**30])
def test_numbers_that_are_no_actions(case: Case, number: int) -> None:
    position = case.game.start()
    assert "\n" not in refused(position, number)
    assert position == case.game.start()


@quick_cases
@pytest.mark.parametrize(
    "text", ["", " ", "no such action", "()", "\0", "é" * 5, "a" * 10_000, "1 2 3 4", "²"]
)
def test_texts_that_are_no_actions(case: Case, text: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        case.game.start().play(text)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300


@all_cases
@pytest.mark.parametrize("seed", [1, 2])
def test_games_end_and_returns_sum_to_zero(case: Case, seed: int) -> None:
    *earlier, last = random_game(case, seed)
    players = case.game.players
    for position in [*some(earlier, 5), *([] if last.is_over else [last])]:
        assert len(position.scores()) == players
        with pytest.raises(ValueError, match="over"):
            position.returns()
    if not last.is_over:  # only a game with a length limit may be cut off (RULES N12)
        assert case.game.description.max_game_length is not None
        return
    returns, scores = last.returns(), last.scores()
    assert len(returns) == len(scores) == players
    assert sum(returns) == pytest.approx(0, abs=1e-12)
    assert [gain > min(returns) for gain in returns] == [
        score == max(scores) and len(set(scores)) > 1 for score in scores
    ]
    for action in range(len(case.game.actions)):
        assert "over" in refused(last, action)


@quick_cases
def test_positions_never_change(case: Case) -> None:
    positions = random_game(case)
    before = [observed(position) for position in positions]
    board = case.game.board.tobytes()
    for position in positions:
        for action in position.legal_actions():
            position.play_action(action)
        position.legal_actions().clear()
        position.stones().clear()
        position.states()["to_move"] = -1
    assert [observed(position) for position in positions] == before
    assert case.game.board.tobytes() == board


def test_there_is_a_case_for_every_extreme() -> None:
    """A test of the suite itself: every option is tested with at least two values."""
    for name in {case.name for case in ALL}:
        of_name = [case for case in ALL if case.name == name]
        for number in range(len(of_name[0].options)):
            assert len({case.options[number][1] for case in of_name}) >= 2
