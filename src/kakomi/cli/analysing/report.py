"""An analysis as tables."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from kakomi.core import Position
    from kakomi.search import Report
    from kakomi.study.analysis import Analysis, Move

MOST_SHOWN = 20
"""Turning points in the table: the costliest."""
MOST_LINES = 10
"""The best actions of a position that is searched by itself."""
_LONGEST_LINE = 8
_MOST_ACTIONS = 3
"""Of a better turn; the record that `--out` writes has all of it."""


def print_report(analysis: "Analysis") -> None:
    """The turning points, and how well everybody played."""
    _print_turning_points(analysis)
    click.echo("")
    _print(_summary_table(analysis))


def position_lines(position: "Position", report: "Report") -> list[str]:
    """A search's findings in one position: everybody's chances, and the best actions."""
    from kakomi.cli.shared.parameters import game_line
    from kakomi.cli.shared.records import position_caption
    from kakomi.core.returns import percent

    game = position.game
    chances = [percent(chance, 1) for chance in report.chances]
    who = ", ".join(f"{name} {share}" for name, share in zip(game.player_names, chances, strict=True))
    lines = [game_line(game), "", *position_caption(position), ""]
    lines.append(f"Win chances after {report.simulations:,} simulations: {who}")
    if report.is_proven:
        lines.append("This is proven.")
    for line in report.lines[:MOST_LINES]:
        mine = percent(line.chances[position.to_move], 1)
        best = [game.action_texts[action] for action in line.principal or (line.action,)]
        lines.append(f"  {mine:>7}  {line.visits:>9,} visits  {' '.join(best[:_LONGEST_LINE])}")
    return lines


def method(analysis: "Analysis") -> str:
    """The meaning of the signs, the method behind the figures and their precision."""
    from kakomi.study.analysis import Grade
    from kakomi.study.analysis.analysis import LONGER
    from kakomi.study.analysis.wording import limits_in_words

    signs = ", ".join(f"{grade.sign} {grade.word} ({100 * grade.value:.0f} points)" for grade in Grade)
    return (
        f"{signs}; points are percentage points of the win chance, ± their standard error. "
        f"{limits_in_words(analysis.effort)} a position, {LONGER} times as long round suspicious actions; "
        f"searches of a position differed with {analysis.dispersion:.1f} times the variance of independent "
        "simulations."
    )


def _print_turning_points(analysis: "Analysis") -> None:
    shown = sorted(analysis.turning_points, key=lambda move: -move.loss)[:MOST_SHOWN]
    if not shown:
        click.echo("No turning points: no action lost 10 points or more beyond doubt.")
        return
    total = len(analysis.turning_points)
    click.echo(
        f"Turning points, the costliest {MOST_SHOWN} of {total}:" if total > MOST_SHOWN else "Turning points:"
    )
    _print(_turning_point_table([move for move in analysis.turning_points if move in shown]))


def _turning_point_table(moves: "list[Move]") -> "Table":
    from kakomi.study.analysis import Grade

    table = _table("turn", "player", "played", "better", "best → played", "points lost", numbers_from=4)
    for move in moves:
        played = f"{move.ply.action_text}{move.grade.sign if move.grade else ''}"
        table.add_row(
            move.ply.number,
            move.ply.player_name,
            f"[{'bold red' if move.grade is Grade.BLUNDER else 'magenta'}]{played}[/]",
            _better(move),
            f"{100 * move.promise:.0f} → {100 * move.after.chances[move.ply.player]:.0f} %",
            _points(move.loss, move.error, 1),
        )
    return table


def _summary_table(analysis: "Analysis") -> "Table":
    from kakomi.study.analysis import Grade, summaries

    signs = [grade.sign for grade in Grade]
    table = _table("player", "actions", "points lost an action", *signs, "accuracy", numbers_from=1)
    for summary in summaries(analysis):
        table.add_row(
            analysis.game.player_names[summary.player],
            str(summary.actions),
            _points(summary.loss, summary.error, 2),
            *(str(summary.grades[grade]) for grade in Grade),
            f"{summary.accuracy:.0f} %",
        )
    return table


def _better(move: "Move") -> str:
    """The better actions of this turn."""
    from kakomi.study.analysis.move import turns_of

    actions = turns_of(move.ply.before, move.best)[0].actions[move.ply.place - 1 :]
    return " ".join([*actions[:_MOST_ACTIONS], *(["…"] if len(actions) > _MOST_ACTIONS else [])])


def _points(loss: float, error: float, digits: int) -> str:
    return f"{100 * loss:.{digits}f} ± {100 * error:.{digits}f}"


def _table(*titles: str, numbers_from: int) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for place, title in enumerate(titles):
        table.add_column(
            title, justify="right" if place >= numbers_from else "left", no_wrap=title != "better"
        )
    return table


def _print(table: "Table") -> None:
    from rich.console import Console

    from kakomi.cli.shared.output import has_colours

    console = Console(no_color=not has_colours(), highlight=False)
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        click.echo(line.rstrip())
