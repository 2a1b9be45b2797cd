"""The games and sizes on which to run other libraries' test suites."""

import pytest

from sampling import sample

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
SMALLEST = [
    ("lin", {"size": 5, "line": 3}),
    ("ren", {"size": 4}),
    ("rin", {"size": 4}),
    ("rive", {"size": 2}),
]
SMALLEST += [("rings", {"size": 2, "players": players}) for players in (2, 3)]
OTHERS = [game for game in GAMES if game not in SMALLEST]
all_games = pytest.mark.parametrize(("name", "options"), [*SMALLEST, *sample(OTHERS, 1)], ids=str)
