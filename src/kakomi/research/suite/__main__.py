"""`python -m kakomi.research.suite run mini-v1 --agent search --out search.json` makes a row of a table."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kakomi.core.system import replacing
from kakomi.farm import FarmError
from kakomi.research.suite.cards import card
from kakomi.research.suite.exact import valued_board
from kakomi.research.suite.result import Result, read_result
from kakomi.research.suite.running import Order, run
from kakomi.research.suite.table import faults, percent, table
from kakomi.research.suite.track import SHIPPED, Track, find_track, tracks

PATIENCE_SECONDS = 2.0
"""The time before progress is first shown, and between reports of it."""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns 0 if done, 1 if `check` found faults, 2 for wrong usage or a failing agent, and
    130 after Ctrl-C."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        done: int = chosen.command(chosen)
    except (ValueError, OSError, FarmError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    return done


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kakomi.research.suite", description="The benchmark suite: docs/suite.md tells how."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add(commands, "list", _list, "list the tracks")
    _add(commands, "show", _show, "show a track's definition").add_argument("track", metavar="TRACK")
    _add_run(_add(commands, "run", _run, "run an agent on a track, or go on with it"))
    rows = _add(commands, "table", _table, "make a table in Markdown of results")
    rows.add_argument("files", nargs="+", type=Path, metavar="FILE")
    checked = _add(commands, "check", _check, "check results; exit code 1 tells of a fault")
    checked.add_argument("files", nargs="+", type=Path, metavar="FILE")
    cards = _add(commands, "cards", _cards, "environment cards of a track's games, in Markdown")
    cards.add_argument("track", metavar="TRACK")
    valued = _add(commands, "positions", _positions, "find the positions of an exact track again")
    valued.add_argument("track", metavar="TRACK")
    valued.add_argument("--out", type=Path, required=True, help="the file of positions to write")
    return parser


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, command: object, words: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=words, description=words.capitalize() + "."
    )
    parser.set_defaults(command=command)
    parser.add_argument(
        "--tracks", type=Path, default=SHIPPED, metavar="FILE", help="a file of tracks of your own"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_run(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("track", metavar="TRACK")
    add(
        "--agent",
        required=True,
        metavar="SPEC",
        help="random, greedy, a level, search, uct, patterns, net:FILE, cmd:PROGRAM, module:function or "
        "file.py:function; {seed} in it becomes the seed, and {game} a task's game",
    )
    add("--seeds", type=int, default=5, help="how many seeds, from 1 on (5)")
    add("--tasks", help="games or tasks with commas between them, for a part of the track")
    add(
        "--out",
        type=Path,
        required=True,
        metavar="FILE.json",
        help="the result; games are kept in FILE.jsonl",
    )
    add("--name", default="", help="how the table calls the agent")
    add(
        "--training-actions",
        type=int,
        metavar="N",
        help="how many actions of environments the agent learned from",
    )
    add(
        "--weights",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a file that the agent plays by, for its hash; may be given again, and hold {seed} and {game}",
    )
    add("--jobs", type=int, default=1, help="games at a time (1)")


def _list(chosen: argparse.Namespace) -> int:
    found = tracks(chosen.tracks)
    if chosen.json:
        print(json.dumps([{"id": one.id, "about": one.about, "hash": one.hash} for one in found], indent=1))
    else:
        print("\n".join(f"{one.name:14} {one.about}" for one in found))
    return 0


def _show(chosen: argparse.Namespace) -> int:
    track = find_track(chosen.track, chosen.tracks)
    if chosen.json:
        print(json.dumps({**msgspec.to_builtins(track), "hash": track.hash}, indent=1))
        return 0
    print(f"{track.id}: {track.about}\nhash: {track.hash}\nbudget: {track.budget.in_words}")
    if track.training_actions is not None:
        print(f"learning: {track.training_actions:,} actions of environments, over all tasks")
    if track.opponents:
        print(f"opponents: {', '.join(track.opponents)}; {track.openings} openings for each seed")
    for task in track.tasks:
        learned = f", learned on {task.learned_on}" if task.learned_on else ""
        print(f"  {task.name} ({task.environment}{learned})")
    return 0


def _run(chosen: argparse.Namespace) -> int:
    if chosen.jobs < 1:
        raise ValueError(f"jobs is {chosen.jobs}; it must be 1 or more")
    order = Order(
        track=find_track(chosen.track, chosen.tracks),
        agent=chosen.agent,
        seeds=chosen.seeds,
        tasks=[name.strip() for name in chosen.tasks.split(",")] if chosen.tasks else None,
        name=chosen.name,
        training_actions=chosen.training_actions,
        weights=chosen.weights,
        tracks_file=chosen.tracks,
    )
    log = chosen.out.with_suffix(".jsonl")
    if log == chosen.out:
        raise ValueError(f"{chosen.out} must not end in .jsonl: the games are kept there")
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    result = run(order, log, jobs=chosen.jobs, tell=_Progress())
    _write(chosen.out, result.json)
    print(result.json if chosen.json else _in_words(order.track, result, chosen.out))
    return 0


def _write(path: Path, text: str) -> None:
    """Write a file atomically."""
    with replacing(path) as file:
        file.write(text.encode())


def _in_words(track: Track, result: Result, path: Path) -> str:
    what = "optimal actions" if track.kind == "exact" else "score"
    part = "" if result.is_complete else f", {len(result.tasks)} of {len(track.tasks)} tasks"
    return f"{result.name} on {track.id}: {what} {percent(result.score)}{part}; written to {path}"


def _table(chosen: argparse.Namespace) -> int:
    results = [read_result(path) for path in chosen.files]
    if chosen.json:
        print(json.dumps([msgspec.to_builtins(result) for result in results], indent=1))
    else:
        print(table(results))
    return 0


def _check(chosen: argparse.Namespace) -> int:
    found = {str(path): faults(read_result(path), chosen.tracks) for path in chosen.files}
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        for path, sentences in found.items():
            print("\n".join(f"{path}: {sentence}" for sentence in sentences) or f"{path}: ok")
    return 1 if any(found.values()) else 0


def _cards(chosen: argparse.Namespace) -> int:
    track = find_track(chosen.track, chosen.tracks)
    found = {task.name: card(task.found_game) for task in track.tasks}
    print(json.dumps(found, indent=1) if chosen.json else "\n".join(found.values()))
    return 0


def _positions(chosen: argparse.Namespace) -> int:
    track = find_track(chosen.track, chosen.tracks)
    progress = _Progress()
    boards = [
        valued_board(track, task, lambda part, what: progress(round(part * 100), 100)) for task in track.tasks
    ]
    lines = ",\n".join(msgspec.json.encode(board).decode() for board in boards)
    _write(chosen.out, f"[\n{lines}\n]\n")
    print(f"{sum(len(board.positions) for board in boards)} positions written to {chosen.out}")
    return 0


class _Progress:
    """Reports progress on standard error at intervals."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        if time.monotonic() - self._told > PATIENCE_SECONDS:
            self._told = time.monotonic()
            print(f"{done:,} of {of:,}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
