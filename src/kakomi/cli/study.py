"""`kakomi study`: first turns, seats, blunders, komi, exercises and puzzles, from trials that are saved."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from kakomi.cli.shared.parameters import (
    SEED,
    GameCommand,
    checked_game_name,
    chosen_game,
    chosen_options,
    game_line,
    general_option,
    position_option,
)
from kakomi.cli.shared.workers import open_farm_from_options, worker_options

if TYPE_CHECKING:
    from kakomi.cli.shared.output import Tell
    from kakomi.core import Game
    from kakomi.study.openings import OpeningStudy
    from kakomi.study.trials import Study


MOST_NUMBERS = 100


@click.group(
    epilog="""\b
Examples:
  kakomi study openings lin --size 9 --count 400 --out lin.svg     how a bot begins
  kakomi study seats ren --sizes 6,8 --try lead=6                  what moving first is worth
  kakomi study blunders rive --size 3 --last 40                    who throws away a proven result
  kakomi study komi lin --size 7                                   which komi is fair
  kakomi study exercises ren --size 6 --turns 1 --out more.toml    positions for a course
  kakomi study puzzles lin --size 7 --count 2000 --out lin.jsonl   proven wins that bots miss

A study consists of many trials, and finished ones are saved: Ctrl-C shows the results so far, the same
command continues, and a larger --count adds trials. `kakomi report GAME` includes the studies of its board.
"""
)
def study() -> None:
    """Measure one thing: openings, komi, seats, blunders ..."""


def _study(
    name: str, count: int, trials: str, examples: str
) -> "Callable[[Callable[..., Any]], click.Command]":
    """Return a decorator that makes a command from a function. It takes a context, a game, a number of
    trials, a seed and its own options, and returns a study, several of one kind, or an exit code."""

    def made(make: "Callable[..., Study[Any] | Sequence[Study[Any]] | int]") -> click.Command:
        @study.command(name, cls=GameCommand, help=make.__doc__, epilog=f"\b\nExamples:\n{examples}")
        @click.argument("game_name", metavar="GAME")
        @click.option(
            "--count",
            type=click.IntRange(1, 10**6),
            default=count,
            show_default=True,
            metavar="N",
            help=f"How many {trials}.",
        )
        @click.option("--seed", type=SEED, default=1, show_default=True, help="Random seed.")
        @click.option(
            "--keep",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="FOLDER",
            help="Folder for finished trials. [default: studies in the state folder]",
        )
        @worker_options(trials.capitalize())
        @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
        @general_option
        @click.pass_context
        def run(
            ctx: click.Context,
            /,
            game_name: str,
            count: int,
            seed: int,
            keep: Path | None,
            jobs: int | None,
            ray: str | None,
            as_json: bool,
            **own: Any,
        ) -> int:
            out: Path | None = own.pop("out", None)
            _check_out(ctx, out)
            try:
                study = make(ctx, game_name, count, seed, **own)
            except ValueError as error:
                raise click.UsageError(str(error), ctx) from None
            if isinstance(study, int):
                return study
            studies = [study] if not isinstance(study, Sequence) else study
            _run(studies, keep, (jobs, ray), trials)
            _tell(studies, as_json)
            _write(studies[0], out)
            return 0

        run.params[1:1] = reversed(getattr(make, "__click_params__", []))
        return run

    return made


def _out_option(suffix: str, what: str) -> "Callable[[Any], Any]":
    return click.option(
        "--out",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar=f"FILE{suffix}",
        help=f"Save {what} in this file.",
    )


def _check_out(ctx: click.Context, out: Path | None) -> None:
    """Fail early if the output can't be written. Raises UsageError."""
    (suffix,) = {one.metavar for one in ctx.command.params if one.name == "out"} or {""}
    suffix = (suffix or "").removeprefix("FILE")
    if out and out.suffix.lower() != suffix:
        raise click.UsageError(f"--out {out}: the name should end in {suffix}", ctx)
    if out and not out.absolute().parent.is_dir():
        raise click.UsageError(f"--out {out}: there is no folder {out.parent}", ctx)


def _run(
    studies: "Sequence[Study[Any]]", keep: Path | None, workers: tuple[int | None, str | None], trials: str
) -> None:
    """Run the trials that aren't kept yet. Raises ClickException if that fails."""
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.farm import FarmError
    from kakomi.study.results_file import ResultsFileError
    from kakomi.study.studies import default_folder

    folder = keep or default_folder()
    total = sum(study.count for study in studies)
    with (
        open_farm_from_options(*workers) as farm,
        announced_compiling("rules, bots and the solver"),
        patient_progress("Studying") as tell,
    ):
        try:
            for place, study in enumerate(studies):
                before = sum(one.count for one in studies[:place])
                study.run(farm, folder, partial(_progress, tell, trials, total, before))
        except (FarmError, ResultsFileError) as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            goes_on = f"finished {trials} are saved in {folder}; run the same command to continue"
            kept = goes_on if any(study.kept for study in studies) else "nothing was saved"
            click.echo(f"kakomi: stopped; {kept}", err=True)
            if not all(study.kept for study in studies):
                raise


def _progress(tell: "Tell", trials: str, total: int, before: int, done: int) -> None:
    tell((before + done) / total, f"{before + done} of {total} {trials}")


def _tell(studies: "Sequence[Study[Any]]", as_json: bool) -> None:
    from kakomi.cli.shared.output import chapter_lines, say
    from kakomi.study.report.writers import section_object

    try:
        chapters = type(studies[0]).chapters(studies)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        told = [
            {**study.header, "trials": len(study.trials), **section_object(chapter)}
            for study, chapter in zip(studies, chapters, strict=True)
        ]
        click.echo(json.dumps(told[0] if len(told) == 1 else told, indent=2))
        return
    for place, (study, chapter) in enumerate(zip(studies, chapters, strict=True)):
        lines = [*([""] if place else []), game_line(study.game, without=_studied_option(study))]
        for line in [*lines, *chapter_lines(chapter)]:
            say(line)


def _studied_option(study: "Study[Any]") -> str:
    """Return the option that is studied and so isn't given, or ""."""
    return next((name for name in study.game.options if name not in study.options), "")


def _write(study: "Study[Any]", out: Path | None) -> None:
    from kakomi.core.system import replace_file

    if out is None:
        return
    try:
        replace_file(out, study.written().encode())
    except OSError as error:
        raise click.ClickException(f"--out {out}: {error.strerror}") from None


@_study(
    "openings",
    100,
    "searches",
    """\
  kakomi study openings rive
  kakomi study openings lin --size 9 --count 400 --out lin.svg
  kakomi study openings ren --bot 12 --turns 2
  kakomi study openings rings --size 2 --exact
""",
)
@click.option("--bot", default="10", show_default=True, metavar="BOT", help="Which bot.")
@click.option(
    "--turns",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="2 also studies the replies to the most frequent first turns.",
)
@click.option("--exact", is_flag=True, help="Also solve every first turn (small boards, two players).")
@_out_option(".svg", "a map of the first stones")
def openings(
    ctx: click.Context, name: str, count: int, seed: int, bot: str, turns: int, exact: bool
) -> "OpeningStudy":
    """Count the first turns that a bot plays, up to symmetry.

    Shows how many positions each stands for, how often it was chosen, what the search expected of it, and
    whether it is more or less frequent than chance (docs/openings.md).
    """
    from kakomi.study.openings import OpeningStudy

    study = OpeningStudy(chosen_game(ctx, name), count, seed, bot=bot, turns=turns)
    if exact:
        _solve(study)
    return study


def _solve(study: "OpeningStudy") -> None:
    """Set the exact margins of a study's first turns. Raises ValueError if they can't be solved."""
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.openings import TurnClasses, exact_margins

    with announced_compiling("rules and the solver"), patient_progress("Solving") as tell:

        def progress(done: int, of: int, positions: int) -> None:
            tell(done / of, f"{done} of {of} first turns, {positions / 1e6:,.1f} million positions")

        try:
            study.margins = exact_margins(TurnClasses(study.game), tell=progress)
        except ValueError as error:
            raise ValueError(f"--exact: {error}") from None


class Numbers(click.ParamType):
    """A list of whole numbers: `3,4,6` or `3..6`."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """Return the numbers in the order given, without repetitions. Fails for anything else."""
        found: list[int] = []
        for part in str(value).split(","):
            first, dots, last = part.strip().partition("..")
            ends = [first, last] if dots else [first, first]
            if not all(end.isascii() and end.isdecimal() and len(end) < 4 for end in ends):
                self.fail(f"{value!r} should look like 3,4,6 or 3..6", param, ctx)
            found += range(int(ends[0]), int(ends[1]) + 1)
        if not found or len(found) > MOST_NUMBERS:
            self.fail(f"{value!r} names {len(found)} numbers; 1 to {MOST_NUMBERS} are possible", param, ctx)
        return list(dict.fromkeys(found))


@_study(
    "seats",
    400,
    "games",
    """\
  kakomi study seats ren --sizes 6,8                            400 games of level 5 a board
  kakomi study seats ren --size 8 --try lead=6 --count 1000     and with a lead that wins at once
  kakomi study seats rings --size 3 --players 2..6              how level two to six seats are
  kakomi study seats lin --sizes 5,7,9 --bot simulations:400
""",
)
@click.option("--sizes", type=Numbers(), metavar="LIST", help="Board sizes: 3,4,5 or 3..5. [default: --size]")
@click.option("--players", type=Numbers(), metavar="LIST", help="Numbers of players: 2,3,4 or 2..6.")
@click.option("--bot", default="5", show_default=True, metavar="BOT", help="Which bot plays itself.")
@click.option(
    "--try",
    "tried",
    multiple=True,
    metavar="NAME=N",
    help="Also measure this option, such as lead=6; repeatable.",
)
@position_option
def seats(
    ctx: click.Context,
    name: str,
    count: int,
    seed: int,
    sizes: list[int] | None,
    players: list[int] | None,
    bot: str,
    tried: tuple[str, ...],
    position_text: str | None,
) -> "Sequence[Study[Any]]":
    """Measure what moving first is worth, and how to even it out.

    A bot plays against itself from the start. For two players, repairs are measured too, each in as many
    games: the komi that was measured as fair, the options given with --try, a swap of seats after the first
    turn, and a match of two games with seats exchanged (docs/seats.md).
    """
    from kakomi.study.seats import SeatStudy

    options = [_parse_variant(text) for text in tried]
    boards = _boards(ctx, name, sizes, players)
    position = position_text or ""
    return [SeatStudy(board, count, seed, bot=bot, position=position, tried=options) for board in boards]


def _boards(
    ctx: click.Context, name: str, sizes: list[int] | None, players: list[int] | None
) -> "list[Game]":
    """Return the game on all boards that were asked for. Raises ValueError for impossible ones."""
    from kakomi import catalog

    lists = {"size": sizes, "players": players}
    listed = {option: values for option, values in lists.items() if values}
    for option in listed:
        if option in chosen_options(ctx):
            raise ValueError(f"use either --{option} or a list, not both")
    if not listed:
        return [chosen_game(ctx, name)]
    chosen = [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]
    return [catalog.game(checked_game_name(name), **{**chosen_options(ctx), **one}) for one in chosen]


def _parse_variant(text: str) -> dict[str, int]:
    option, equals, value = text.partition("=")
    if not equals or not value.strip().isdecimal() or len(value) > 9:
        raise ValueError(f"--try: {text!r} should look like lead=6")
    return {option.strip().replace("-", "_"): int(value)}


@_study(
    "blunders",
    100,
    "games",
    """\
  kakomi study blunders ren --size 6
  kakomi study blunders rive --size 3 --last 40 --count 200
  kakomi study blunders rin --size 6 --bot 3 --bot 10 --bot uct:simulations=1000
""",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    help="Which bots are tested; repeatable. [default: all levels]",
)
@click.option("--play", default="5", show_default=True, metavar="BOT", help="Which bot plays the games.")
@click.option(
    "--last",
    type=click.IntRange(1, 1000),
    default=24,
    show_default=True,
    metavar="N",
    help="Look at the last N actions of a game.",
)
@click.option("--tries", type=click.IntRange(1, 1000), default=1, show_default=True, help="Tries per bot.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=5_000_000,
    show_default=True,
    metavar="N",
    help="Positions the solver may search per game.",
)
def blunders(
    ctx: click.Context,
    name: str,
    count: int,
    seed: int,
    bots: tuple[str, ...],
    play: str,
    last: int,
    tries: int,
    budget: int,
) -> "Study[Any]":
    """Count how often bots throw away a proven result.

    A bot plays games against itself. Working backwards from their ends, the solver proves the result of
    each action, as far as it gets. Wherever actions have different results, all bots choose one. Small
    boards show most, because the solver gets far back there (docs/blunders.md).
    """
    from kakomi.bots import levels_of
    from kakomi.study.blunders import BlunderStudy

    game = chosen_game(ctx, name)
    asked = bots or tuple(map(str, levels_of(game.description)))
    return BlunderStudy(game, count, seed, asked=asked, player=play, most=last, tries=tries, budget=budget)


@_study(
    "komi",
    400,
    "games",
    """\
  kakomi study komi lin --size 7                              400 games of level 5 against itself
  kakomi study komi lin --size 9 --count 1000 --bot simulations:400
  kakomi study komi lin --size 7 --line 4 --json
""",
)
@click.option("--bot", default="5", show_default=True, metavar="BOT", help="Which bot plays itself.")
def komi(ctx: click.Context, name: str, count: int, seed: int, bot: str) -> "Study[Any]":
    """Measure the fair komi: a bot plays itself at many komis.

    The fair komi is where the first player's share of the wins crosses one half. Games are played in whole
    rounds of 20 (docs/komi.md).
    """
    from kakomi.study.komi import KomiStudy

    game = chosen_game(ctx, name)
    if game.description.komi_option in chosen_options(ctx):
        raise ValueError("leave out the komi: it is what this study measures")
    return KomiStudy(game, count, seed, bot=bot)


@_study(
    "exercises",
    20,
    "games",
    """\
  kakomi study exercises lin --size 5
  kakomi study exercises ren --size 6 --turns 1 --seed 3 --out more.toml
  kakomi study exercises ren --check
""",
)
@click.option("--check", is_flag=True, help="Don't search; prove the exercises of the game's course.")
@click.option(
    "--turns",
    type=click.IntRange(1, 4),
    metavar="N",
    help="Look for the best answer after N turns. [default: at the end of the game]",
)
@click.option(
    "--most", type=click.IntRange(2), default=24, show_default=True, help="Most legal actions in a position."
)
@_out_option(".toml", "the results, as tables for exercises.toml,")
def exercises(
    ctx: click.Context, name: str, count: int, seed: int, check: bool, turns: int | None, most: int
) -> "Study[Any] | int":
    """Look for exercises: positions with only one good answer.

    The margin is that after some turns, found by trying all of them, or that at the end of the game, found
    by the solver.
    """
    from kakomi import catalog
    from kakomi.study.exercises import ExerciseStudy, flaws

    game = chosen_game(ctx, name)
    if not check:
        return ExerciseStudy(game, count, seed, turns=turns, most=most)
    courses = game.description.exercises
    boards = (catalog.game(game.name, **one.options) for one in courses)
    return _checked((one.name, list(flaws(board, one))) for board, one in zip(boards, courses, strict=True))


@_study(
    "puzzles",
    200,
    "games",
    """\
  kakomi study puzzles rive --size 3
  kakomi study puzzles lin --size 7 --wanted 24 --out lin.jsonl
  kakomi study puzzles ren --size 6 --level 4 --budget 5000000
  kakomi study puzzles rin --size 8 --games games/
  kakomi study puzzles lin --check lin.jsonl
""",
)
@click.option("--wanted", type=click.IntRange(1), default=10, show_default=True, help="Stop after N puzzles.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="Positions the solver may search for each. [default: 1000000; with --check no limit]",
)
@click.option(
    "--level", type=click.IntRange(1, 10), default=1, show_default=True, help="The level that has to miss it."
)
@click.option("--tries", type=click.IntRange(2), default=8, show_default=True, help="Tries per level.")
@click.option("--answers", type=click.IntRange(1), default=1, show_default=True, help="Most winning turns.")
@click.option(
    "--turns", type=click.IntRange(2), default=250, show_default=True, help="Most turns to choose from."
)
@click.option("--play", default="2", show_default=True, metavar="BOT", help="Which bot plays the games.")
@click.option(
    "--games",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Play nothing; look in the saved games and matches in this folder.",
)
@click.option("--check", "file", type=click.File("rb"), help="Don't search; prove the puzzles in this file.")
@_out_option(".jsonl", "the puzzles, one JSON line each,")
def puzzles(
    ctx: click.Context,
    name: str,
    count: int,
    seed: int,
    wanted: int,
    budget: int | None,
    level: int,
    tries: int,
    answers: int,
    turns: int,
    play: str,
    folder: Path | None,
    file: IO[bytes] | None,
) -> "Study[Any] | int":
    """Look for puzzles: positions with only one winning turn.

    Searches games of bots, or your own, backwards from their ends as far as the solver gets. Every other
    turn is proved not to win. Each puzzle comes with the highest level that misses the win at least half of
    the time (docs/puzzles.md).
    """
    from kakomi.study.puzzle_finder import Demands, PuzzleStudy

    game = chosen_game(ctx, name)
    if file and folder:
        raise ValueError("use either --check, for puzzles, or --games")
    if file:
        return _checked(_proved_puzzles(game, file, budget))
    demands = Demands(level, tries, answers, turns, budget or Demands().budget)
    terms: dict[str, Any] = {"player": play, "wanted": wanted, "demands": demands}
    if folder:
        terms |= _games_in(folder, game, seed)
    return PuzzleStudy(game, count, seed, **terms)


def _games_in(folder: Path, game: "Game", seed: int) -> dict[str, Any]:
    """Return the games in a folder and their source. Raises ClickException if there are none."""
    from kakomi.core.seeds import derived_seed
    from kakomi.study.puzzle_finder import games_of_folder
    from kakomi.study.report.games import NoGames

    try:
        lines = list(games_of_folder(folder, game, seed))
    except NoGames as error:
        raise click.ClickException(str(error)) from None
    return {"lines": lines, "source": f"{folder.name} ({derived_seed(0, *map(repr, lines)):08x})"}


def _proved_puzzles(game: "Game", file: IO[bytes], budget: int | None) -> "Iterable[tuple[str, list[str]]]":
    from kakomi.puzzles import MOST_BYTES, PuzzleError, read_puzzles
    from kakomi.study.puzzle_proof import flaws

    source = click.format_filename(getattr(file, "name", None) or "<stdin>")
    try:
        found = list(read_puzzles(iter(lambda: file.readline(MOST_BYTES + 2), b"")))
    except PuzzleError as error:
        raise click.ClickException(f"{source}: {error}") from None
    if not found:
        raise click.ClickException(f"{source} has no puzzles: `kakomi study puzzles GAME --out` makes some")
    for number, puzzle in enumerate(found, 1):
        of_another = (
            [f"it is a puzzle of {puzzle.game}, not of {game.name}"] if puzzle.game != game.name else []
        )
        yield f"{number} {puzzle.name}", of_another or list(flaws(puzzle, budget))


def _checked(proofs: "Iterable[tuple[str, list[str]]]") -> int:
    """Print the flaws of each and return the exit code: 0 if none has any, else 1."""
    from kakomi.cli.shared.output import announced_compiling

    wrong = 0
    with announced_compiling("the solver"):
        for name, flaws in proofs:
            wrong += bool(flaws)
            click.echo(f"{name}: {'; '.join(flaws) or 'proved'}")
    return 1 if wrong else 0
