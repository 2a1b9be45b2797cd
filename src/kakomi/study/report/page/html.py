"""A report as one HTML page that needs nothing from anywhere else."""

import json
from html import escape
from importlib.resources import files

from kakomi.study.report.content import GROUPS, Section
from kakomi.study.report.page.boards import cell_places, empty_board, point_places
from kakomi.study.report.page.links import anchor, links_of
from kakomi.study.report.page.parts import draw_section, strip
from kakomi.study.report.page.replay import replays
from kakomi.study.report.report import Report

BOARD = "replayed"
"""The prefix of the board that games are shown on."""


def page(report: Report) -> str:
    """The whole page; equal reports give equal pages."""
    description = report.game.description
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="generator" content="kakomi report">',
            f'<meta name="description" content="{escape(" ".join(report.summary))}">',
            f"<title>{escape(report.title)} · report</title>",
            f"<style>\n{_resource('page.css')}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#main">To the report</a>',
            '<header class="masthead">',
            '<p class="eyebrow">What is known about a game</p>',
            f"<h1>{escape(description.title)}</h1>",
            f'<p class="by">{escape(_terms(report))}</p>',
            f'<p class="about">{escape(description.summary)} By {escape(description.author)}, {escape(description.year)}.</p>',
            "</header>",
            '<div class="columns">',
            _contents(report),
            '<main id="main">',
            _summary(report),
            *_groups(report),
            _sources(report),
            _games(report),
            "</main>",
            "</div>",
            _footer(report),
            _replay(report),
            f"<script>\n{_resource('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _terms(report: Report) -> str:
    """The options, and how many play."""
    told = [f"{name.replace('_', ' ')} {value}" for name, value in report.game.options.items()]
    return " · ".join(
        [*told, *([] if "players" in report.game.options else [f"{report.game.players} players"])]
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
        f'<section id="summary" aria-labelledby="summary-title"><h2 id="summary-title">In short</h2>{stopped}'
        f'<ul class="summary">{sentences}</ul>{strip(report)}'
        '<p class="note">Numbers in brackets are 95 % intervals. Every number has the count of games behind it, and '
        "links show a game.</p></section>"
    )


def _stopped(report: Report) -> str:
    there = sum(games for _, games in report.counts)
    return f"This report was stopped early: {there:,} of {report.origin.planned:,} games were played."


def _groups(report: Report) -> list[str]:
    parts = []
    for group, title in GROUPS.items():
        inside: list[Section] = [section for section in report.sections if section.group == group]
        if inside:
            drawn = "\n".join(draw_section(section, report.game) for section in inside)
            parts.append(f'<div class="group" id="group-{group}"><h2>{escape(title)}</h2>\n{drawn}</div>')
    return parts


def _sources(report: Report) -> str:
    rows = "".join(
        f"<tr><td>{escape(sample.title)}</td><td>{games:,}</td><td>{escape(_described(report, sample))}</td></tr>"
        for sample, games in report.counts
    )
    more = f"<p>{escape(report.origin.more)}</p>" if report.origin.more else ""
    return f"""<section id="sources"><h2>Where this comes from</h2>
<p>All figures rest on these games. Players of one level play with themselves from the empty board; neighbouring levels
play on random openings, each opening once from every seat.</p>
<div class="scroll"><table><thead><tr><th>players</th><th>games</th><th>how they choose an action</th></tr></thead>
<tbody>{rows}</tbody></table></div>
<p>Intervals are of 95 % and rest on the differences between blocks of games that belong together; shares have Wilson's
interval, means Student's, medians Woodruff's. Where several things are tested at once, p-values are corrected by Holm's
method. How a game stood is what the search of the player to act expected. Kakomi's documentation (docs/reports.md)
defines every figure and names its source.</p>
{more}</section>"""


def _described(report: Report, sample) -> str:
    match sample.kind:
        case "random":
            return "any legal action, all alike: not how anybody plays"
        case "own":
            return "as recorded"
    level = report.game.description.levels[sample.level - 1]
    chosen = "the best found" if not level.temperature else f"freely, temperature {level.temperature:g}"
    told = f"a search of {level.simulations:,} simulations, {chosen}"
    return told if sample.kind == "self" else f"{told}; the weaker as its own level says"


def _games(report: Report) -> str:
    items = "".join(
        f'<li><a href="#{anchor(link)}" data-game="{anchor(link)}" data-ply="{link.ply}">{escape(link.label)}</a></li>'
        for link in links_of(report.sections)
    )
    return (
        f'<section id="games"><h2>Games on this page</h2><p>Each can be played through here, and saved as a record for '
        f'<code>kakomi replay</code> and the site.</p><ul class="games">{items}</ul></section>'
        if items
        else ""
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
    """The dialog in which games are played through, and its data."""
    game = report.game
    data = {
        "players": list(game.player_names),
        "points": point_places(game),
        "names": list(game.geometry.names),
        "cells": cell_places(game),
        "games": replays(report.study, links_of(report.sections)),
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    return f"""<dialog id="replay" aria-labelledby="replay-title">
<header><h2 id="replay-title"></h2><button type="button" data-do="close" aria-label="Close">✕</button></header>
<div class="stage">
<div class="board">{empty_board(game, BOARD)}</div>
<div class="desk">
<p id="replay-result"></p>
<p id="replay-now" aria-live="polite"></p>
<div class="buttons"><button type="button" data-do="first" aria-label="To the start">⏮</button><button type="button"
data-do="back" aria-label="Back">◀</button><button type="button" data-do="forward" aria-label="Forward">▶</button><button
type="button" data-do="last" aria-label="To the end">⏭</button></div>
<input id="replay-ply" type="range" min="0" value="0" aria-label="Action">
<svg id="replay-chances" class="chances" viewBox="0 0 300 90" role="img" aria-label="Expected shares of the win"></svg>
<p class="note">Arrow keys go from action to action. <a id="replay-record" download>Save the record</a></p>
<ol id="replay-turns" class="turns"></ol>
</div></div></dialog>
<script type="application/json" id="replay-data">{text}</script>"""
