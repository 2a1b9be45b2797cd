"""Environment cards: the facts about a game for learners, generated from its code."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice

from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import random_state
from kakomi.research.observation import observation_spec
from kakomi.research.suite.agent import rules_hash
from kakomi.research.suite.track import environment_id
from kakomi.study.matches.games import random_walk

GAMES = 50
"""The number of random games for the statistics."""
MOST_PLIES = 5_000


@dataclass(frozen=True)
class RandomPlay:
    """Statistics of random games."""

    shortest: int
    mean: float
    longest: int
    branching: float
    """The mean number of legal actions at a position."""
    first_wins: float
    """The share of games with the first player as the sole winner."""


def card(game: Game) -> str:
    """A game's environment card in Markdown: observations, actions, lengths and known results."""
    spec, play = observation_spec(game), random_play(game)
    cut_off = game.cut_off
    rows = [
        ("environment", f"`{environment_id(game.name)}`, `{_options(game)}`"),
        ("players", str(game.players)),
        ("observation", f"float32 {' × '.join(map(str, spec.shape))}: {'; '.join(spec.planes)}"),
        ("actions", f"{len(game.actions)}: {_kinds(game)}"),
        ("reward", "at the end, the sum over players is 0, a sole win is 1"),
        ("symmetries", str(len(game.symmetries))),
        (
            "cut off after",
            "never: the rules end it" if cut_off is None else f"{cut_off} actions, then counted",
        ),
        (
            f"length of {GAMES} random games",
            f"{play.mean:.0f} actions on average, {play.shortest} to {play.longest}",
        ),
        ("legal actions", f"{play.branching:.0f} on average in them"),
        ("first player wins", f"{play.first_wins:.0%} of them"),
        ("exact value", _known(game)),
        ("rules", f"`{rules_hash(game)[:16]}`"),
    ]
    lines = [f"### {game.description.title}: {_options(game)}", "", "| | |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows)]) + "\n"


def random_play(game: Game, games: int = GAMES) -> RandomPlay:
    """Play seeded random games, each to its end or its cut-off."""
    ends, legal = [], 0
    for number in range(games):
        end, seen = _random_game(game, derived_seed(number, "card", game.name))
        ends.append(end)
        legal += seen
    plies = [end.ply for end in ends]
    firsts = [end for end in ends if _leads(end)]
    return RandomPlay(
        min(plies), sum(plies) / games, max(plies), legal / max(1, sum(plies)), len(firsts) / games
    )


def _random_game(game: Game, seed: int) -> tuple[Position, int]:
    """The last position of a random game, and the sum of legal actions in all positions before it."""
    most = game.cut_off or MOST_PLIES
    *before, end = islice(random_walk(game.start(), random_state(seed)), most + 1)
    return end, sum(len(position.legal_actions()) for position in before)


def _leads(end: Position) -> bool:
    first, *others = end.scores()
    return first > max(others)


def _options(game: Game) -> str:
    return " ".join(f"{name}={value}" for name, value in game.options.items())


def _kinds(game: Game) -> str:
    return ", ".join(
        f"{count} of kind {kind}" for kind, count in Counter(one.kind for one in game.actions).items()
    )


def _known(game: Game) -> str:
    found = [board for board in game.description.solved if dict(board.options) == dict(game.options)]
    told = [f"{game.player_names[board.seat]} {board.margin:+d} by `{board.command}`" for board in found]
    return "; ".join(told) or "not known"
