"""Commands on a page, in `console` blocks: each is run, and must print the output below it.

`$` begins a command. What follows is its output, in which `...` stands for any number of lines, or, at the
end of a line, for the rest of it. After a prompt of the program (`Black> 1,1`) the page has the input. Empty
lines and times are ignored.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from kakomi.cli.main import kakomi

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^(\w+>) ?", re.MULTILINE)
_TIME = re.compile(r"\b\d+\.\d{4}\b|\b\d+\.\d(?= s on one core)")


@dataclass(frozen=True)
class Command:
    """A command and its output on the page."""

    arguments: list[str]
    typed: str
    claimed: list[str]

    def printed(self) -> list[str]:
        """The lines that the command prints now."""
        done = CliRunner().invoke(kakomi, self.arguments, input=self.typed, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return _lines(_PROMPT.sub(r"\1\n", done.stdout))

    def claims(self, printed: list[str]) -> bool:
        """Whether the page's output matches the printed lines."""
        return bool(
            re.fullmatch("".join(map(_pattern, self.claimed)), "".join(f"{line}\n" for line in printed))
        )


def commands(page: Path) -> Iterator[Command]:
    """The commands on a page, in order."""
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            program, *arguments = shlex.split(command)
            assert program == "kakomi", command
            typed = "".join(f"{line}\n" for line in re.findall(r"^\w+> (.+)$", output, re.MULTILINE))
            yield Command(arguments, typed, _lines(re.sub(r"^(\w+>) .*$", r"\1", output, flags=re.MULTILINE)))


def _lines(text: str) -> list[str]:
    return [_TIME.sub("TIME", line.rstrip()) for line in text.splitlines() if line.strip()]


def _pattern(line: str) -> str:
    if line == "...":
        return r"(?:.*\n)*?"
    return re.escape(line).replace(re.escape("..."), ".*") + r"\n"
