"""`kakomi exercises`: proves the exercises of the courses, and finds positions for more."""

from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.parameters import GameCommand, chosen_game, general_option

if TYPE_CHECKING:
    from kakomi.core import Description, Game


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi exercises ren
  kakomi exercises lin --size 5 --find 20
  kakomi exercises ren --size 6 --find 5 --turns 1 --seed 3

Exit codes: 0 all is proved or something was found, 1 otherwise, 2 as everywhere.
""",
)
@click.argument("game")
@click.option("--find", "games", type=click.IntRange(1), metavar="N", help="Search N games of bots for more.")
@click.option(
    "--turns",
    type=click.IntRange(1, 4),
    metavar="N",
    help="Look for answers that are best after N turns; otherwise those best at the end, by the solver.",
)
@click.option("--most", type=click.IntRange(2), default=24, show_default=True, help="Legal actions at most.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed finds the same.")
@general_option
@click.pass_context
def command(ctx: click.Context, game: str, games: int | None, turns: int | None, most: int, seed: int) -> int:
    """Prove the exercises in the course of GAME, or find positions for more.

    An exercise claims that its answer, and no other, makes sure of a margin: after some turns, by looking at
    all of them, or at the end of the game, by the solver. What is found is printed as tables for
    `exercises.toml`, without the texts.
    """
    chosen = chosen_game(ctx, game)
    return _find(chosen, turns, seed, games, most) if games else _prove(chosen.description)


def _prove(description: "Description") -> int:
    from kakomi import catalog
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.exercises import flaws

    wrong, exercises = 0, description.exercises
    with announced_compiling("the solver"), patient_progress("Proving") as tell:
        for number, exercise in enumerate(exercises, 1):
            found = list(flaws(catalog.game(description.name, **exercise.options), exercise))
            wrong += bool(found)
            click.echo(f"{exercise.name}: {'; '.join(found) or 'proved'}")
            tell(number / len(exercises), exercise.name)
    return 1 if wrong or not exercises else 0


def _find(game: "Game", turns: int | None, seed: int, games: int, most: int) -> int:
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.exercises import find

    count = 0
    with announced_compiling("the solver"), patient_progress("Searching") as tell:
        found = find(game, turns, seed, games, most, lambda part: tell(part, f"{count} found"))
        for count, finding in enumerate(found, 1):
            click.echo(finding.toml(f"found-{count}"))
    return 0 if count else 1
