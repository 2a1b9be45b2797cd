"""`kakomi perft`: how many sequences of actions there are."""

import json
import time

import click

from kakomi.cli.shared.interrupts import telling_what_is_kept
from kakomi.cli.shared.parameters import (
    GameCommand,
    chosen_game,
    chosen_position,
    from_option,
    general_option,
    position_option,
)

DEEPEST = 60


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi perft rin 3 --size 8
  kakomi perft rive 4 --size 3 --from "d3 c2"
  kakomi perft lin 3 --size 9 --json
  kakomi perft rin 2 --size 4 --position "4/1b2/4/4 w left_in_turn=2"
""",
)
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, DEEPEST))
@position_option
@from_option
@click.option("--json", "as_json", is_flag=True, help="Print one object, for programs.")
@general_option
@click.pass_context
def command(
    ctx: click.Context, game: str, depth: int, position_text: str | None, actions: str, as_json: bool
) -> None:
    """Count the sequences of DEPTH actions in GAME.

    Sequences that end the game earlier don't count. The numbers pin the rules down: two programs that
    agree on them agree on the rules.
    """
    from kakomi.cli.shared.output import announced_compiling, patient_progress
    from kakomi.study.perft import perft

    chosen = chosen_game(ctx, game)
    with announced_compiling():
        position = chosen_position(ctx, chosen, position_text, actions)
        started = time.perf_counter()
        with telling_what_is_kept(), patient_progress("Counting") as tell:
            count = perft(position, depth, on_slice=lambda part, so_far: tell(part, f"{so_far:,} so far"))
    seconds = time.perf_counter() - started
    if as_json:
        options = {"game": chosen.name, "options": dict(chosen.options), "from": actions.split()}
        options |= {} if position_text is None else {"position": position_text}
        click.echo(json.dumps({**options, "depth": depth, "count": count, "seconds": round(seconds, 3)}))
    else:
        click.echo(count)
