"""The file of a report."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kakomi.study.report.report import Report

STANDARD_OUTPUT = "-"


def check_output(form: str, out: str | None) -> None:
    """Say now, and not after ten minutes, what could not be written then. Raises ClickException."""
    from kakomi.study.report.pdf import NoBrowser, find_browser

    if form == "pdf":
        if out == STANDARD_OUTPUT:
            raise click.UsageError("--out -: a PDF goes into a file")
        try:
            find_browser()
        except NoBrowser as error:
            raise click.ClickException(str(error)) from None
    if out and out != STANDARD_OUTPUT and not Path(out).absolute().parent.is_dir():
        raise click.ClickException(f"{out}: there is no folder {Path(out).parent}")


def out_path(report: "Report", form: str, out: str | None) -> Path | None:
    """Where a report goes: a file, by default named after the game with its options; None: standard
    output."""
    if out == STANDARD_OUTPUT:
        return None
    options = "".join(f"-{name}{value}" for name, value in report.game.options.items())
    return Path(out) if out else Path(f"{report.game.name}{options}.{form}")


def write(report: "Report", form: str, path: Path | None) -> None:
    """Write it, and say in short what it says. Raises ClickException if it can't be printed, and OSError."""
    from kakomi.cli.shared.output import plain, say
    from kakomi.core.system import replace_file
    from kakomi.study.report.pdf import NoBrowser, print_page

    if path is None:
        sys.stdout.write(_text(report, form))
        return
    if form == "pdf":
        try:
            print_page(_text(report, "html"), path)
        except NoBrowser as error:
            raise click.ClickException(str(error)) from None
    else:
        replace_file(path, _text(report, form).encode())
    for sentence in (report.title, *report.summary):
        say(plain(sentence))
    if report.origin.more:
        say(plain(report.origin.more))
    say(plain(f"Written to {path}"))


def _text(report: "Report", form: str) -> str:
    from kakomi.study.report.json_form import as_object
    from kakomi.study.report.markdown import markdown
    from kakomi.study.report.page.html import page

    match form:
        case "json":
            return json.dumps(as_object(report), indent=1, ensure_ascii=False) + "\n"
        case "md":
            return markdown(report)
        case _:
            return page(report)
