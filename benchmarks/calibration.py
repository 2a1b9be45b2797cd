"""Measure how often win chances come true, and what turning points cost, on games of bots with themselves.

    python -m benchmarks.calibration [chances] [swings] [--games 24] [--write]

`chances` searches ten positions of each game of `benchmarks.ownership` as an analysis does, and compares the
chances with who won. `swings` analyses games of level 5 against level 6 and plays on from both sides of every
turning point. Results stay in `.cache/calibration`; --write puts them into docs/analyse.md.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import kakomi
from benchmarks.charts import as_file
from benchmarks.ownership import PAGE, ROOT, actions_of
from benchmarks.pages import replace_part
from kakomi import records
from kakomi.analysis import PositionLimits, analyse, ownership
from kakomi.analysis.analysis import SIMULATIONS
from kakomi.bots import make_bot, strongest_search
from kakomi.core import Game, Position
from kakomi.core.system import replace_file
from kakomi.study.report.content import Chart, DataPoint, Series

GAMES = ("lin", "ren", "rin", "rings", "rive")
FOUND, PICTURE = ROOT / ".cache" / "calibration", ROOT / "docs" / "images" / "calibration.svg"
POSITIONS = 10
"""Positions of each game, at equal distances."""
STAGES = ("first third", "second third", "last third")
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
PLAYERS = ("5", "6")
"""The levels whose games have turning points."""
CONTINUATIONS, CONTINUING = 12, "search:simulations=200,temperature=0.3"
"""How many games are played on from each side of a turning point, and by which bot."""


def stored(measure: Callable[[str, int], Any], name: str, number: int) -> Any:
    """What was measured on a game, from its file or now."""
    path = FOUND / f"{measure.__name__}-{name}-{number}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(measure(name, number)).encode())
    return json.loads(path.read_text())


def chances_of(name: str, number: int) -> list[tuple[int, int, float, float]]:
    """For positions of one game: its number, their stage, the favourite's chance, and what they won."""
    game = kakomi.game(name)
    positions = replayed(game, actions_of(name, {}, number, 1000))
    won = (float(positions[-1].returns()[0]) + 1) / 2
    found = []
    for place in range(POSITIONS):
        position = positions[(len(positions) - 1) * place // POSITIONS]
        search = strongest_search(game, seed=1_000_003 * number + place)
        chance = search.run(position, simulations=SIMULATIONS).chances[0]
        favourite = (chance, won) if chance >= 0.5 else (1 - chance, 1 - won)
        found.append((number, len(STAGES) * place // POSITIONS, *favourite))
    return found


def replayed(game: Game, actions: Sequence[str]) -> list[Position]:
    """Every position of a game."""
    positions = [game.start()]
    for action in actions:
        positions.append(positions[-1].play(action))
    return positions


def swings_of(name: str, number: int) -> list[tuple[float, float, float, float]]:
    """For the turning points of one game the cost and the share of the region that an analysis foresees, and
    what they are in games played on."""
    game = kakomi.game(name)
    record = records.recorded(game, [game.action_texts[action] for action in played(game, number)])
    found = []
    for move in analyse(record, game, PositionLimits(simulations=SIMULATIONS), threads=2).highlights:
        if not move.swing:
            continue
        player, before = move.ply.player, move.ply.before
        sides = (move.ply.action, move.best[0])
        played_on = [ends(before.play_action(action), number) for action in sides]
        leads, owners = zip(*played_on, strict=True)
        region = [game.geometry.index[name] for name in move.swing.region]
        lost = owners[1][region, player].sum() - owners[0][region, player].sum()
        cost = float(leads[1][player] - leads[0][player])
        found.append((move.swing.cost, cost, float(len(region)), float(lost)))
    return found


def played(game: Game, number: int) -> tuple[int, ...]:
    """The actions of a game between two levels."""
    position = game.start()
    bots = [make_bot(PLAYERS[(number + seat) % 2], seed=100 + 2 * number + seat) for seat in range(2)]
    while not position.is_over:
        position = position.play_action(bots[position.to_move].choose(position))
    return tuple(position.played())


def ends(position: Position, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The mean leads and owners of games played on from a position."""
    found = []
    for game in range(CONTINUATIONS):
        at = position
        bots = [make_bot(CONTINUING, seed=1000 * seed + 10 * game + seat) for seat in range(2)]
        while not at.is_over:
            at = at.play_action(bots[at.to_move].choose(at))
        found.append(ownership(at, 1))
    return np.mean([one.lead for one in found], axis=0), np.mean([one.owner for one in found], axis=0)


Chances = Sequence[tuple[int, int, float, float]]


def frequencies(found: Chances) -> Iterator[tuple[float, float, float, int]]:
    """For each bin the mean chance, how often it came true with the half of its 95 % interval, and the number
    of positions. Positions of one game end alike, so that only games count for the interval."""
    for low, high in pairwise(BINS):
        inside = [one for one in found if low <= one[2] < high or one[2] == high == 1]
        if inside:
            chance, true = np.mean([one[2:] for one in inside], axis=0)
            half = 1.96 * (true * (1 - true) / len({one[0] for one in inside})) ** 0.5
            yield float(chance), float(true), half, len(inside)
        else:
            yield 0.0, 0.0, 0.0, 0


def sharpness_of(found: Chances, resamples: int = 200) -> tuple[float, float, float]:
    """The power of the odds that makes what came true likeliest, with its 95 % interval from resampled games;
    1 if chances come true as stated. A game's `Description.sharpness` is multiplied by it."""
    rng, games = np.random.default_rng(1), sorted({one[0] for one in found})
    powers = np.geomspace(0.2, 10, 120)
    _, _, chance, won = np.array(found).T
    odds = np.log(np.clip(chance, 1e-4, 1 - 1e-4)) - np.log(np.clip(1 - chance, 1e-4, 1 - 1e-4))
    misses = np.logaddexp(0, -np.outer(powers, odds)) + (1 - won) * np.outer(powers, odds)
    by_game = np.array([misses[:, [one[0] == game for one in found]].sum(axis=1) for game in games])
    drawn = [by_game[rng.integers(len(games), size=len(games))].sum(axis=0) for _ in range(resamples)]
    low, high = np.percentile([powers[each.argmin()] for each in drawn], [2.5, 97.5])
    return float(powers[by_game.sum(axis=0).argmin()]), float(low), float(high)


def picture(found: Chances) -> str:
    """Draw how often chances came true, by stage of the game."""
    series = tuple(
        Series(
            name,
            tuple(
                DataPoint(chance, true, max(0.0, true - half), min(1.0, true + half), f"{name}: {true:.0%}")
                for chance, true, half, count in frequencies([one for one in found if one[1] == stage])
                if count
            ),
        )
        for stage, name in enumerate(STAGES)
    )
    about = "Of positions with this chance, so many were won; the three lines are thirds of the game."
    labels = {low: f"{low:.0%}" for low in BINS}
    chart = Chart(
        "Win chances", "favourite’s chance", "won", series, about, "percent", labels, y_range=(0.3, 1.0)
    )
    return as_file(chart, "calibration")


def chances_row(name: str, found: Chances) -> str:
    """The row of a game: how often chances came true, and the power of their odds that would fit best."""
    cells = [
        f"{100 * true:.0f} ± {100 * half:.0f} % ({count})" if count else "–"
        for _, true, half, count in frequencies(found)
    ]
    best, low, high = sharpness_of(found)
    return f"| {name.title()} | {' | '.join(cells)} | {best:.1f} ({low:.1f}–{high:.1f}) |"


def swings_row(name: str, found: Sequence[Sequence[float]]) -> str:
    """The row of a game: what turning points cost, as foreseen and as played on."""
    costs = np.array(found).reshape(-1, 4)
    error = 1.96 * costs[:, 1].std(ddof=1) / len(costs) ** 0.5 if len(costs) > 1 else 0
    regions = costs[costs[:, 2] > 0]
    right = f"{(regions[:, 3] > 0).sum()} of {len(regions)}" if len(regions) else "–"
    return (
        f"| {name.title()} | {len(costs)} | {costs[:, 0].mean():.1f} "
        f"| {costs[:, 1].mean():.1f} ± {error:.1f} | {(costs[:, 1] > 0).sum()} of {len(costs)} | {right} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.calibration", description=__doc__.splitlines()[0]
    )
    parser.add_argument("what", nargs="*", choices=["chances", "swings"], default=["chances", "swings"])
    parser.add_argument("--games", type=int, default=24, help="of each of the five games (default 24)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default 0)")
    parser.add_argument("--write", action="store_true", help="put the results into docs/analyse.md")
    chosen = parser.parse_args()
    numbers = range(chosen.first, chosen.first + chosen.games)
    every: list[tuple[int, int, float, float]] = []
    bins = " | ".join(f"{100 * low:.0f}–{100 * high:.0f} %" for low, high in pairwise(BINS))
    parts: dict[str, list[str]] = {
        "chances": [f"| game | {bins} | sharpness |", "| --- |" + " ---: |" * len(BINS)],
        "swings": [
            "| game | turning points | cost foreseen | cost played on | above 0 | region lost |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
        ],
    }
    for what in chosen.what:
        measure = chances_of if what == "chances" else swings_of
        for name in GAMES:
            found = [one for number in numbers for one in stored(measure, name, number)]
            if what == "chances":
                every += [(100 * GAMES.index(name) + number, *rest) for number, *rest in found]
            parts[what].append(chances_row(name, found) if what == "chances" else swings_row(name, found))
            print(parts[what][-1], flush=True)
        if chosen.write:
            replace_part(PAGE, what, "".join(f"{row}\n" for row in parts[what]))
    if chosen.write and every:
        PICTURE.write_text(picture(every), encoding="utf-8")


if __name__ == "__main__":
    main()
