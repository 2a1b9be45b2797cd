"""`kakomi engine` and `kakomi gtp`: other programs drive our bots."""

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
@click.option("--bot", metavar="NAME", help="Who chooses unless a request says: 1 to 10, random; default 4.")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="Of analyses.")
@click.option(
    "--memory",
    type=click.IntRange(1, 2**20),
    default=256,
    show_default=True,
    help="MB for the tree of analyses.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Of all chance."
)
def engine(bot: str | None, threads: int, memory: int, seed: int) -> None:
    """Answer requests: a JSON object a line on standard input, answers on standard output.

    Requests set up positions of any game, play, choose actions, analyse and negotiate; docs/protocol.md
    is the contract. Input's end, or quit, ends the program.
    """
    from kakomi.bots import DEFAULT_LEVEL
    from kakomi.cli.shared.output import announced_compiling
    from kakomi.protocol.engine import Engine, Settings
    from kakomi.protocol.exceptions import Refusal
    from kakomi.protocol.lines import input_lines, write_output
    from kakomi.protocol.serving import serve

    try:
        engine = Engine(Settings(bot=bot or DEFAULT_LEVEL, threads=threads, memory_mb=memory, seed=seed))
    except Refusal as refusal:
        raise click.BadParameter(refusal.message, param_hint="--bot") from None
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
@click.option("--bot", metavar="NAME", help="Who plays: 1 (easiest) to 10, random, time:SECONDS; default 4.")
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Of all chance."
)
@general_option
@click.pass_context
def gtp(ctx: click.Context, game: str, bot: str | None, seed: int) -> None:
    """Speak GTP 2, the Go Text Protocol, on standard input and output, for a GAME on a square board.

    Vertices are GTP's: letters without I, rows from the bottom. A turn of two stones is two genmoves.
    docs/protocol.md says what each command does. The game's own options stand at the end of
    `kakomi gtp GAME --help`.
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
