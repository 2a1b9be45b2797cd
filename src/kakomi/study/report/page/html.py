"""A report as one self-contained HTML page."""

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from kakomi import records
from kakomi.core import Game, Position
from kakomi.draw.board_map import BoardMap, draw_board
from kakomi.kernel.records import EMPTY
from kakomi.records import Result, Seat
from kakomi.records.json_form import write_json
from kakomi.study.report.content import (
    GROUPS,
    Cell,
    Chart,
    Figure,
    GameLink,
    Number,
    Section,
    Table,
    games_in_words,
    in_words,
    interval,
    precision,
    written,
)
from kakomi.study.report.estimates import FEWEST_BLOCKS
from kakomi.study.report.page.charts import (
    anchor,
    cell_places,
    draw_chart,
    empty_board,
    links_of,
    picture,
    point_places,
    rows,
)
from kakomi.study.report.plan import Sample
from kakomi.study.report.report import Report
from kakomi.study.report.statistics.fairness import ENDINGS
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace


def resource(name: str) -> str:
    """The text of a file beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def filled(file: str, /, **values: str) -> str:
    """The text of a file beside this module with each `$name` replaced by a value."""
    return Template(resource(file)).substitute(values)


def draw_table(label: str, heads: Sequence[str], rows: str, cls: str = "") -> str:
    """A table that scrolls on its own on narrow pages, and takes keyboard focus. `rows` is HTML."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in heads)
    head = f"<thead><tr>{titles}</tr></thead>" if heads else ""
    chosen = f' class="{cls}"' if cls else ""
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(label)}">'
        f"<table{chosen}>{head}<tbody>{rows}</tbody></table></div>"
    )


_PLAYED = (
    "All figures rest on these games. Players of one level play with themselves from the empty board; "
    "neighbouring levels play on random openings, each opening once from every seat."
)
_OWN = "All figures rest on the games of a folder, as they were recorded."
_INTERVALS = (
    "Intervals are of 95 % and rest on the differences between blocks of games that belong together: "
    "shares have Wilson's interval, means Student's, medians Woodruff's. Where several things are tested "
    "at once, p-values are corrected by Holm's method. How a game stood is what the search of the player "
    "to act expected. Kakomi's documentation (docs/reports.md) defines every number and names its source."
)


def draw_sources(report: Report) -> str:
    """The section on the report's sources as HTML."""
    rows = "".join(
        f"<tr><td>{escape(sample.title)}</td><td>{games:,}</td>"
        f"<td>{escape(_choice(report, sample))}</td></tr>"
        for sample, games in report.counts
    )
    is_own = any(sample.kind == "own" for sample, _ in report.counts)
    more = f"<p>{escape(report.origin.more)}</p>" if report.origin.more else ""
    return (
        '<section id="sources"><h2>Where this comes from</h2>'
        f"<p>{escape(_OWN if is_own else _PLAYED)}</p>"
        f"{draw_table('Samples', ('players', 'games', 'how they choose'), rows)}"
        f"<p>{escape(_INTERVALS)}</p>{more}</section>"
    )


def _choice(report: Report, sample: Sample) -> str:
    """How the players of a sample choose an action."""
    match sample.kind:
        case "random":
            return "any legal action, all alike: not how anybody plays"
        case "own":
            return "as recorded"
    level = report.game.description.levels[sample.level - 1]
    chosen = f"freely, temperature {level.temperature:g}" if level.temperature else "the best found"
    told = f"a search of {level.simulations:,} simulations, {chosen}"
    match sample.kind:
        case "ladder":
            return f"{told}; the weaker one as its own level says"
        case "mirror":
            return f"{told}; its opponent copies each turn while it can"
    return told


MOST_ROWS = 60
"""The most rows of the table beside a chart."""
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
"""The sections with a number in the strip at the top, and the index of that number."""


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
    """The interval, or why it is missing."""
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
        f'<figure class="map">{draw_board(game.start().scene(), board, f"{key}-{first + place}")}'
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


def replays(study: Study, links: list[GameLink]) -> dict[str, Any]:
    """Id of a game on the page → its replay."""
    return {anchor(link): replay(study.game, study.trace_by_id[link.game], link.label) for link in links}


def replay(game: Game, trace: Trace, label: str) -> dict[str, Any]:
    """The data of one game. `steps` has for each action its text, its player, its target, and the points that
    changed with their new stones (-1: none). `chances` and `scores` have one more row than there are
    actions."""
    position, steps = game.position(trace.position) if trace.position else game.start(), []
    first = before = _stones(position)
    for number, action in enumerate(trace.actions):
        position = position.play_action(action)
        after = _stones(position)
        changed = np.flatnonzero(before != after).tolist()
        steps.append(
            [
                game.action_texts[action],
                int(trace.movers[number]),
                game.actions[action].target or "",
                [[point, int(after[point])] for point in changed],
            ]
        )
        before = after
    return {
        "label": label,
        "title": f"{_versus(game, trace)}, game {trace.id.number % 1_000_000}",
        "result": _result(game, trace),
        "opening": trace.opening,
        "start": first.tolist(),
        "steps": steps,
        "turns": trace.turns.tolist(),
        "scores": [[float(one) for one in row] for row in trace.scores.tolist()],
        "chances": [
            None if np.isnan(row[0]) else [round(float(one), 3) for one in row] for row in trace.chances
        ],
        "record": record_text(game, trace),
    }


def record_text(game: Game, trace: Trace) -> str:
    """The game as a record for `kakomi replay` and the site. A game that ended by resignation or agreement
    gets no result, because the trace doesn't say who resigned when."""
    winners = tuple(seat for seat, share in enumerate(trace.shares) if share == max(trace.shares))
    result = Result(reason=trace.ending, winners=winners, scores=tuple(trace.scores[-1].tolist()))
    record = records.recorded(
        game,
        list(trace.actions),
        position=trace.position,
        seats=tuple(Seat(name=name) for name in trace.seats),
        result=None if trace.ending in ("resignation", "agreement") else result,
        comment=f"The first {trace.opening} actions are a random opening." if trace.opening else "",
    )
    return write_json(record).decode()


def _stones(position: Position) -> np.ndarray:
    """The player of the stone on each point, -1 for none."""
    stones = position.state["stones"][: position.game.geometry.points].astype(np.int64)
    held: np.ndarray = np.where(stones == EMPTY, -1, stones % position.game.players)
    return held


def _versus(game: Game, trace: Trace) -> str:
    seats = [name.split(" (")[0] for name in trace.seats]
    spelled = [f"level {name}" if name.isdigit() else name.replace(":", " of level ") for name in seats]
    return ", ".join(f"{name}: {who}" for name, who in zip(game.player_names, spelled, strict=True))


def _result(game: Game, trace: Trace) -> str:
    scores = " to ".join(f"{score:g}" for score in trace.scores[-1].tolist())
    who = "Nobody wins alone" if trace.winner is None else f"{game.player_names[trace.winner]} wins"
    return f"{who}, {scores}, after {trace.plies} actions ({ENDINGS[trace.ending]})"


BOARD = "replayed"
"""The id prefix of the board for replays."""
PICTURED = 0.7
"""How far into the game the picture at the top is, from 0 to 1."""


def page(report: Report) -> str:
    """The whole page; equal reports give equal pages."""
    game = report.game.description
    main = [_summary(report), *_groups(report), draw_sources(report), _games(report)]
    return filled(
        "page.html",
        description=escape(" ".join(report.summary)),
        title=escape(report.title),
        style=resource("page.css"),
        name=escape(game.title),
        terms=escape(_terms(report)),
        about=escape(f"{game.summary} By {game.author}, {game.year}."),
        picture=_picture(report),
        contents=_contents(report),
        main="\n".join(part for part in main if part),
        footer=_footer(report),
        replay=_replay(report),
        script=resource("page.js"),
    )


def _terms(report: Report) -> str:
    """The options and the number of players."""
    options = [f"{name.replace('_', ' ')} {value}" for name, value in report.game.options.items()]
    players = [] if "players" in report.game.options else [f"{report.game.players} players"]
    return " · ".join([*options, *players])


def _picture(report: Report) -> str:
    """A link to a game of typical length, with a picture of it towards its end."""
    section = next(section for section in report.sections if section.key == "lengths")
    link = section.links[0]
    trace = report.study.trace_by_id[link.game]
    ply = trace.at(PICTURED)
    drawn = picture(report.game, trace.position_at(report.game, ply).stones(), "masthead")
    label, name = f"{escape(link.label)}, after {ply} actions", anchor(link)
    return (
        f'<a class="picture" href="#{name}" data-game="{name}" data-ply="{ply}" aria-label="{label}">'
        f"{drawn}</a>"
    )


def _contents(report: Report) -> str:
    items = []
    for group, title in GROUPS.items():
        inside = [section for section in report.sections if section.group == group]
        if inside:
            links = "".join(f'<li><a href="#{one.key}">{escape(one.title)}</a></li>' for one in inside)
            items.append(f'<li><a href="#group-{group}">{escape(title)}</a><ul>{links}</ul></li>')
    items.append('<li><a href="#sources">Where this comes from</a></li>')
    return f'<nav aria-label="Contents"><h2>Contents</h2><ol>{"".join(items)}</ol></nav>'


def _summary(report: Report) -> str:
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in report.summary)
    stopped = "" if report.origin.is_complete else f'<p class="warning">{escape(_stopped(report))}</p>'
    return (
        '<section id="summary" aria-labelledby="summary-title"><h2 id="summary-title">In short</h2>'
        f'{stopped}<ul class="summary">{sentences}</ul>{strip(report)}'
        '<p class="note">Numbers in brackets, and small ones below others, are 95 % intervals. Every number '
        "has the count of games behind it, and links show a game.</p></section>"
    )


def _stopped(report: Report) -> str:
    there = sum(games for _, games in report.counts)
    return f"This report was stopped early: {there:,} of {report.origin.planned:,} games were played."


def _groups(report: Report) -> list[str]:
    parts = []
    for group, title in GROUPS.items():
        inside = [section for section in report.sections if section.group == group]
        if inside:
            drawn = "\n".join(draw_section(section, report.game) for section in inside)
            parts.append(f'<div class="group" id="group-{group}"><h2>{escape(title)}</h2>\n{drawn}</div>')
    return parts


def _games(report: Report) -> str:
    links = links_of(report.sections)
    if not links:
        return ""
    items = "".join(f"<li>{game_link(link)}</li>" for link in links)
    return (
        '<section id="games"><h2>Games on this page</h2><p>Each can be played through here, and saved as a '
        f'record for <code>kakomi replay</code> and the site.</p><ul class="games">{items}</ul></section>'
    )


def _footer(report: Report) -> str:
    origin = report.origin
    games = sum(games for _, games in report.counts)
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    return (
        f"<footer><p><code>{escape(origin.command)}</code></p>"
        f"<p>{games:,} games · seed {origin.seed} · {escape(versions)}</p>"
        f"<p>{escape(report.game.description.credit)}</p></footer>"
    )


def _replay(report: Report) -> str:
    """The dialog for replaying games, and its data."""
    game = report.game
    data = {
        "players": list(game.player_names),
        "points": point_places(game),
        "names": list(game.geometry.names),
        "cells": cell_places(game),
        "games": replays(report.study, links_of(report.sections)),
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    return filled("replay.html", board=empty_board(game, BOARD), data=text)
