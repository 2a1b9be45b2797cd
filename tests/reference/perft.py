"""Counts of legal action sequences, for comparison with other implementations of the rules.

    python -m tests.reference.perft           counts again and compares with perft.json (2 to 3 minutes)
    python -m tests.reference.perft --write   writes perft.json anew

Each entry of perft.json means: from the start of `game` with `options`, after the actions of `prefix` (seeded
random play), there are `count` sequences of exactly `depth` legal actions. Sequences that end the game
earlier don't count.
"""

import itertools
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from . import make
from .common import Position

P = TypeVar("P", bound=Position)

FILE = Path(__file__).with_name("perft.json")

# Game, options, and the prefix length and depth of each count. Small boards include late positions, so that
# games end within the depth; larger ones have positions where captures, rings and conversions are common.
CASES: list[tuple[str, dict[str, int], list[tuple[int, int]]]] = [
    ("rin", {"size": 4}, [(0, 5), (6, 6), (9, 7), (11, 5)]),
    ("rin", {"size": 6}, [(0, 4), (15, 4), (20, 5), (27, 8), (29, 5)]),
    ("rin", {"size": 8}, [(0, 3), (35, 4), (45, 4), (54, 6)]),
    ("rin", {"size": 12}, [(0, 2), (80, 3), (100, 3), (125, 4)]),
    ("rin", {}, [(0, 2), (120, 3), (150, 3), (190, 3), (215, 4), (230, 4)]),
    ("rin", {"size": 18}, [(0, 2), (260, 3)]),
    ("rive", {"size": 2}, [(0, 11), (5, 10), (6, 9)]),
    ("rive", {"size": 3}, [(0, 5), (7, 7), (12, 9), (20, 8), (25, 8), (40, 9), (50, 7)]),
    ("rive", {}, [(0, 4), (12, 5), (25, 7), (40, 7), (60, 9), (100, 8), (150, 7), (170, 7)]),
    ("rive", {"size": 5}, [(0, 3), (30, 5), (200, 8), (350, 6), (450, 6)]),
    ("rive", {"size": 6}, [(60, 4), (300, 8), (700, 5)]),
    ("rive", {"size": 7}, [(50, 3), (500, 6)]),
    ("rive", {"size": 8}, [(0, 2), (100, 4), (400, 6)]),
    ("lin", {"size": 5}, [(0, 4), (6, 4), (11, 5), (14, 6)]),
    ("lin", {"size": 5, "line": 3}, [(0, 4), (10, 5), (15, 6), (19, 7)]),
    ("lin", {"size": 5, "line": 5, "komi": 4}, [(0, 4), (5, 4), (9, 5)]),
    ("lin", {"size": 7}, [(0, 3), (20, 4), (30, 4), (38, 5)]),
    ("lin", {"size": 7, "line": 3}, [(30, 4), (40, 5)]),
    ("lin", {"size": 7, "line": 4}, [(30, 4), (35, 5)]),
    ("lin", {"size": 7, "line": 6}, [(15, 3), (25, 4)]),
    ("lin", {"size": 9}, [(0, 2), (40, 3), (50, 4), (65, 4)]),
    ("lin", {"size": 11, "komi": 20}, [(90, 3)]),
    ("lin", {}, [(0, 2), (60, 2), (100, 3), (150, 3)]),
    ("lin", {"size": 19}, [(0, 2), (300, 2)]),
    ("ren", {"size": 4}, [(0, 4), (7, 6), (10, 6), (12, 7), (14, 7)]),
    ("ren", {"size": 4, "rui_limit": 1}, [(9, 6), (12, 7)]),
    ("ren", {"size": 4, "rui_limit": 5}, [(10, 6), (12, 7)]),
    ("ren", {"size": 5, "lead": 2}, [(12, 5), (17, 6)]),
    ("ren", {"size": 5, "rui_limit": 1, "lead": 6}, [(15, 5), (20, 6)]),
    ("ren", {"size": 6}, [(0, 3), (25, 5), (32, 5)]),
    ("ren", {"size": 6, "rui_limit": 0}, [(25, 5)]),
    ("ren", {"size": 6, "rui_limit": 2, "lead": 6}, [(30, 6)]),
    ("ren", {"size": 8}, [(0, 3), (30, 3), (40, 4), (51, 5), (58, 5)]),
    ("ren", {"size": 8, "rui_limit": 1}, [(51, 5)]),
    ("ren", {"size": 8, "rui_limit": 5}, [(51, 5)]),
    ("ren", {}, [(0, 2), (45, 3), (60, 3), (80, 4), (90, 5)]),
    ("ren", {"lead": 6}, [(85, 4)]),
    ("ren", {"size": 12}, [(0, 2), (110, 3)]),
    ("rings", {"size": 2}, [(0, 4), (6, 4), (12, 5), (22, 6), (28, 4)]),
    ("rings", {"size": 2, "players": 3}, [(0, 4), (10, 5), (16, 6)]),
    ("rings", {"size": 2, "players": 6}, [(14, 5), (19, 6)]),
    ("rings", {"size": 3}, [(0, 3), (20, 3), (40, 4), (60, 5), (75, 7)]),
    ("rings", {"size": 3, "players": 3}, [(40, 4), (60, 6)]),
    ("rings", {"size": 3, "players": 4}, [(55, 5), (70, 6)]),
    ("rings", {"size": 4}, [(60, 3), (120, 4), (150, 6)]),
    ("rings", {"size": 4, "players": 3}, [(100, 4), (150, 6)]),
    ("rings", {"size": 5, "players": 5}, [(200, 4)]),
    ("rings", {}, [(0, 2), (100, 2), (200, 3), (350, 5), (400, 5)]),
    ("rings", {"players": 3}, [(250, 4)]),
]


def perft(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` legal actions."""
    if depth == 0:
        return 1
    legal = position.legal()
    if depth == 1:
        return len(legal)
    return sum(perft(after(position, action), depth - 1) for action in legal)


def after(position: P, action: str) -> P:
    following = position.copy()
    following.play(action)
    return following


def random_prefix(game: str, options: dict[str, int], length: int) -> list[str]:
    """The actions of a random game that lasts longer than `length`, from the first seed that gives one."""
    for seed in itertools.count():
        chance = random.Random(seed)
        position = make(game, **options)
        actions = []
        while not position.is_over and len(actions) < length:
            actions.append(chance.choice(sorted(position.legal())))
            position.play(actions[-1])
        if not position.is_over:
            return actions
    raise AssertionError("numbers end")


def position_of(entry: dict) -> Position:
    position = make(entry["game"], **entry["options"])
    for action in entry["prefix"]:
        position.play(action)
    return position


def counted_cases() -> Iterator[dict]:
    for game, options, counts in CASES:
        for length, depth in counts:
            prefix = random_prefix(game, options, length)
            entry = {"game": game, "options": options, "prefix": prefix, "depth": depth}
            yield entry | {"count": perft(position_of(entry), depth)}


def recorded() -> list[dict]:
    return json.loads(FILE.read_text())


def main(arguments: list[str]) -> int:
    if arguments == ["--write"]:
        lines = [json.dumps(entry) for entry in counted_cases()]
        FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
        return 0
    wrong = [entry for entry in recorded() if perft(position_of(entry), entry["depth"]) != entry["count"]]
    for entry in wrong:
        print("differs:", entry)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
