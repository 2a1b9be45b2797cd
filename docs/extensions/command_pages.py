"""The commands of `kakomi`, from what they say themselves: `{commands}` makes a section of each on a page."""

import re
from collections.abc import Iterator

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kakomi.cli.main import kakomi

_OPTION = re.compile(r"(?<![\w`-])--[a-z][\w-]*(?![^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$)", re.MULTILINE)
"""An option in running text, which no backticks surround yet."""
_ALL = rf"-?(?:{2**63}|0)<=x<={2**63 - 1}"
_ANY_SEED = re.compile(rf"; {_ALL}(?=\])| \[{_ALL}\]")
"""The range of numbers that have 64 bits, which tells nobody anything."""
_VERBATIM = "\b"
"""How Click is told to leave the lines of a paragraph alone."""


class Commands(SphinxDirective):
    """A section for each command: what it does, its arguments and options, and examples."""

    def run(self) -> list[nodes.Node]:
        """The nodes of all sections."""
        with click.Context(kakomi, info_name="kakomi") as context:
            text = "\n".join(_sections(kakomi, context))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def _sections(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command, name
        with click.Context(command, info_name=name, parent=context) as own:
            if isinstance(command, click.Group):
                yield from (f"## {own.command_path}\n", _prose(command.help))
                yield from _sections(command, own)
            else:
                yield from _section(command, own)


def _section(command: click.Command, context: click.Context) -> Iterator[str]:
    """The lines of one command as Markdown."""
    depth = context.command_path.count(" ") + 1
    yield f"{'#' * depth} {context.command_path}\n"
    yield _prose(command.help)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"```text\n{context.command_path} {usage}\n```\n"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record and "--help" not in parameter.opts:
            shown = record[0].replace("INTEGER RANGE", "N").replace("FLOAT RANGE", "N")
            yield f"`{shown}`\n: {_prose(_ANY_SEED.sub('', record[1]))}"
    yield from map(_told_at_the_end, (command.epilog or "").split("\n\n"))


def _told_at_the_end(paragraph: str) -> str:
    """Examples as a block, other things as they are."""
    if not paragraph.lstrip().startswith(_VERBATIM):
        return _prose(paragraph)
    lines = paragraph.lstrip().removeprefix(_VERBATIM).strip("\n").splitlines()
    block = "\n".join(line.removeprefix("  ") for line in lines[1:])
    return f"{lines[0]}\n\n```text\n{block}\n```\n"


def _prose(text: str | None) -> str:
    """The paragraphs of a help text as Markdown, options in them as code."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n"))
    return "\n\n".join(_OPTION.sub(r"`\g<0>`", paragraph) for paragraph in paragraphs) + "\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
