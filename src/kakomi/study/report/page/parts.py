"""Sections of a page: numbers, figures, and what they mean."""

from html import escape

from kakomi.core import Game
from kakomi.study.report.content import BoardMap, Cell, Chart, Figure, GameLink, Number, Section, Table
from kakomi.study.report.estimates import FEWEST_BLOCKS
from kakomi.study.report.page.boards import draw_board
from kakomi.study.report.page.charts import draw_chart, rows
from kakomi.study.report.page.links import anchor
from kakomi.study.report.page.tables import draw_table
from kakomi.study.report.report import Report
from kakomi.study.report.wording import games_in_words, in_words, interval, precision, written

MOST_ROWS = 60
"""Of the table beside a chart."""
_HEADS = ("number", "value", "95 % interval", "players", "games")
IN_STRIP = (
    ("seats", 0),
    ("endings", 1),
    ("lengths", 0),
    ("uncertainty", 1),
    ("leads", 0),
    ("branching", 0),
    ("complexity", 0),
    ("kingmaking", 0),
)
"""The sections whose numbers stand at the top, and which number it is."""


def strip(report: Report) -> str:
    """The most important numbers, side by side."""
    by_key = {section.key: section for section in report.sections}
    cards = []
    for key, place in IN_STRIP:
        section = by_key.get(key)
        if key == "endings" and not report.game.description.has_draws:
            continue
        if section and len(section.numbers) > place:
            number = section.numbers[place]
            value = written(number.estimate.value, number.unit, precision(number.estimate, number.unit))
            ends = interval(number.estimate, number.unit) if number.estimate.has_interval else ""
            cards.append(
                f'<a class="card" href="#{key}"><b>{escape(value)}</b>'
                f'<span class="ends">{escape(ends)}</span>'
                f'<span class="label">{escape(number.label)}</span></a>'
            )
    return f'<div class="strip">{"".join(cards)}</div>'


def draw_section(section: Section, game: Game) -> str:
    """A section as HTML."""
    boards = [figure for figure in section.figures if isinstance(figure, BoardMap)]
    others = [figure for figure in section.figures if not isinstance(figure, BoardMap)]
    parts = [
        f'<section id="{section.key}" aria-labelledby="{section.key}-h">',
        f'<h3 id="{section.key}-h">{escape(section.title)}</h3>',
        f'<p class="finding">{escape(section.finding)}</p>' if section.finding else "",
        _numbers(section.numbers),
        _boards(boards, section.key, game, len(others)),
        *(_figure(figure, f"{section.key}-{place}") for place, figure in enumerate(others)),
        f'<div class="meaning"><p><b>What it means.</b> {escape(section.means)}</p>'
        f"<p><b>What it does not mean.</b> {escape(section.not_means)}</p>"
        + (f"<p><b>How it is made.</b> {escape(section.method)}</p>" if section.method else "")
        + "</div>",
        _links(section.links),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _numbers(numbers: tuple[Number, ...]) -> str:
    if not numbers:
        return ""
    listed = "".join(
        f'<tr><th scope="row">{escape(number.label)}'
        + (f'<span class="aside">{escape(number.note)}</span>' if number.note else "")
        + f'</th><td class="value">{_value(number)}</td><td class="ends">{_ends(number)}</td>'
        f"<td>{escape(number.players)}</td><td>{_behind(number)}</td></tr>"
        for number in numbers
    )
    return draw_table("Numbers", _HEADS, listed, "numbers")


def _value(number: Number) -> str:
    return escape(written(number.estimate.value, number.unit, precision(number.estimate, number.unit)))


def _ends(number: Number) -> str:
    """The interval, or why there is none."""
    one = number.estimate
    if one.has_interval:
        return escape(interval(one, number.unit))
    if not one.games:
        return "a bound"
    return "never varies" if one.blocks >= FEWEST_BLOCKS else "too few games"


def _behind(number: Number) -> str:
    return f"{number.estimate.games:,}" if number.estimate.games else ""


def _figure(figure: Figure, key: str) -> str:
    if isinstance(figure, Table):
        return _table(figure)
    assert isinstance(figure, Chart)
    listed = rows(figure)
    data = "".join(f"<tr><td>{escape(point.told)}</td></tr>" for _, point in listed[:MOST_ROWS])
    table = (
        f"<details><summary>The numbers</summary>{draw_table('The numbers', (), data, 'told')}</details>"
        if data
        else ""
    )
    return f"<figure>{_caption(figure.title, figure.about)}{draw_chart(figure, key)}{table}</figure>"


def _boards(boards: list[BoardMap], key: str, game: Game, first: int) -> str:
    if not boards:
        return ""
    drawn = "".join(
        f'<figure class="map">{draw_board(game, board, f"{key}-{first + place}")}'
        f"{_caption(board.title, board.about)}</figure>"
        for place, board in enumerate(boards)
    )
    return f'<div class="maps">{drawn}</div>'


def _table(table: Table) -> str:
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return (
        f"<figure>{_caption(table.title, table.about)}{draw_table(table.title, table.columns, body)}</figure>"
    )


def _caption(title: str, about: str) -> str:
    stop = "" if title.endswith("?") else "."
    return f"<figcaption><b>{escape(title)}{stop}</b> {escape(about)}</figcaption>"


def _cell(cell: Cell) -> str:
    if cell.number:
        told = in_words(cell.number.estimate, cell.number.unit)
        return f'<td class="value" title="{escape(games_in_words(cell.number.estimate))}">{escape(told)}</td>'
    return f"<td>{game_link(cell.link, cell.text) if cell.link else escape(cell.text)}</td>"


def _links(links: tuple[GameLink, ...]) -> str:
    if not links:
        return ""
    return f'<p class="see"><b>See it.</b> {" ".join(game_link(link) for link in links)}</p>'


def game_link(link: GameLink, text: str = "") -> str:
    """A link that opens a game at an action."""
    name = anchor(link)
    return f'<a href="#{name}" data-game="{name}" data-ply="{link.ply}">{escape(text or link.label)}</a>'
