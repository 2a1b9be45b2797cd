"""Match the search against plain UCT, or the advised search against the search, with equal time.

    python -m benchmarks.strength [GAME]... [--patterns | --network] [--against search] [--games 200]
        [--seconds 0.05] [--folder FOLDER] [--jobs N] [--ray ADDRESS] [--write]

Games are on default boards. Both sides have the same processor time per action, on one core each, so that a
busy machine affects both alike. The games are kept in the folder, and the same command resumes where it was
stopped. `--write` puts the rows into the tables of docs/strength.md, docs/patterns.md or docs/networks.md,
where rows of other games stay.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import kakomi
from benchmarks.bot_matches import (
    BotMatch,
    add_worker_options,
    chosen,
    in_percent,
    open_farm_from_options,
    play,
)
from benchmarks.pages import replace_rows
from kakomi.study.matches import Statistics

DOCS = Path(__file__).parent.parent / "docs"


def row(match: BotMatch, statistics: Statistics) -> str:
    """Return a row of the table."""
    tally = statistics.tally(match.one, match.other)
    options = ", ".join(str(value) for value in match.game.options.values())
    games = [played for played in statistics.games if played.reason != "forfeit"]
    plies = sum(played.plies for played in games) / len(games)
    score = in_percent(statistics.estimate(match.one, match.other))
    results = f"{tally.wins}–{tally.draws}–{tally.losses}"
    return f"| {match.game.description.title} {options} | {tally.games} | {results} | {score} | {plies:.0f} |"


def with_file(file: str, names: Sequence[str]) -> list[str]:
    """Return the games that come with this file, which advises the search. Exits if none does."""
    found = [name for name in names if kakomi.game(name).description.measured_file(file)]
    return found or sys.exit(f"no {file} comes with {', '.join(names)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength", description=__doc__.splitlines()[0]
    )
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="default: all")
    advice = parser.add_mutually_exclusive_group()
    advice.add_argument(
        "--patterns", action="store_true", help="patterns against the search, in games that have any"
    )
    advice.add_argument("--network", action="store_true", help="networks, in games that have one")
    parser.add_argument(
        "--against", choices=("search", "patterns"), default="search", help="the opponent of a network"
    )
    parser.add_argument("--games", type=int, default=200, help="for each game (default 200)")
    parser.add_argument("--seconds", type=float, default=0.05, help="for each action (default 0.05)")
    parser.add_argument("--folder", type=Path, default=Path(".cache/strength"), help="where games are kept")
    add_worker_options(parser)
    parser.add_argument("--write", action="store_true", help="put the rows into the page that tells them")
    arguments = parser.parse_args()
    limit, mark = f"cpu={arguments.seconds:g}", f"{arguments.seconds * 1000:g} ms"
    names = chosen(arguments.games_named)
    bots, page = (f"search:{limit}", f"uct:{limit}"), "strength.md"
    if arguments.patterns:
        bots, mark = (f"patterns:{limit}", f"search:{limit}"), f"patterns {mark}"
        names, page = with_file("patterns.npz", names), "patterns.md"
    elif arguments.network:
        opponent = arguments.against
        bots, mark = (f"net:{limit},mix=1", f"{opponent}:{limit}"), f"network against {opponent} {mark}"
        names, page = with_file("network.npz", names), "networks.md"
    head = [
        f"| {arguments.seconds * 1000:g} ms an action | games | won–drawn–lost | score (95 %) | plies |",
        "| --- | --- | --- | --- | --- |",
    ]
    print("\n".join(head))
    rows = []
    with open_farm_from_options(arguments) as farm:
        for name in names:
            match = BotMatch(kakomi.game(name), *bots, arguments.games)
            rows.append(row(match, play(match, arguments.folder, farm)))
            print(rows[-1], flush=True)
    if arguments.write:
        replace_rows(DOCS / page, mark, head, rows)


if __name__ == "__main__":
    main()
