"""The styles of players in all drawings."""

from collections import Counter

import pytest

from draw.scenes import NAMES
from kakomi.boards import letter_board
from kakomi.draw import Scene, Style
from kakomi.draw.player_style import PLAYER_STYLES, player_styles
from kakomi.draw.text import draw_text


def test_players_named_after_colours_wear_them():
    assert [style.name for style in player_styles(("Blue", "Anna", "Black", "Ben"))] == [
        "blue",
        "white",
        "black",
        "red",
    ]


def test_player_styles_differ_in_colour_sign_and_letter():
    for what in ("name", "body", "sign", "letter", "paint"):
        assert len({getattr(style, what) for style in PLAYER_STYLES}) == 6
    letters = "".join(style.letter + style.letter.lower() + style.marked for style in PLAYER_STYLES)
    assert all(count == 1 for sign, count in Counter(letters).items() if sign not in "ahyv")


def test_a_seventh_player_is_refused():
    with pytest.raises(ValueError, match="7 players can't be drawn apart: at most 6 can"):
        draw_text(Scene(letter_board(5), Style(), {}, (*NAMES, "Pink")))
