"""Standings as files: CSV for spreadsheets and TRF for chess tournament programs.

TRF is FIDE's report format of 2016 (Handbook C.04, annex 2), for games of two. The first seat, which begins,
is written as White.
"""

import csv
import io
from datetime import UTC, datetime

from django.utils.translation import gettext

from kakomi.contest.tournament import (
    AnyFormat,
    Entry,
    Log,
    Round,
    Swiss,
    annulled_games,
    replay,
    standings,
)
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.contest.tournament.log import Game
from kakomi.server.tournaments.presenters import Page
from kakomi.server.tournaments.standings import Line, display_name

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_NAME_LENGTH = 33


def csv_of(page: Page) -> str:
    """The page's tables as CSV, one row per line of the standings."""
    written = io.StringIO()
    rows = csv.writer(written)
    tie_breaks = [str(each.name) for each in page.tie_breaks]
    score = gettext("Reached") if page.brackets and not page.has_groups else gettext("Points")
    heads = [gettext("Part"), gettext("Place"), gettext("No."), gettext("Name"), score, gettext("Played")]
    rows.writerow([*heads, *tie_breaks, gettext("Status")])
    for table in page.crosstables:
        for line in table.lines:
            rows.writerow([_harmless(cell) for cell in _cells(page, table.title, line, len(tie_breaks))])
    return written.getvalue()


def _cells(page: Page, part: str, line: Line, tie_breaks: int) -> list[str]:
    place, name = line.number if page.is_ladder else line.place, display_name(line.entrant)
    score = line.reached or _decimal(float(line.row.points))
    broken = [_decimal(float(value)) for value in line.row.tie_breaks]
    return [
        *(part, "" if place is None else str(place), str(line.entrant.number), name, score),
        *(str(line.row.games), *broken, *[""] * (tie_breaks - len(broken)), line.status),
    ]


def _decimal(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _harmless(cell: str) -> str:
    """The cell, escaped so that no spreadsheet interprets it as a formula."""
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell


def trf_of(page: Page) -> str:
    """The completed rounds as TRF."""
    log = _until_last_full_round(page.log)
    state, config, row = replay(log), page.config, page.row
    began = datetime.fromtimestamp(row.begins_at, UTC)
    ended = datetime.fromtimestamp(row.ended_at, UTC) if row.ended_at else None
    lines = [
        f"012 {row.name}",
        f"042 {began:%Y/%m/%d}",
        *([f"052 {ended:%Y/%m/%d}"] if ended else []),
        f"062 {len(state.participants)}",
        f"092 {page.title}, {page.format}",
        f"102 {row.organiser}",
        f"122 {page.clock}",
    ]
    annulled = annulled_games(log, config, row.seed)
    rows = standings(log, config, row.seed)
    ranks = {each.entrant: rank for rank, each in enumerate(rows, start=1)}
    points = {each.entrant: each.points for each in rows}
    for name, who in state.participants.items():
        entrant = page.entrants[name]
        name_cell = " ".join(display_name(entrant).split())[:_NAME_LENGTH]
        rating = round(who.strength) if 0 < who.strength < 9999 else ""
        results = "".join(
            f"  {_result(state, config, number, name, annulled)}" for number in range(len(state.rounds))
        )
        lines.append(
            f"001 {entrant.number:4}      {name_cell:33} {rating:>4}                            "
            f"{float(points[name]):4.1f} {ranks[name]:4}{results}"
        )
    rounds = config.rounds if isinstance(config, Swiss) else len(state.rounds)
    return "\n".join([*lines, f"XXR {rounds}", ""])


def _until_last_full_round(log: Log) -> list[Entry]:
    """The log without its last round if that has unfinished games."""
    if not replay(log).open_games:
        return list(log)
    last = max(number for number, entry in enumerate(log) if isinstance(entry, Round))
    return list(log[:last])


def _result(
    state: Replayed, config: AnyFormat, number: int, name: str, annulled: set[tuple[int, int]]
) -> str:
    """An entrant's opponent, colour and result in a round, counted from 0."""
    played = state.rounds[number]
    game = next((each for each in played.games if name in each.seats), None)
    if game is None or (game.round, game.table) in annulled:
        return f"0000 - {'U' if name in played.byes and config.bye else 'Z'}"
    seat = game.seats.index(name)
    return f"{state.participants[game.seats[1 - seat]].number + 1:4} {'wb'[seat]} {_token(game, seat)}"


def _token(game: Game, seat: int) -> str:
    assert game.result is not None  # the round is over
    if game.result.absent:
        return "-" if seat in game.result.absent else "+"
    if game.result.places[0] == game.result.places[1]:
        return "="
    return "1" if game.result.places[seat] == 1 else "0"
