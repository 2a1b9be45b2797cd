"""The course of a tournament: beginning it, pairing rounds, recording results and ending it, each once.

The next pairings are a pure function of the log and are computed without a lock. They are written under the
tournament's lock, and only if the log hasn't changed: otherwise another process was faster, and the next run
tries again. A result is written in the transaction that ends the table.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kakomi.bots import make_bot
from kakomi.contest import FIRST, places
from kakomi.contest.tournament import (
    Elimination,
    Entered,
    Ladder,
    Reported,
    RoundNotReadyError,
    Row,
    Tables,
    next_round,
    standings,
)
from kakomi.contest.tournament import Round as RoundEntry
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.terms import strength_under
from kakomi.server.ratings.receivers import places_of
from kakomi.server.ratings.selectors import levels_of
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables import models as tables
from kakomi.server.tables.services import Sitter, begin, tell_viewers
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.logs import publish_change
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.notices import (
    FinalPlace,
    notify_bye,
    notify_knocked_out,
    notify_round,
    notify_tournament_end,
)
from kakomi.server.tournaments.terms import (
    format_of,
    has_rounds,
    least_of,
    make_due,
    round_seconds,
    start_seconds,
    table_sizes,
    terms_of,
)
from kakomi.server.tournaments.withdrawals import log_withdrawals, mark_leaving
from kakomi.session import Refused, Table


def advance(number: int) -> None:
    """Perform the due step of a tournament: begin it, pair a round, or end it."""
    row = _prepared(number)
    if row is None:
        return
    try:
        found = next_round(logs.log_of(row), format_of(row), row.seed)
    except RoundNotReadyError:  # the last result makes it due again
        found = None
        is_ready = False
    else:
        is_ready = True
    try:
        with writing():
            _write(row, found, is_ready=is_ready)
    except Refused:  # a player has since been barred from beginning games; the next run tries again
        return


def _write(row: Tournament, found: RoundEntry | None, *, is_ready: bool) -> None:
    """Write the computed round, unless the log has changed in the meantime."""
    now_row = logs.locked(row.pk)
    if now_row.version != row.version or not _is_due(now_row):
        return
    if not is_ready:
        now_row.due_at = None
        now_row.save(update_fields=["due_at"])
    elif found is None:
        _handle_no_round(now_row)
    else:
        _write_round(now_row, found)


def finish(row: Tournament, state: Tournament.State) -> None:
    """End a locked tournament, and notify the people in it."""
    row.state, row.due_at, row.ended_at = state, None, clock.now()
    row.save(update_fields=["state", "due_at", "ended_at"])
    publish_change(row)
    _update_last_tables(row)
    rows = _final_standings(row)
    winners = [each.entrant for each in rows if (each.place, each.stage) == (1, rows[0].stage)]
    sizes = Counter(each.stage for each in rows)
    final_places = {
        each.entrant: _final_place(each.place, each.stage, len(rows), sizes) for each in rows if each.place
    }
    notify_tournament_end(row, winners, final_places)


def _final_standings(row: Tournament) -> list[Row]:
    """The standings with final places; empty for a cancelled tournament or a ladder, which have none."""
    config = format_of(row)
    if row.state != Tournament.State.OVER or isinstance(config, Ladder):
        return []
    return standings(logs.log_of(row), config, row.seed)


def _final_place(place: int, stage: str, count: int, sizes: Mapping[str, int]) -> FinalPlace:
    """An entrant's place, within the group unless they reached the final stage."""
    is_of_group = stage.startswith("group")
    return FinalPlace(place, sizes[stage] if is_of_group else count, is_of_group)


def _update_last_tables(row: Tournament, before: int | None = None) -> None:
    """Update the viewers of the finished tables of the last two rounds, or the two before round `before`,
    whose link to the next game or the standings changes."""
    last = before - 1 if before else row.rounds.count()
    games = Game.objects.filter(round__tournament=row, round__number__range=(last - 1, last), is_over=True)
    tell_viewers(list(games.values_list("table", flat=True)))


def _handle_no_round(row: Tournament) -> None:
    """Handle the lack of a next round: end the tournament, but a ladder only when closed and out of games."""
    goes_on = isinstance(format_of(row), Ladder) and (
        not logs.replayed(row).is_closed or Game.objects.filter(round__tournament=row, is_over=False).exists()
    )
    if not goes_on:
        finish(row, Tournament.State.OVER)
        return
    row.due_at = None
    row.save(update_fields=["due_at"])


def _is_due(row: Tournament) -> bool:
    return row.is_going and row.due_at is not None and row.due_at <= clock.now()


def _prepared(number: int) -> Tournament | None:
    """Log the leavers of a due tournament, and begin it if it is open. Return it if it is now running."""
    with writing():
        row = logs.locked(number)
        if not _is_due(row):
            return None
        log_withdrawals(row)
        if row.state == Tournament.State.OPEN:
            _begin(row)
        return row if row.state == Tournament.State.RUNNING else None


def _begin(row: Tournament) -> None:
    present = row.entrants.filter(is_in=True).count()
    for _ in range(_missing_seats(row, present)):
        enter_bot(row)
        present += 1
    if present < least_of(row):
        finish(row, Tournament.State.CANCELLED)
        return
    row.state = Tournament.State.RUNNING
    row.save(update_fields=["state"])
    publish_change(row)


def _missing_seats(row: Tournament, present: int) -> int:
    """The number of bots needed to fill all tables."""
    config = format_of(row)
    if not row.filler or not present or isinstance(config, Elimination | Ladder):
        return 0
    seats = config.seats if isinstance(config, Tables) else 2
    return -present % seats


def enter_bot(row: Tournament) -> None:
    """Enter a bot of the site in a locked tournament."""
    entrant = Entrant.objects.create(tournament=row, number=row.entrants.count() + 1, bot=row.filler)
    logs.append(row, Entered(entrant.name, strength_of_level(row, row.filler)))


def _write_round(row: Tournament, found: RoundEntry) -> None:
    """Write a round: its log entry, its row and its tables."""
    logs.append(row, found)
    now, number = clock.now(), row.rounds.count() + 1
    ends_at = now + round_seconds(row)
    written = Round.objects.create(
        tournament=row, number=number, begun_at=now, ends_at=ends_at, is_over=not found.pairings
    )
    entrants = {each.name: each for each in row.entrants.select_related("guest")}
    for place, pairing in enumerate(found.pairings, start=1):
        _open_game(written, place, [entrants[name] for name in pairing.seats])
    for name in found.byes:
        notify_bye(row, number, entrants[name])
    row.due_at = None if found.pairings else now
    row.save(update_fields=["due_at"])
    notify_knocked_out(row, logs.knocked_out(logs.log_of(row), format_of(row), row.seed))
    _update_last_tables(row, before=number)


def _open_game(written: Round, place: int, seated: list[Entrant]) -> None:
    row = written.tournament
    terms = terms_of(row)
    table = begin(
        terms.config(len(seated)),
        [_sitter(each) for each in seated],
        terms.control,
        is_rated=row.is_rated,
        start=start_seconds(row),
        is_binding=True,
    )
    Game.objects.create(round=written, number=place, table=table)
    for entrant in seated:
        notify_round(row, written.number, entrant, table)


def _sitter(entrant: Entrant) -> Sitter:
    if entrant.guest is None:
        return Sitter(bot=entrant.bot, name=make_bot(entrant.bot).name)
    return Sitter(entrant.guest, name=entrant.guest.name)


def on_entries_added(row: tables.Table, before: Table, table: Table, **_named: Any) -> None:
    """Record the result of a tournament game in the transaction of the entry that ends it."""
    if table.is_over and not before.is_over:
        game = Game.objects.select_related("round").filter(table=row, is_over=False).first()
        if game is not None:
            record_result(game, result_of_table(before, table))


class TableResult(NamedTuple):
    """The result of a table for its tournament."""

    places: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The seats whose players were absent."""
    is_declined: bool = False
    """Whether the absent player called the game off rather than stayed away."""


def result_of_table(before: Table, table: Table) -> TableResult:
    """The result of a table that has just ended. Players who didn't begin in time count as absent.

    In older logs a table could be called off before it began. The player who called it off, or whose turn it
    was when the time ran out, loses, and the others share the first place.
    """
    if table.ending is not None and table.ending.winners:
        game, acted = table.match.current_game, table.start.acted
        late = (each.seat for each in game.leavers if each.reason != "resignation" and each.seat not in acted)
        return TableResult(places_of(table.match), tuple(late) if len(table.match.games) == 1 else ())
    stopped = next((entry.seat for entry in reversed(table.history) if entry.kind == "abort"), None)
    seats = len(table.match.seats)
    return (
        absence_result(before.to_act, seats)
        if stopped is None
        else absence_result(stopped, seats, is_declined=True)
    )


def absence_result(seat: int | None, seats: int, *, is_declined: bool = False) -> TableResult:
    """The result of a game with an absent seat; None if nobody is to blame."""
    left = () if seat is None else (seat,)
    return TableResult(places([0.0] * seats, left), left, is_declined)


def record_result(game: Game, result: TableResult) -> None:
    """Record the result of a game, once, and make the next round due if it was the last of its round.

    Must be inside a transaction that holds the lock of the table's row.
    """
    row = logs.locked(game.round.tournament_id)
    if not Game.objects.filter(pk=game.pk, is_over=False).update(is_over=True):
        return
    reported = Reported(game.round.number, game.number, result.places, result.absent)
    state = logs.append(row, reported)
    seats = state.game(game.round.number, game.number).seats
    if not (result.is_declined and isinstance(format_of(row), Ladder)):  # on a ladder, declining only loses
        _withdraw_absent(row, [seats[seat] for seat in result.absent])
    if not game.round.games.filter(is_over=False).exists():
        game.round.is_over = True
        game.round.save(update_fields=["is_over"])
    else:  # otherwise the next round, or the end, notifies them
        notify_knocked_out(row, logs.knocked_out(logs.log_of(row), format_of(row), row.seed))
    tell_viewers(_ended_before(game))
    if row.state == Tournament.State.RUNNING and (game.round.is_over or not has_rounds(row)):
        make_due(row)


def _ended_before(game: Game) -> list[int]:
    """The round's other finished tables, whose players are waiting for the rest."""
    ended = game.round.games.filter(is_over=True).exclude(pk=game.pk)
    return list(ended.values_list("table", flat=True))


def _withdraw_absent(row: Tournament, names: Sequence[str]) -> None:
    """Stop pairing absent entrants until they return."""
    for entrant in row.entrants.filter(number__in=map(int, names), leaving="", is_in=True):
        mark_leaving(entrant, Entrant.Leaving.ABSENT)


def strength_of(row: Tournament, guest: Guest) -> float:
    """A guest's mean rating in a tournament's games, or a newcomer's if they have none."""
    return strength_under(terms_of(row), table_sizes(format_of(row), terms_of(row))[1], guest)


def strength_of_level(row: Tournament, level: str) -> float:
    """The mean rating of a level of the site's bots."""
    terms = terms_of(row)
    size_class = terms.rating_class(table_sizes(format_of(row), terms)[1])
    known = levels_of(row.game, size_class) if size_class else {}
    return known.get(level, FIRST).mean
