"""`kakomi engine` and `kakomi gtp` let other programs drive our bots."""

import click

from kakomi.cli.shared.parameters import GameCommand, chosen_game, chosen_options, general_option


@click.command(
    epilog="""\b
Examples:
  kakomi engine --bot 7
  kakomi engine --threads 2 --memory 1024
  echo '{"id": 1, "command": "genmove", "game": "rin", "actions": ["3,4"]}' | kakomi engine
"""
)
@click.option(
    "--bot", metavar="NAME", help="The bot, unless a request names another: 1 to 10, random. [default: 4]"
)
@click.option(
    "--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="Threads for analyses."
)
@click.option(
    "--memory",
    type=click.IntRange(1, 2**20),
    default=256,
    show_default=True,
    help="MB of memory for analyses.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed.")
def engine(bot: str | None, threads: int, memory: int, seed: int) -> None:
    """Run as an engine for other programs, in JSON lines.

    Reads a request per line and answers it. Requests set up positions of any game, play, ask for moves,
    analyse and negotiate komi (docs/protocol.md). Ends with `quit` or at the end of the input.
    """
    from kakomi.bots import DEFAULT_LEVEL
    from kakomi.cli.shared.output import announced_compiling
    from kakomi.protocol.engine import Engine, Settings
    from kakomi.protocol.exceptions import RequestError
    from kakomi.protocol.lines import input_lines, write_output
    from kakomi.protocol.serving import serve

    try:
        engine = Engine(Settings(bot=bot or DEFAULT_LEVEL, threads=threads, memory_mb=memory, seed=seed))
    except RequestError as error:
        raise click.BadParameter(error.message, param_hint="--bot") from None
    with announced_compiling():
        serve(engine, input_lines(), write_output)


@click.command(
    cls=GameCommand,
    epilog="""\b
Examples:
  kakomi gtp lin --size 9 --bot 7
  kakomi gtp ren --bot time:2
  printf 'genmove b\\nshowboard\\nquit\\n' | kakomi gtp rin --size 8 --bot random
""",
)
@click.argument("game")
@click.option("--bot", metavar="NAME", help="The bot: 1 (easiest) to 10, random, time:SECONDS. [default: 4]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed.")
@general_option
@click.pass_context
def gtp(ctx: click.Context, game: str, bot: str | None, seed: int) -> None:
    """Run as an engine for Go programs, in GTP 2.

    For games on square boards. Points are written as in Go: letters without I, rows from the bottom. A turn
    of two stones takes two genmove commands. docs/protocol.md describes each command. `kakomi gtp GAME
    --help` also lists the game's options.
    """
    from kakomi.bots import DEFAULT_LEVEL, make_bot
    from kakomi.cli.shared.output import announced_compiling
    from kakomi.protocol.gtp import GtpEngine, serve
    from kakomi.protocol.lines import input_lines, write_output

    name = chosen_game(ctx, game).name
    try:
        engine = GtpEngine(name, chosen_options(ctx), make_bot(bot or DEFAULT_LEVEL, seed=seed))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    with announced_compiling():
        serve(engine, input_lines(), write_output)
