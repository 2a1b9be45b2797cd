"""Compare Kakomi's speed on one core with OpenSpiel, with earlier figures of Ludii, and with C.

    python -m benchmarks [--seconds 5] [--json]

Every ratio is the median over rounds in which both sides are timed one after the other, so that it stays
valid when the machine's speed drifts; a calibration loop timed with each row shows that speed.
"""

import argparse
import json
import os
import platform
import statistics
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import kakomi
from benchmarks import playouts_in_c, results
from benchmarks.openspiel_peer import Peer
from benchmarks.playouts_in_c import Comparison
from benchmarks.rows import ROWS, Row
from kakomi.core import Game
from kakomi.search import PlainSearch
from kakomi.study.speed import Speed, measure, python_plies_per_second

ROUNDS = 5


@dataclass(frozen=True)
class Ratios:
    """Our speed divided by the peer's: each the median over rounds, the smallest and the largest."""

    search: tuple[float, float, float]
    python: tuple[float, float, float]
    peer_plies_per_s: float


def against(game: Game, peer: Peer, seconds: float) -> Ratios:
    """Time search and Python play of both sides in turn."""
    share = seconds / ROUNDS / 4
    searches, pythons, theirs = [], [], []
    for round_number in range(ROUNDS):
        report = PlainSearch(game, seed=round_number).run(game.start(), seconds=share)
        _, peer_plies = peer.search(share)
        searches.append(report.plies / report.seconds / peer_plies)
        theirs.append(peer_plies)
        ours = python_plies_per_second(game, share, round_number)
        pythons.append(ours / peer.python_plies_per_second(share))
    return Ratios(_spread(searches), _spread(pythons), statistics.median(theirs))


def against_c(seconds: float) -> list[Comparison]:
    """Time playouts of ours and in hand-written C, on each game's default board; nothing without gcc."""
    if not playouts_in_c.has_compiler():
        return []
    return [playouts_in_c.compare(kakomi.game(name), seconds) for name in playouts_in_c.names()]


def _spread(values: list[float]) -> tuple[float, float, float]:
    return statistics.median(values), min(values), max(values)


def machine() -> dict[str, Any]:
    """Return the machine and the versions with which the figures were measured."""
    packages = {name: version(name) for name in ("numpy", "numba", "llvmlite", "open-spiel")}
    return {
        "processor": results.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "kakomi": kakomi.__version__,
        **packages,
    }


HEADER = (
    f"{'game':<13}{'playouts/s':>11}{'plies each':>15}{'Ludii x':>9}{'plies/s':>9}"
    f"{'search':>9}{'OpenSpiel x (range)':>24}{'Python':>9}{'OS x':>7}{'calib':>7}  peer"
)


def _line(row: Row, speed: Speed, ratios: Ratios | None) -> str:
    name = f"{row.game} {' '.join(str(value) for value in row.options.values())}"
    ludii = f"{speed.playouts_per_s / row.ludii_playouts_per_s:.0f}" if row.ludii_playouts_per_s else "-"
    length = f"{speed.mean_plies:.1f} ± {2 * speed.mean_plies_error:.1f}"
    search = f"{ratios.search[0]:.2f} ({ratios.search[1]:.2f}-{ratios.search[2]:.2f})" if ratios else "-"
    python = f"{ratios.python[0]:.2f}" if ratios else "-"
    return (
        f"{name:<13}{speed.playouts_per_s:>11,.0f}{length:>15}{ludii:>9}{speed.actions_per_s / 1e6:>8.2f}M"
        f"{speed.plies_per_s / 1e6:>8.2f}M{search:>24}{speed.python_plies_per_s / 1e3:>8.0f}k{python:>7}"
        f"{speed.calibration:>7.0f}  {row.peer or ''}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="for each figure of a row (default 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--save", action="store_true", help="keep the figures in benchmarks/results")
    arguments = parser.parse_args()
    rows = []
    figures: dict[str, float] = {}
    if not arguments.json:
        print("  ".join(f"{name} {value}" for name, value in machine().items()))
        print(HEADER)
    for row in ROWS:
        if row.game not in kakomi.names():
            continue
        game = kakomi.game(row.game, **row.options)
        PlainSearch(game).warm()
        speed = measure(game, arguments.seconds)
        ratios = against(game, Peer(row.peer), arguments.seconds) if row.peer else None
        rows.append(_as_object(row, speed, ratios))
        figures |= _figures(row, speed, ratios)
        if not arguments.json:
            print(_line(row, speed, ratios), flush=True)
    in_c = against_c(arguments.seconds)
    figures |= {f"{each.game}, playouts to C's": round(each.ratio, 2) for each in in_c}
    if arguments.json:
        c = [asdict(each) for each in in_c]
        json.dump({"machine": machine(), "rows": rows, "c": c}, sys.stdout, indent=2)
        print()
    else:
        print(_notes(in_c))
    if arguments.save:
        print(results.save("speed", figures), file=sys.stderr)


def _figures(row: Row, speed: Speed, ratios: Ratios | None) -> dict[str, float]:
    """Return the figures of a row that `--save` keeps."""
    name = " ".join([row.game, *map(str, row.options.values())])
    figures = {
        f"{name}, playouts a second": round(speed.playouts_per_s),
        f"{name}, Python plies a second": round(speed.python_plies_per_s),
    }
    if ratios:
        figures[f"{name}, search to OpenSpiel's"] = round(ratios.search[0], 2)
    return figures


def _as_object(row: Row, speed: Speed, ratios: Ratios | None) -> dict[str, Any]:
    return {
        **asdict(speed),
        "ludii": row.ludii_playouts_per_s,
        "peer": row.peer,
        "ratios": asdict(ratios) if ratios else None,
    }


def _notes(in_c: list[Comparison]) -> str:
    c = [
        f"{each.game:<7}{each.ours:>10,.0f} playouts/s, by hand in C{each.in_c:>10,.0f}:"
        f" {each.ratio:.2f} of it ({each.smallest:.2f}-{each.largest:.2f})"
        for each in in_c
    ]
    return "\n".join(
        (
            "",
            *(c or ["Playouts by hand in C: skipped, there is no gcc."]),
            "playouts/s: uniformly random games to the rules' end; plies each: their mean ± twice its error.",
            "Ludii x: against Ludii 1.3.13's 132, 70, 216, 458 and 17 playouts/s, not measured in this run.",
            "search: plies/s inside UCT with random playouts; OpenSpiel x: against its MCTSBot on the peer.",
            "Python: plies/s, legal_actions and play_action in turn; OS x: against OpenSpiel's.",
            "calib: million random numbers a second drawn by a fixed loop, timed beside the row.",
        )
    )


if __name__ == "__main__":
    main()
