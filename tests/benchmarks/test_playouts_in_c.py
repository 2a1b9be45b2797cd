"""The playouts in C, against which speed is measured, play the games that Kakomi's rules play."""

import pytest
from benchmarks.playouts_in_c import PlayoutsInC, has_compiler, names

import kakomi
from kakomi.search.playout import Playouts

PLAYOUTS = 300
BOARDS = [
    *((name, {}) for name in names()),
    ("lin", {"size": 5, "komi": 4}),
    ("rin", {"size": 4}),
    ("rive", {"size": 2}),
    ("ren", {"size": 5, "lead": 2, "rui_limit": 1}),
    ("rings", {"size": 3, "players": 4}),
]


@pytest.mark.skipif(not has_compiler(), reason="there is no gcc")
@pytest.mark.parametrize(("name", "options"), BOARDS)
def test_playouts_in_c_are_kakomis(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    ours, in_c = Playouts(game, seed=7), PlayoutsInC(game, seed=7)
    for number in range(PLAYOUTS):
        assert ours.run(1) == in_c.run(1), number
        assert (ours.final_scores == in_c.final_scores).all(), number
