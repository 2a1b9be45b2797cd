"""The output of `kakomi analyse`: tables, plots of the win chances in the terminal or in a file, and what the
solver proves about a game or a position (`--exact`).
"""

import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kakomi.cli.shared.output import has_blocks, has_colours, say
from kakomi.draw.pixels import png

if TYPE_CHECKING:
    from rich.table import Table

    from kakomi.analysis import Analysis, Move, Ownership
    from kakomi.analysis.analysis import Tell
    from kakomi.core import Game, Position
    from kakomi.records import Record
    from kakomi.search import Report
    from kakomi.solve import Proof
    from kakomi.study.endings import Choice, Ending


NARROWEST, WIDEST = 40, 100
HEIGHT = 11
_FRAME = 9
"""Columns taken by the plot's frame and the numbers on its scale."""
_TERMINAL_COLOURS = {"1": "white", "31": "red", "94": "blue", "33": "yellow", "32": "green"}
FORMS = (".svg", ".png")
_ZOOM = 2
"""Pixels of a PNG for each unit of the drawing."""
HINT = "No plot: it needs uniplot (pip install 'kakomi[plots]')."


def print_plot(analysis: "Analysis") -> None:
    """Plot the chances over the turns, or say which library is missing."""
    try:
        from uniplot import plot_to_string
    except ImportError:
        click.echo(HINT, err=True)
        return
    drawn = plot_to_string(**_series(analysis), **_style(analysis))
    for line in drawn.rstrip("\n").split("\n"):
        click.echo(line.rstrip())


def _series(analysis: "Analysis") -> dict[str, Any]:
    """Return the chances as lines: one for the first player of two, or one for each of more players."""
    names = analysis.game.player_names
    shown = range(1 if len(names) == 2 else len(names))
    moments = [moment for moment, _ in analysis.reports]
    chances = [[100 * report.chances[p] for _, report in analysis.reports] for p in shown]
    title = f"{names[0]}'s win chance (%) by turn" if len(names) == 2 else "Win chances (%) by turn"
    labels = {} if len(names) == 2 else {"legend_labels": list(names)}
    return {"xs": [moments for _ in shown], "ys": chances, "title": title, **labels}


def _style(analysis: "Analysis") -> dict[str, Any]:
    from kakomi.draw.player_style import player_styles

    players = player_styles(analysis.game.player_names)
    colours = [_TERMINAL_COLOURS[style.hue] for style in players]
    letters = [style.letter for style in players]
    moments = [moment for moment, _ in analysis.reports]
    in_letters = len(players) > 2 or not has_blocks()
    return {
        "lines": True,
        "color": colours if has_colours() and len(players) > 2 else False,
        "character_set": "ascii" if in_letters else "block",
        "force_ascii_characters": letters,
        "width": _width(),
        "height": HEIGHT,
        "y_min": 0,
        "y_max": 100,
        "x_min": moments[0],
        "x_max": moments[-1],
        "y_gridlines": [50] if len(players) == 2 else [],
        "x_gridlines": [],
    }


def _width() -> int:
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns)) - _FRAME


def check_picture(path: str) -> None:
    """Raise ClickException if no picture can be drawn in the format of the file's suffix."""
    form = Path(path).suffix.lower()
    if form not in FORMS:
        raise click.UsageError(f"--plot {path}: the file's name ends in .svg or .png")
    if form == ".png":
        try:
            png("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
        except ImportError:
            raise click.ClickException(
                f"{path}: for PNG, run pip install 'kakomi[images]'; SVG works without"
            ) from None


def draw_picture(path: str, analysis: "Analysis", record: "Record", theme: str) -> None:
    """Write the picture to a file atomically. Raises OSError."""
    from kakomi.analysis import draw_chances
    from kakomi.core.system import replace_file

    is_png = Path(path).suffix.lower() == ".png"
    shown = "light" if is_png and theme == "auto" else theme  # a PNG can't adapt to its viewer's theme
    drawn = draw_chances(analysis, _title(record, analysis.game), _seated(record, analysis.game), shown)
    replace_file(path, png(drawn, zoom=_ZOOM) if is_png else drawn.encode())


def _title(record: "Record", game: "Game") -> str:
    from kakomi.cli.shared.parameters import game_line

    return " · ".join(part for part in (game_line(game), record.event, record.date) if part)


def _seated(record: "Record", game: "Game") -> list[str]:
    people = [seat.name or seat.bot for seat in record.seats] or [""] * game.players
    return [f"{name}: {who}" if who else name for name, who in zip(game.player_names, people, strict=True)]


BUDGET = 5_000_000
"""The default number of positions that the solver looks at, which takes a few seconds."""
RESULTS = {1: "win", 0: "draw", -1: "loss"}
_MOST_KEEPING = 5
"""The most actions listed that would have kept a result; the JSON has all of them."""


def check_provable(ctx: click.Context, game: "Game", exact: bool) -> None:
    """Raise UsageError if `exact` and the game's results can't be proved."""
    from kakomi.solve import check_provable as check

    if not exact:
        return
    try:
        check(game)
    except ValueError as error:
        raise click.UsageError(f"--exact: {error}", ctx) from None


def solved_ending(
    record: "Record", game: "Game", budget: int, tell: "Tell", stop: threading.Event
) -> "Ending | None":
    """Prove results at the end of a game; None without a budget, or if `stop` is already set."""
    from kakomi.analysis.move import plies
    from kakomi.study.endings import proved_ending

    if not budget or stop.is_set():
        return None

    def goes_on(part: float) -> bool:
        tell("Solving", max(1, round(part * budget)), budget)
        return not stop.is_set()

    return proved_ending(plies(record, game), budget, goes_on)


def with_ending(actions: list[dict[str, Any]], ending: "Ending | None") -> list[dict[str, Any]]:
    """Add the proven results, if there is an ending, to the objects of an analysis."""
    if ending is None:
        return actions
    proven = ending.as_data()
    return [one | {"proven": proven.get((one["turn"], one["place"]))} for one in actions]


def print_ending(ending: "Ending", budget: int) -> None:
    """Print from which turn on results are proved, and what was thrown away."""
    click.echo()
    if not ending.proved:
        say(_too_small(budget))
        return
    say(f"From turn {ending.proved[0].number} on, all results are proved. {_in_words(ending)}")
    for choice in ending.thrown_away:
        say(_thrown_away(choice), indent=4)


def _in_words(ending: "Ending") -> str:
    """Return a sentence on how often something could be thrown away, and was."""
    count, thrown = len(ending.choices), len(ending.thrown_away)
    if not count:
        return "Nobody could go wrong there."
    where = "in one position" if count == 1 else f"in {count} positions"
    times = {0: "and never lost.", 1: "and was lost once:"}.get(thrown, f"and was lost {thrown} times:")
    return f"A win or draw was at stake {where}, {times}"


def proof_lines(position: "Position", proof: "Proof", budget: int) -> list[str]:
    """Return lines on the winner under best play and on each action's result."""
    if proof.result is None and not proof.results:
        return [_too_small(budget)]
    texts = position.game.action_texts
    lines = [] if proof.result is None else [_under_best_play(position, proof)]
    for result, word in RESULTS.items():
        if actions := [texts[action] for action, found in proof.results.items() if found == result]:
            lines.append(f"Proved to be a {word}: {' '.join(actions)}")
    if not proof.is_settled:
        left = proof.legal - len(proof.results)
        lines.append(f"Not proved: {left} of {proof.legal} actions; a larger --budget may prove more.")
    return lines


def _under_best_play(position: "Position", proof: "Proof") -> str:
    name = position.game.player_names[proof.to_move]
    verb = {1: "wins", 0: "draws", -1: "loses"}[proof.result or 0]
    by = f" by {abs(proof.margin)}" if proof.margin else ""
    line = " ".join(position.game.action_texts[action] for action in proof.line)
    return f"Under best play {name} {verb}{by}" + (f": {line}" if line else ".")


def _thrown_away(choice: "Choice") -> str:
    ply = choice.ply
    kept = _listed(choice.keeping)
    was, became = RESULTS[choice.best], RESULTS[choice.played]
    played = f"  {ply.number} {ply.player_name} {ply.action_text}"
    return f"{played}: a {was} became a {became}; {kept} would have held it"


def _listed(actions: Sequence[str]) -> str:
    more = len(actions) - _MOST_KEEPING
    told = " or ".join(actions[:_MOST_KEEPING])
    return f"{told} or {more} more" if more > 0 else told


def _too_small(budget: int) -> str:
    return f"The solver proved nothing within a budget of {budget:,}; a larger --budget may prove more."


MOST_SHOWN = 20
"""How many turning points the table shows: the costliest."""
MOST_LINES = 10
"""How many of the best actions are listed for a single position."""
_LONGEST_LINE = 8
_MOST_ACTIONS = 3
"""How many actions of a better turn are shown; the record that `--out` writes has all of them."""


def print_report(analysis: "Analysis") -> None:
    """Print the turning points, and how well each player played."""
    _print_turning_points(analysis)
    click.echo("")
    _print(_summary_table(analysis))


def position_lines(position: "Position", report: "Report") -> list[str]:
    """Return the findings of a search in one position: each player's chances, and the best actions."""
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


def ownership_lines(position: "Position", owned: "Ownership", overlays: tuple[str, ...] = ()) -> list[str]:
    """Return the players' leads, and a map of who will probably own each point."""
    from kakomi.analysis import ownership_overlay
    from kakomi.draw.text import draw_text

    names = position.game.player_names
    each = zip(names, owned.lead.tolist(), owned.spread.tolist(), strict=True)
    leads = ", ".join(f"{name} {lead:+.1f} ± {spread:.1f}" for name, lead, spread in each)
    scene, likely = position.scene(overlays=overlays), ownership_overlay(position, owned, in_text=True)
    return [
        "",
        f"Leads at the end of {owned.playouts:,} playouts: {leads}",
        "Likely owners: x8 is 80 to 90 % for X; settled stones, and points under 55 %, have no number.",
        "",
        draw_text(replace(scene, overlays=(*scene.overlays, likely)), colour=has_colours()).rstrip("\n"),
    ]


def method(analysis: "Analysis") -> str:
    """Explain the signs, the method behind the figures and their precision."""
    from kakomi.analysis import Grade
    from kakomi.analysis.analysis import LONGER
    from kakomi.analysis.summary import limits_in_words

    signs = ", ".join(f"{grade.sign} {grade.word} ({100 * grade.value:.0f} points)" for grade in Grade)
    return (
        f"{signs}; points are percentage points of the win chance, ± their standard error. "
        f"{limits_in_words(analysis.effort)} a position, {LONGER} times as long round suspicious actions; "
        f"searches of a position differed with {analysis.dispersion:.1f} times the variance of independent "
        "simulations."
    )


def _print_turning_points(analysis: "Analysis") -> None:
    costly = [move for move in analysis.highlights if move.is_turning_point]
    if not costly:
        click.echo("No turning points: no action lost 10 points or more beyond doubt.")
        return
    total = len(analysis.turning_points)
    click.echo(
        f"Turning points, the costliest {MOST_SHOWN} of {total}:" if total > MOST_SHOWN else "Turning points:"
    )
    _print(_turning_point_table(costly))
    for move in costly:
        if move.swing:
            say(f"{move.ply.number} {move.ply.action_text}: {move.swing.in_words}")


def _turning_point_table(moves: "list[Move]") -> "Table":
    from kakomi.analysis import Grade

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
    from kakomi.analysis import Grade, summaries

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
    """Return the better actions for the rest of this turn."""
    from kakomi.analysis.move import turns_of

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
