"""The program `kakomi`: finds its commands, and turns their errors into messages and exit codes.

`SECTIONS` maps each command to the module of this package that has a function of that name. These modules
import nothing heavy at the top, so that help appears at once.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from kakomi import __version__, cli
from kakomi.cli.shared.output import INTERRUPTED, HelpText, in_words, may_have_colours, prepare_streams

click.Context.formatter_class = HelpText
PIPE_CLOSED = 141
"""Exit code if the reader of our output has closed the pipe: 128 + SIGPIPE."""

LONGEST_MESSAGE = 300
"""The most characters of an error message, which may repeat long input."""


SECTIONS = {
    "Play": {
        "play": "play",
        "games": "games",
        "rules": "games",
        "export": "export",
        "engine": "engine",
        "gtp": "engine",
        "warm": "compiled",
        "cache": "compiled",
    },
    "Saved games": {"show": "records", "replay": "records", "analyse": "analyse", "convert": "records"},
    "Study": {
        "study": "study",
        "report": "report",
        "match": "match",
        "solve": "solve",
        "bench": "bench",
        "perft": "bench",
    },
    "Train": {"learn": "learn"},
    "Run a site": {
        "serve": "site",
        "staff": "site",
        "backup": "site",
        "restore": "site",
        "erase": "site",
        "mails": "site",
        "post": "site",
    },
}
"""The headings of the help, with each command's module."""

MODULES = {command: module for commands in SECTIONS.values() for command, module in commands.items()}


class Commands(click.Group):
    """The commands of this package, each imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, or None."""
        if cmd_name not in MODULES:
            return None
        module = importlib.import_module(f"{cli.__name__}.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under headings."""
        width = formatter.width - 6 - max(map(len, self.list_commands(ctx)))
        for heading, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(heading):
                formatter.write_dl(
                    [(name, command.get_short_help_str(width)) for name, command in commands if command],
                    col_spacing=2 + max(map(len, self.list_commands(ctx))) - max(map(len, names)),
                )

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. By itself, Click would exit with 1 if the pipe is closed."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(PIPE_CLOSED) from None


@click.group(
    cls=Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  kakomi play                    choose a game from a menu
  kakomi rules rings             learn how to play Rings
  kakomi play rin --bot 1        play Rin against the easiest bot
  kakomi play lin --help         see what you can choose in Lin
  kakomi analyse game.json       find your mistakes in a saved game
  kakomi serve                   play in the browser instead
""",
)
@click.version_option(__version__, prog_name="kakomi")
@click.pass_context
def kakomi(ctx: click.Context) -> None:
    """Play abstract strategy games, analyse them, and build bots for them.

    New here? Type `kakomi play`. Every command explains itself: `kakomi COMMAND --help`.
    """
    if not may_have_colours():
        ctx.color = False
    if "KAKOMI_KERNEL" in os.environ:
        _check_kernel_mode()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _check_kernel_mode() -> None:
    from kakomi.kernel import mode

    try:
        mode()
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit: 0 if all went well, 2 for wrong usage, 1 for other failures."""
    prepare_streams()
    try:
        code = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        code = PIPE_CLOSED
    except OSError as error:
        code = _failed(in_words(error), 1)
    _forget_what_cannot_be_written()
    sys.exit(code)


def _run(args: Sequence[str] | None) -> int:
    try:
        result = kakomi.main(args=args, prog_name="kakomi", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.UsageError as error:
        return _failed(f"{error.format_message()}{_where_help_is(error)}", error.exit_code)
    except click.ClickException as error:
        return _failed(error.format_message(), error.exit_code)
    except ModuleNotFoundError as error:
        return _failed_for_want_of(error)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED


def _failed(message: str, code: int) -> int:
    line = "".join(map(_visible, " ".join(message.split())))
    if len(line) > LONGEST_MESSAGE:
        line = f"{line[: LONGEST_MESSAGE // 2]} ... {line[-LONGEST_MESSAGE // 2 :]}"
    click.echo(f"kakomi: {line}", err=True)
    return code


def _visible(character: str) -> str:
    """Return a character, or its escape sequence if it is invisible or would change the layout."""
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def _failed_for_want_of(error: ModuleNotFoundError) -> int:
    """Name the extra that installs a missing library. Raises the error again if there is none."""
    from kakomi.extras import install_hint

    hint = install_hint(error)
    if hint is None:
        raise error
    return _failed(hint, 1)


def _where_help_is(error: click.UsageError) -> str:
    return f" (see {error.ctx.command_path} --help)" if error.ctx else ""


def _forget_what_cannot_be_written() -> None:
    """Keep Python from complaining at exit about output that can't be written."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
