"""`kakomi engine`: other programs drive our bots."""

import click


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
def command(bot: str | None, threads: int, memory: int, seed: int) -> None:
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
