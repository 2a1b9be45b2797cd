"""The audit of tournaments after a season: their logs replay, and everything in them happened once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kakomi.contest.places import places
from kakomi.contest.tournament import (
    Corrected,
    Entry,
    LogError,
    Reported,
    Round,
    next_round,
    replay,
    standings,
)
from kakomi.server.ratings.receivers import places_of
from kakomi.server.site import clock
from kakomi.server.tables.models import Table as TableRow
from kakomi.server.tournaments import models
from kakomi.server.tournaments.logs import log_of
from kakomi.server.tournaments.terms import format_of
from season.course import kept_lines
from season.table_audit import replayed

State = models.Tournament.State
Place = tuple[int, int]
"""(round number, number of a table in it)."""


def findings(done: Path, late: float) -> Iterator[str]:
    """Yield all that is wrong with tournaments."""
    corrections = list(kept_lines(done, "correct"))
    entries = {(deed["code"], deed["person"]) for deed in kept_lines(done, "enter")}
    for row in models.Tournament.objects.order_by("pk"):
        yield from (f"tournament {row.code}: {found}" for found in _of_tournament(row, late))
        yield from wrong_corrections(row, [deed for deed in corrections if deed["code"] == row.code])
    known = set(models.Entrant.objects.values_list("tournament__code", "guest"))
    yield from (f"{guest} has entered {code}, and is not there" for code, guest in entries - known)


def _of_tournament(row: models.Tournament, late: float) -> Iterator[str]:
    numbers = list(row.log.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, row.version + 1)):
        yield f"its log has gaps: {numbers}"
        return
    log = log_of(row)
    try:
        replay(log)
    except LogError as error:
        yield f"its log can't have happened: {error}"
        return
    yield from wrong_rounds(row, log)
    yield from wrong_results(row, log)
    yield from _overdue(row, late)
    ranked = Counter(line.entrant for line in standings(log, format_of(row), row.seed))
    if ranked != Counter(str(number) for number in row.entrants.values_list("number", flat=True)):
        yield f"its standings have {dict(ranked)}"


def wrong_rounds(row: models.Tournament, log: Sequence[Entry]) -> Iterator[str]:
    """Yield rounds that differ from the result of the log before them, are missing or duplicated, or lack a
    table for a pairing."""
    rounds = [(at, entry) for at, entry in enumerate(log) if isinstance(entry, Round)]
    kept = list(row.rounds.order_by("number").prefetch_related("games__table__seats"))
    if [each.number for each in kept] != list(range(1, len(rounds) + 1)):
        yield f"its log has {len(rounds)} rounds, and there are {[each.number for each in kept]}"
        return
    guests = {str(number): guest for number, guest in row.entrants.values_list("number", "guest")}
    for written, (at, entry) in zip(kept, rounds, strict=True):
        names = [name for pairing in entry.pairings for name in pairing.seats] + list(entry.byes)
        if len(set(names)) < len(names):
            yield f"somebody is paired twice in round {written.number}: {names}"
        if entry != next_round(log[:at], format_of(row), row.seed):
            yield f"round {written.number} is another than its log comes to"
        seated = [
            tuple(seat.guest_id for seat in sorted(game.table.seats.all(), key=lambda seat: seat.number))
            for game in written.games.all()
        ]
        if seated != [tuple(guests[name] for name in pairing.seats) for pairing in entry.pairings]:
            yield f"the tables of round {written.number} are {seated}, and its pairings {entry.pairings}"


def wrong_results(row: models.Tournament, log: Sequence[Entry]) -> Iterator[str]:
    """Yield completed games that are not exactly once in the log, with their tables' places."""
    reported = [entry for entry in log if type(entry) is Reported]
    times = Counter((entry.round, entry.table) for entry in reported)
    by_place = {(entry.round, entry.table): entry for entry in reported}
    games = models.Game.objects.filter(round__tournament=row).select_related("round", "table")
    for game in games:
        at = (game.round.number, game.number)
        if times[at] != game.is_over:
            yield f"table {at} is {times[at]} times in the log, and its game is over: {game.is_over}"
        elif game.table.is_over and not game.is_over:
            yield f"the game at table {at} is over, and nobody knows"
        elif game.table.is_over and (wrong := _wrong_places(game.table, by_place[at])):
            yield f"table {at}: {wrong}"


def _wrong_places(row: TableRow, entry: Reported) -> str:
    """What is wrong with the places of a match that ended by the rules, or an empty text."""
    table = replayed(row)
    if table.ending is None or not table.ending.winners:
        return ""
    expected = places_of(table.match)
    is_given_up = entry.places == places([0.0] * len(expected), entry.absent)
    return "" if expected == entry.places or is_given_up else f"{entry.places}, and its log says {expected}"


def wrong_corrections(row: models.Tournament, deeds: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield confirmed corrections that are missing or duplicated."""
    reasons = Counter(row.log.exclude(reason="").values_list("reason", flat=True))
    yield from (
        f"{reason!r} is {count} times in {row.code}" for reason, count in reasons.items() if count > 1
    )
    corrected = {(entry.round, entry.table) for entry in log_of(row) if isinstance(entry, Corrected)}
    for deed in deeds:
        if (deed["round"], deed["table"]) not in corrected and not reasons[f"I correct {deed['key']}"]:
            yield from _lost_correction(row, deed)


def _lost_correction(row: models.Tournament, deed: Mapping[str, object]) -> Iterator[str]:
    """Yield a missing correction if it would have changed something."""
    given = deed["places"]
    assert isinstance(given, list)
    canonical = tuple(1 + sum(other < place for other in given) for place in given)
    reported = [
        entry
        for entry in log_of(row)
        if isinstance(entry, Reported) and (entry.round, entry.table) == (deed["round"], deed["table"])
    ]
    if not any(entry.places == canonical for entry in reported):
        yield f"the correction {deed['key']} in {row.code} is lost"


def _overdue(row: models.Tournament, late: float) -> Iterator[str]:
    """Yield overdue tournaments and rounds."""
    now = clock.now()
    if row.due_at is not None and row.due_at < now - late:
        yield f"it has been due for {now - row.due_at:.0f} s"
    open_rounds = list(row.rounds.filter(is_over=False))
    for each in open_rounds:
        if each.ends_at < now - late:
            yield f"round {each.number} should have ended {now - each.ends_at:.0f} s ago"
    if row.state == State.RUNNING and row.due_at is None and not open_rounds:
        yield "it runs, and nothing goes on in it"
    if not row.is_going and row.due_at is not None:
        yield f"it is {row.state}, and due"


def figures() -> dict[str, int]:
    """Counts of tournaments."""
    rows = models.Tournament.objects
    return {
        "tournaments": rows.count(),
        "tournaments over": rows.filter(state=State.OVER).count(),
        "rounds": models.Round.objects.count(),
        "games of tournaments": models.Game.objects.count(),
        "entries in their logs": models.LogEntry.objects.count(),
    }
