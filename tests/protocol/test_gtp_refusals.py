"""Refusals of GTP: illegal moves, and commands after the end of a game."""

import contextlib
import threading
from types import SimpleNamespace

import pytest

import kakomi
from core.skirmish import skirmish
from kakomi.boards import letter_board
from kakomi.bots import RandomBot
from kakomi.core import Action
from kakomi.protocol.gtp.engine import GtpEngine
from kakomi.protocol.gtp.syntax import GtpError, Vertices


@pytest.mark.parametrize("name", kakomi.names())
def test_a_game_on_another_board_has_no_vertices(name: str) -> None:
    is_square = kakomi.game(name).geometry.kind == "square"
    assert Vertices.unsupported_reason(kakomi.game(name)) == (None if is_square else "its board isn't square")


def test_a_game_that_has_more_than_stones_and_passes_has_no_words() -> None:
    def four(geometry: object, options: object) -> list[Action]:
        return [Action("a1", point="a1"), Action("take a1", "remove", "a1")]

    assert (
        Vertices.unsupported_reason(skirmish(actions=four))
        == "it has actions that are neither a stone nor a pass"
    )
    three = skirmish(player_names=("Black", "White", "Red"))
    assert Vertices.unsupported_reason(three) == "3 play it"
    large = SimpleNamespace(geometry=letter_board(26))
    assert Vertices.unsupported_reason(large) == "its board is larger than 25×25"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rive can't be played in GTP: its board isn't square"):
        GtpEngine("rive", {}, RandomBot(1))


def test_a_game_that_is_over_is_not_analysed() -> None:
    engine = GtpEngine("rin", {"size": 4}, RandomBot(1))
    for _ in range(16):
        for colour in ("b", "w"):
            with contextlib.suppress(GtpError):  # the other one is to play
                engine.execute("genmove", (colour,))
    assert engine.execute("final_score", ())
    with pytest.raises(GtpError, match="the game is over"):
        engine.analyse("lz-analyze", (), threading.Event(), pytest.fail)
