"""Writing and reading actions in SGF."""

from types import SimpleNamespace

import kakomi
from kakomi.boards import letter_board
from kakomi.core import Action
from kakomi.records.sgf.values import meanings, spellings
from recorded_games import quick_games

RIN = kakomi.game("rin", size=6)
SGF_GAMES = [game for game in quick_games() if game.geometry.kind == "square" and game.players == 2]


def test_every_action_has_a_spelling_of_its_own() -> None:
    for game in SGF_GAMES:
        assert len(set(spellings(game))) == len(game.actions)
    assert spellings(RIN)[:7] == ["aa", "ba", "ca", "da", "ea", "fa", "ab"]
    assert spellings(kakomi.game("lin", size=5))[0] == "ae"


def test_actions_that_sgf_does_not_know_are_spelled_as_ours() -> None:
    actions = [
        Action("a1", point="a1"),
        Action("A1", point="a1"),
        Action("xb2", "remove", "b2"),
        Action("b]", "end"),
        Action("pass", "pass"),
    ]
    other = SimpleNamespace(geometry=letter_board(3), actions=actions, action_texts=[a.text for a in actions])
    assert spellings(other) == ["ac", "=A1", "=xb2", "=b]", ""]
    assert meanings(other) == {"ac": "a1", "=A1": "A1", "=xb2": "xb2", "=b]": "b]", "": "pass", "tt": "pass"}


def test_tt_is_a_pass_on_boards_that_have_no_such_point() -> None:
    def understood(size: int) -> dict[str, str]:
        points = letter_board(size)
        actions = [Action("pass", "pass"), *(Action(name, point=name) for name in points.names)]
        texts = [action.text for action in actions]
        return meanings(SimpleNamespace(geometry=points, actions=actions, action_texts=texts))

    assert understood(19)["tt"] == understood(19)[""] == "pass"
    assert understood(20)["tt"] == "t1"
    assert understood(21)["tt"] == "t2"
