"""The games and sizes that the suites of other libraries are run on."""

import pytest

GAMES = [
    ("lin", {"size": 5, "line": 3}),
    ("lin", {"size": 9}),
    ("ren", {"size": 4}),
    ("ren", {"size": 8, "rui_limit": 5}),
    ("rin", {"size": 4}),
    ("rin", {"size": 8}),
    ("rive", {"size": 2}),
    ("rive", {"size": 4}),
    *(("rings", {"size": 2, "players": players}) for players in range(2, 7)),
    ("rings", {"size": 3}),
]
all_games = pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
