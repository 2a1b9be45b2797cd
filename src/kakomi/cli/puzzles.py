"""`kakomi puzzles`: finds positions with a proven win that bots miss, and checks files of them."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import SEED, GameCommand, chosen_game, general_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kakomi.core import Game
    from kakomi.study.puzzles.finder import Demands
    from kakomi.study.puzzles.puzzle import Puzzle
    from kakomi.study.puzzles.sources import PlayedLine


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi puzzles rive --size 3
  kakomi puzzles lin --size 7 --count 24 --json > lin.jsonl
  kakomi puzzles ren --size 6 --level 4 --budget 5000000
  kakomi puzzles rin --size 8 --games games/
  kakomi puzzles lin --check lin.jsonl
\b
Exit codes: 0 as many as asked for were found, or all are proved, 1 otherwise, 2 as everywhere. Ctrl-C
keeps what was printed.
""",
)
@click.argument("game")
@click.option("--count", type=click.IntRange(1), default=10, show_default=True, help="Stop after so many.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed finds the same.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="Positions that the solver looks at for each; default 1000000 to find, no limit to check.",
)
@click.option("--level", type=click.IntRange(1, 10), default=1, show_default=True, help="Has to miss it.")
@click.option("--tries", type=click.IntRange(2), default=8, show_default=True, help="Of each level.")
@click.option(
    "--answers", type=click.IntRange(1), default=1, show_default=True, help="Winning turns at most."
)
@click.option(
    "--turns", type=click.IntRange(2), default=250, show_default=True, help="Turns to choose among, at most."
)
@click.option("--play", default="2", show_default=True, metavar="BOT", help="Who plays the games.")
@click.option(
    "--within", type=click.IntRange(1), default=200, show_default=True, help="So many games at most."
)
@click.option(
    "--games",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Look in the records and files of matches in this folder, and play nothing.",
)
@click.option(
    "--check", "file", type=click.File("rb"), help="Prove the puzzles in this file; - is standard input."
)
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each, for files.")
@general_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    count: int,
    seed: int,
    budget: int | None,
    level: int,
    tries: int,
    answers: int,
    turns: int,
    play: str,
    within: int,
    folder: Path | None,
    file: IO[bytes] | None,
    as_json: bool,
) -> int:
    """Find puzzles of GAME: a position, and the only turn that wins.

    Looks at games of bots, or at your own, from their ends backwards, as far as the solver comes. Every
    other turn is proved not to win. A puzzle is told with the highest level that misses the win at least
    every second time.
    """
    from kakomi.study.puzzles.finder import Demands

    chosen = chosen_game(ctx, game)
    if file and folder:
        raise click.UsageError("--check looks at puzzles, and --games at games: give one of the two", ctx)
    if file:
        return _check(chosen, file, budget, as_json)
    demands = Demands(level, tries, answers, turns, budget or Demands.budget)
    games, within = _games(ctx, chosen, folder, play, seed, within)
    return _find(games, within, demands, count, as_json)


def _games(
    ctx: click.Context, game: "Game", folder: Path | None, play: str, seed: int, within: int
) -> "tuple[Iterable[PlayedLine], int]":
    """The games to look in, and how many there are.

    Raises ClickException for a folder without any, and UsageError for a bot that can't play them.
    """
    from itertools import islice

    from kakomi.bots import make_bot
    from kakomi.study.puzzles.sources import bot_games, games_of_folder
    from kakomi.study.report.own_games import NoGames

    if folder is None:
        try:
            make_bot(play).check(game)
        except ValueError as error:
            raise click.UsageError(f"--play: {error}", ctx) from None
        return bot_games(game, play, seed, within), within
    try:
        found = list(islice(games_of_folder(folder, game, seed), within))
    except NoGames as error:
        raise click.ClickException(str(error)) from None
    return found, len(found)


def _find(games: "Iterable[PlayedLine]", within: int, demands: "Demands", count: int, as_json: bool) -> int:
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.puzzles.finder import find
    from kakomi.study.puzzles.reasons import Reason, in_words

    number, looked_at, tally = 0, 0, Counter[Reason]()

    def told(done: int) -> None:
        nonlocal looked_at
        looked_at = done
        tell(max(done / within, number / count), f"{number} found")

    with announced_compiling("rules, bots and the solver"), patient_progress("Searching") as tell:
        try:
            for number, puzzle in enumerate(find(games, demands, told, tally), 1):
                _print(puzzle, as_json)
                if number == count:
                    break
        except KeyboardInterrupt:
            click.echo(f"kakomi: stopped; {number} found so far", err=True)
            raise
    hint = "" if number == count else "; --within and --budget say how far to look"
    click.echo(f"kakomi: {number} found in {looked_at} games{hint}", err=True)
    if tally:
        click.echo(f"kakomi: positions that are no puzzles: {in_words(tally)}", err=True)
    return 0 if number == count else 1


def _print(puzzle: "Puzzle", as_json: bool) -> None:
    from kakomi.cli.shared.output import show
    from kakomi.study.puzzles.puzzle import written

    if as_json:
        click.echo(written(puzzle))
    else:
        show("\n".join(_told(puzzle)) + "\n")
    sys.stdout.flush()


def _told(puzzle: "Puzzle") -> list[str]:
    """A puzzle in words, with its board."""
    from kakomi.cli.shared.parameters import game_line

    begun = puzzle.begin()
    names = begun.game.player_names
    return [
        f"{game_line(begun.game)}: {names[puzzle.seat]} plays and wins",
        "",
        begun.text(),
        "",
        f"Answer: {', or '.join(puzzle.answers)}",
        f"Line: {puzzle.line}",
        f"Level {puzzle.level} misses it in {puzzle.misses} of {puzzle.tries} tries",
        f"From: {puzzle.source}, after {len(puzzle.before.split())} actions, seed {puzzle.seed}",
    ]


def _check(game: "Game", file: IO[bytes], budget: int | None, as_json: bool) -> int:
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.puzzles.check import flaws
    from kakomi.study.puzzles.puzzle import PuzzleError, read_puzzles

    source = click.format_filename(getattr(file, "name", "<stdin>"))
    try:
        puzzles = list(read_puzzles(file))
    except PuzzleError as error:
        raise click.ClickException(f"{source}: {error}") from None
    if not puzzles:
        raise click.ClickException(f"{source}: no puzzles in it: kakomi puzzles GAME --json makes some")
    wrong = 0
    with announced_compiling("the solver"), patient_progress("Proving") as tell:
        for number, puzzle in enumerate(puzzles, 1):
            if puzzle.game == game.name:
                found = list(flaws(puzzle, budget))
            else:
                found = [f"it is of {puzzle.game}, not of {game.name}"]
            wrong += bool(found)
            if as_json:
                click.echo(json.dumps({"number": number, "name": puzzle.name, "flaws": found}))
            else:
                click.echo(f"{number} {puzzle.name}: {'; '.join(found) or 'proved'}")
            tell(number / len(puzzles), f"{number} of {len(puzzles)}")
    return 1 if wrong else 0
