"""A report as one HTML page that needs nothing from anywhere else."""

import json
from html import escape

from kakomi.study.report.content import GROUPS
from kakomi.study.report.page.boards import cell_places, empty_board, picture, point_places
from kakomi.study.report.page.links import anchor, links_of
from kakomi.study.report.page.parts import draw_section, game_link, strip
from kakomi.study.report.page.replay import replays
from kakomi.study.report.page.resources import filled, resource
from kakomi.study.report.page.sources import draw_sources
from kakomi.study.report.report import Report

BOARD = "replayed"
"""The prefix of the board that games are shown on."""
PICTURED = 0.7
"""The part of a game that is over on the board at the top."""


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
    """The options, and how many play."""
    options = [f"{name.replace('_', ' ')} {value}" for name, value in report.game.options.items()]
    players = [] if "players" in report.game.options else [f"{report.game.players} players"]
    return " · ".join([*options, *players])


def _picture(report: Report) -> str:
    """A game of usual length towards its end, as a link to it."""
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
    return filled("replay.html", board=empty_board(game, BOARD), data=text)
