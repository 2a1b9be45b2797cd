"""Tracks with two small tasks, and agents to run on them."""

from pathlib import Path

TRACKS = """
[[track]]
id = "kakomi-suite/tiny-v1"
about = "Two tiny tasks"
kind = "matches"
budget = { simulations = 20 }
training_actions = 1000
opponents = ["random", "uct:simulations=5"]
openings = 1
tasks = [
    { game = "rin", options = { size = 4 } },
    { game = "rings", options = { size = 2, players = 3 } },
]

[[track]]
id = "kakomi-suite/tiny-cpu-v1"
about = "One tiny task against the clock"
kind = "matches"
budget = { cpu = 0.01 }
opponents = ["random"]
openings = 1
tasks = [{ game = "rin", options = { size = 4 } }]

[[track]]
id = "kakomi-suite/tiny-exact-v1"
about = "Positions of two tiny boards"
kind = "exact"
budget = { simulations = 20 }
positions = "tiny-exact-v1.json"
tasks = [
    { game = "rive", options = { size = 2 }, sample = { count = 3, plies = [0, 4] } },
    { game = "rin", options = { size = 4 }, sample = { count = 3, plies = [9, 11] } },
]
"""

AGENTS = '''
import random


def first(position):
    """The first legal action, by its number."""
    return position.legal_actions()[0]


def last(position):
    """The last legal action, by its text."""
    return position.legal()[-1]


class Chance:
    """Any legal action."""

    def __init__(self, game, seed, budget):
        self.random = random.Random(seed)

    def __call__(self, observation, mask):
        return self.random.choice(mask.nonzero()[0])


class Slow:
    """Takes all the time in the world."""

    def __init__(self, game, seed, budget):
        pass

    def __call__(self, position):
        sum(range(4_000_000))
        return position.legal_actions()[0]


def nonsense(position):
    return None


def illegal(position):
    legal = position.legal_actions()
    return legal[0] if position.ply < 9 else next(i for i in range(16) if i not in legal)


def lost(position):
    return "z99"


def none(position):
    return -1


def broken(position):
    raise RuntimeError("out of ideas")


def three(a, b, c):
    return 0


NUMBER = 7
'''


def write_tracks(folder: Path) -> Path:
    path = folder / "tracks.toml"
    path.write_text(TRACKS, encoding="utf-8")
    return path


def write_agents(folder: Path) -> Path:
    path = folder / "agents.py"
    path.write_text(AGENTS, encoding="utf-8")
    return path
