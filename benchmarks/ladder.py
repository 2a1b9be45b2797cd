"""Measure the ladder of levels on small boards: matches between neighbouring levels, and ratings.

    python -m benchmarks.ladder [GAME]... [--games 100] [--above LEVEL] [--folder .cache/ladder] [--jobs N]
        [--ray ADDRESS] [--write]

Every pair's games are kept in the folder: the same command resumes where it was stopped, and replays only
pairs with other settings. `--write` puts the tables into docs/levels.md. Bots are identified by their
settings, since level 3 of two games can differ widely. Changes to the search itself are not detected: begin
a new folder after one. `--above 10` plays only the levels above 10, and rates them relative to the game's Elo
of level 10: for levels that are added to a ladder.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from benchmarks.bot_matches import (
    BotMatch,
    add_worker_options,
    chosen,
    in_percent,
    open_farm_from_options,
    play,
    small_board,
)
from benchmarks.pages import replace_part
from kakomi.core import Game
from kakomi.core.level_config import LEVELS, Adviser, LevelConfig
from kakomi.farm import Farm
from kakomi.study.matches import Rating, Statistics, ratings

PAGE = Path(__file__).parent.parent / "docs" / "levels.md"
BEGINNER = "beginner"


def spelled(strength: LevelConfig) -> str:
    """Return the name of the bot with these settings."""
    if strength.adviser is Adviser.PATTERNS:
        return f"patterns:simulations={strength.simulations}"
    if strength.adviser is Adviser.NETWORK:
        return f"net:simulations={strength.simulations},mix=1"
    unadvised = ",use_prior=0" if strength.adviser is Adviser.NOBODY else ""
    return f"search:simulations={strength.simulations},temperature={strength.temperature:g}{unadvised}"


def matches(game: Game, games: int) -> list[BotMatch]:
    """Return the matches of the beginner and the levels, each against the next. The pairs from the last two
    search levels on, which take as long as all others together, play half as many games."""
    entrants = [BEGINNER, *(spelled(strength) for strength in game.description.levels)]
    pairs = [BotMatch(game, higher, lower, games) for lower, higher in pairwise(entrants)]
    long = LEVELS - 2
    return [*pairs[:long], *(replace(pair, games=games // 2) for pair in pairs[long:])]


def table(game: Game, games: int, folder: Path, farm: Farm, above: int = 0) -> str:
    """Play a game's ladder, or the levels above one, and return it as a Markdown table."""
    climbed = matches(game, games)[above:]
    statistics = [play(match, folder, farm) for match in climbed]
    rated = {rating.entrant: rating for rating in ratings(_together(climbed, statistics), _entrants(climbed))}
    zero = (rated[climbed[0].other].elo, _elo_of(game, above))
    lines = [
        f"**{game.description.title}**, {_options(game)}",
        "",
        "| level | simulations | temperature | advice | games | against the one below (95 %) | Elo (95 %) |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        f"| {above or BEGINNER} | | | | | | {_elo(rated[climbed[0].other], zero)} |",
        *_rows(game, climbed, statistics, rated, zero),
    ]
    return "\n".join(lines) + "\n"


def _rows(
    game: Game,
    climbed: list[BotMatch],
    climbs: list[Statistics],
    rated: dict[str, Rating],
    zero: tuple[float, float],
) -> Iterator[str]:
    levels = list(enumerate(game.description.levels, 1))[-len(climbed) :]
    for (number, strength), match, statistics in zip(levels, climbed, climbs, strict=True):
        score = in_percent(statistics.estimate(match.one, match.other))
        games = len(statistics.games)
        told = f"{strength.simulations:,} | {strength.temperature:g} | {strength.adviser} | {games} | {score}"
        yield f"| {number} | {told} | {_elo(rated[match.one], zero)} |"


def _together(climbed: list[BotMatch], statistics: list[Statistics]) -> Statistics:
    both = Statistics([pairing for match in climbed for pairing in match.pairings])
    for one in statistics:
        for played in one.games:
            both.add(played)
    return both


def _entrants(climbed: list[BotMatch]) -> list[str]:
    return [climbed[0].other, *(match.one for match in climbed)]


def _elo_of(game: Game, level: int) -> float:
    """Return the known Elo of a level above the beginner, which is level 0."""
    return float((game.description.levels[level - 1].elo or 0) if level else 0)


def _elo(rating: Rating, zero: tuple[float, float]) -> str:
    """Return a rating relative to the beginner, with the interval of the rating among all. `zero` is the
    rating of a bot of known Elo, and that Elo."""
    shift = zero[0] - zero[1]
    return f"{rating.elo - shift:.0f} ({rating.low - shift:.0f} to {rating.high - shift:.0f})"


def _options(game: Game) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in game.options.items())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description=__doc__.splitlines()[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--games", type=int, default=100, help="for each pair of neighbours (default 100)")
    parser.add_argument("--folder", type=Path, default=Path(".cache/ladder"), help="where games are kept")
    parser.add_argument("--above", type=int, default=0, metavar="LEVEL", help="only the levels above one")
    add_worker_options(parser)
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    arguments = parser.parse_args()
    if arguments.above and arguments.write:
        parser.error("--write takes whole ladders: leave out --above")
    with open_farm_from_options(arguments) as farm:
        for name in chosen(arguments.games_named):
            found = table(small_board(name), arguments.games, arguments.folder, farm, arguments.above)
            print(found, flush=True)
            if arguments.write:
                replace_part(PAGE, name, found)


if __name__ == "__main__":
    main()
