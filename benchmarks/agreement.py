"""How far the levels agree with level 10, and how often people are found who agree more than they should.

    python -m benchmarks.agreement [GAME]... [--games 12] [--jobs 2] --write

plays neighbouring levels against each other on the board of the ladder, asks level 10 about the turns of
both, and writes the counts that `kakomi.server.moderation` compares people's games with. Games are kept in
the folder: the command can be stopped and given again.

    python -m benchmarks.agreement --people 20000

prints the tables of docs/moderation.md, from the counts alone: half of the games of each level make the
curve, and simulated people draw theirs from the other half.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import quantiles

from benchmarks.bouts import SEED, chosen, small_board, tell
from benchmarks.pages import replace_part
from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.contest import Rating, anchor, rate
from kakomi.contest.ratings import chance
from kakomi.core import Game
from kakomi.core.level_config import LEVELS
from kakomi.farm import Piece, open_farm
from kakomi.records import recorded
from kakomi.search import Search
from kakomi.server.moderation.expected_agreement import (
    COUNTS,
    AgreementCurve,
    Counts,
    GameCount,
    board_of,
    fitted,
    read_counts,
)
from kakomi.server.moderation.suspicions import LEAST_BITS, LEAST_GAMES, LEAST_TURNS, Agreement, agreement
from kakomi.study.agreement import OPENING, agrees, limits_of, plies_to_compare, seed_for

PAGE = Path(__file__).parent.parent / "docs" / "moderation.md"
SIGMAS = (60, 150)
"""Between these an established rating is known, in points."""
MOST_GAMES = 60
"""Games of a simulated person at most."""
HELPED_LEVEL = 5
"""That of the rating of somebody who has level 10 play from now on."""


def measured(name: str, games: int, folder: Path, jobs: int) -> Counts:
    """The counts of a game's levels: each pair of neighbours plays so many games."""
    pairs = [pair for pair in pairwise(range(1, LEVELS + 1)) for _ in range(games)]
    pieces = [
        Piece(f"game {number} of {name}", _kept, (name, *pair, number, folder))
        for number, pair in enumerate(pairs)
    ]
    found = {}
    with open_farm(jobs) as farm:
        for piece, counted in farm.run(pieces):
            found[piece.name] = counted
            tell(f"{name}: {len(found)} of {len(pairs)} games")
    tell("")
    counts: dict[str, list[GameCount]] = defaultdict(list)
    for pair, piece in zip(pairs, pieces, strict=True):
        for level, count in zip(pair, found[piece.name], strict=True):
            counts[str(level)].append(count)
    return {str(level): counts[str(level)] for level in range(1, LEVELS + 1)}


def _kept(name: str, lower: int, higher: int, number: int, folder: Path) -> list[GameCount]:
    """The counts of both levels in a game, which is played unless it is in the folder."""
    file = folder / f"{name}-{lower}-{higher}-{number}.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(_game(small_board(name), (lower, higher), number)), encoding="utf-8")
    return [(agreed, turns) for agreed, turns in json.loads(file.read_text(encoding="utf-8"))]


def _game(game: Game, levels: tuple[int, int], number: int) -> list[GameCount]:
    """A game after a random opening, in which the lower level begins every other time."""
    seed = SEED + number
    first = number % 2
    bots = [make_bot(levels[(player + first) % 2], seed=seed) for player in range(2)]
    opening, position, turns = make_bot("random", seed=seed), game.start(), 0
    while not position.is_over:
        bot = opening if turns < OPENING else bots[position.to_move]
        position = position.play_action(bot.choose(position))
        turns += not position.turn
    record, counts = recorded(game, position.played()), []
    for level in range(2):
        answers = [
            agrees(
                Search(game, seed=seed_for(ply)).run(ply.before, simulations=limits_of(game).simulations),
                ply.action,
            )
            for ply in plies_to_compare(record, game, (level + first) % 2)
        ]
        told = [answer for answer in answers if answer is not None]
        counts.append((sum(told), len(told)))
    return counts


def shares(counts: Mapping[str, Counts]) -> str:
    """The shares of all levels, as a Markdown table."""
    lines = ["| board | " + " | ".join(map(str, range(1, LEVELS + 1))) + " | turns |"]
    lines.append("| --- |" + " ---: |" * (LEVELS + 1))
    for board, levels in counts.items():
        curve = fitted(levels, catalog.describe(board.partition(" ")[0]))
        cells = [f"{100 * share.value:.0f} ± {196 * share.error:.0f}" for share in curve.shares]
        turns = sum(of for games in levels.values() for _, of in games)
        lines.append(f"| {board} | {' | '.join(cells)} | {turns:,} |")
    return "\n".join(lines)


class Boards:
    """Each board with the curve of half of the games, and the other half."""

    def __init__(self, counts: Mapping[str, Counts]) -> None:
        self.curves: dict[str, AgreementCurve] = {}
        self.games: dict[str, Counts] = {}
        for board, levels in counts.items():
            description = catalog.describe(board.partition(" ")[0])
            self.curves[board] = fitted({level: games[::2] for level, games in levels.items()}, description)
            others = {
                level: [game for game in games[1::2] if game[1] >= LEAST_TURNS]
                for level, games in levels.items()
            }
            self.games[board] = others

    def bits_of_honest(self, draw: random.Random, board: str, level: int) -> float:
        """How unlikely a person of a level looks whose rating is as wrong as its sigma says."""
        sigma = draw.uniform(*SIGMAS)
        known = Rating(draw.gauss(_strength(board, level), sigma), sigma)
        count = draw.randint(LEAST_GAMES, MOST_GAMES)
        return agreement([self._game(draw, board, level, known) for _ in range(count)]).bits

    def games_until_found(self, draw: random.Random, board: str, sigma: float) -> int:
        """After how many games somebody is found who has level 10 play from now on, against people of the
        rating that they have then; `MOST_GAMES` if they aren't. Their rating follows what they win."""
        known, strength = Rating(_strength(board, HELPED_LEVEL), sigma), Rating(_strength(board, LEVELS), 0.0)
        played: list[Agreement] = []
        while len(played) < MOST_GAMES:
            played.append(self._game(draw, board, LEVELS, known))
            if agreement(played).bits >= LEAST_BITS:
                break
            other = Rating(known.mean, sigma)
            wins = draw.random() < chance(strength, Rating(other.mean, 0.0))
            known = rate([known, other], [1, 2] if wins else [2, 1])[0]
        return len(played)

    def _game(self, draw: random.Random, board: str, level: int, known: Rating) -> Agreement:
        agreed, turns = draw.choice(self.games[board][str(level)])
        return Agreement(agreed, turns, turns * self.curves[board].most(known))


def _strength(board: str, level: int) -> float:
    elo = catalog.describe(board.partition(" ")[0]).levels[level - 1].elo
    return anchor(elo or 0, is_measured=True).mean


def simulated(counts: Mapping[str, Counts], people: int) -> Iterator[str]:
    """What is found among honest people, and after how many games those who are helped are."""
    boards, draw, bits = Boards(counts), random.Random(1), (7, 10, LEAST_BITS)
    yield f"| honest people, of {people:,} | " + " | ".join(f"{each:.0f} bits" for each in bits) + " |"
    yield "| --- |" + " ---: |" * len(bits)
    for name, levels in (("levels 1 to 3", (1, 3)), ("levels 4 to 6", (4, 6)), ("levels 7 to 9", (7, 9))):
        found = [
            boards.bits_of_honest(draw, draw.choice(list(counts)), draw.randint(*levels))
            for _ in range(people)
        ]
        yield f"| {name} | " + " | ".join(str(sum(one >= each for one in found)) for each in bits) + " |"
    yield ""
    yield "| helped from level 5 on | found after games (median) | nine of ten | found within 60 |"
    yield "| --- | ---: | ---: | ---: |"
    for board in counts:
        after = [
            boards.games_until_found(draw, board, draw.uniform(*SIGMAS)) for _ in range(max(10, people // 20))
        ]
        deciles = quantiles(after, n=10)
        share = sum(games < MOST_GAMES for games in after) / len(after)
        yield f"| {board} | {_games(deciles[4])} | {_games(deciles[8])} | {100 * share:.0f} % |"


def _games(number: float) -> str:
    return f"{number:.0f}" if number < MOST_GAMES else f"more than {MOST_GAMES}"


def _sequence(counts: Mapping[str, Counts]) -> str:
    """The counts as JSON with a line for each level."""
    return (
        "{\n"
        + ",\n".join(
            f' "{board}": {{\n'
            + ",\n".join(f'  "{level}": {json.dumps(list(games))}' for level, games in levels.items())
            + "\n }"
            for board, levels in counts.items()
        )
        + "\n}\n"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module's description."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.agreement", description=__doc__.splitlines()[0]
    )
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="to be measured")
    parser.add_argument("--games", type=int, default=12, help="for each pair of neighbours (default 12)")
    parser.add_argument("--folder", type=Path, default=Path(".cache/agreement"), help="where games are kept")
    parser.add_argument("--jobs", type=int, default=2, help="games at a time (default 2)")
    parser.add_argument("--write", action="store_true", help=f"put it into {COUNTS.name} and {PAGE.name}")
    parser.add_argument("--people", type=int, default=0, help="simulate so many people of each kind")
    asked = parser.parse_args(arguments)
    counts: dict[str, Counts] = read_counts() if COUNTS.exists() else {}
    for name in chosen(asked.games_named) if asked.games_named else ():
        counts[board_of(small_board(name))] = measured(name, asked.games, asked.folder, asked.jobs)
        if asked.write:
            COUNTS.write_text(_sequence(dict(sorted(counts.items()))), encoding="utf-8")
    for part, text in _tables(counts, asked.people):
        print(text)
        if asked.write:
            replace_part(PAGE, part, text)


def _tables(counts: Mapping[str, Counts], people: int) -> Iterator[tuple[str, str]]:
    """The tables of the page, each with the name of its place there."""
    yield "agreement", shares(counts) + "\n"
    if people:
        yield "people", "\n".join(simulated(counts, people)) + "\n"


if __name__ == "__main__":
    main()
