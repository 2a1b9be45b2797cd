"""A tournament goes on: it begins, rounds are paired, results are entered, it ends. Each is done once.

The next pairings are computed from the log outside any lock, as a pure function of it. They are written under
the tournament's lock, and only if the log is still the same: otherwise another process was quicker, and the
next run looks again. A result is written in the transaction in which its table ends.
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
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.lobby.terms import strength_under
from kakomi.server.ratings.receivers import places_of
from kakomi.server.ratings.selectors import levels_of
from kakomi.server.tables import models as tables
from kakomi.server.tables.services import Sitter, begin, tell_viewers
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.logs import note_news
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.notices import Came, tell_bye, tell_ended, tell_out, tell_round
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
from kakomi.server.tournaments.withdrawals import settle_leavers, wish_to_leave
from kakomi.session import Refused, Table


def go_on(number: int) -> None:
    """Do what is due in a tournament: begin it, pair a round, or end it."""
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
    except Refused:  # somebody may begin no game since they were looked at: the next run looks again
        return


def _write(row: Tournament, found: RoundEntry | None, *, is_ready: bool) -> None:
    """Write what was computed of a tournament, unless its log is another by now."""
    now_row = logs.locked(row.pk)
    if now_row.version != row.version or not _is_due(now_row):
        return
    if not is_ready:
        now_row.due_at = None
        now_row.save(update_fields=["due_at"])
    elif found is None:
        _pair_nobody(now_row)
    else:
        _write_round(now_row, found)


def finish(row: Tournament, state: Tournament.State) -> None:
    """End a locked tournament, and tell those who are in it."""
    row.state, row.due_at, row.ended_at = state, None, clock.now()
    row.save(update_fields=["state", "due_at", "ended_at"])
    note_news(row)
    _tell_last_tables(row)
    rows = _final_standings(row)
    winners = [each.entrant for each in rows if (each.place, each.stage) == (1, rows[0].stage)]
    sizes = Counter(each.stage for each in rows)
    came = {each.entrant: _came(each.place, each.stage, len(rows), sizes) for each in rows if each.place}
    tell_ended(row, winners, came)


def _final_standings(row: Tournament) -> list[Row]:
    """The standings of a tournament that is over; on a ladder one stands, and has no place at the end."""
    config = format_of(row)
    if row.state != Tournament.State.OVER or isinstance(config, Ladder):
        return []
    return standings(logs.log_of(row), config, row.seed)


def _came(place: int, stage: str, count: int, sizes: Mapping[str, int]) -> Came:
    """Somebody's place: in their group unless they were in the final stage."""
    is_of_group = stage.startswith("group")
    return Came(place, sizes[stage] if is_of_group else count, is_of_group)


def _tell_last_tables(row: Tournament, before: int | None = None) -> None:
    """Have those who look at tables of the last two rounds, or of the last two before one, see where they go
    on."""
    last = before - 1 if before else row.rounds.count()
    games = Game.objects.filter(round__tournament=row, round__number__range=(last - 1, last), is_over=True)
    tell_viewers(list(games.values_list("table", flat=True)))


def _pair_nobody(row: Tournament) -> None:
    """There is no round now: the end, but of a ladder only once it is closed and its games are over."""
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
    """A tournament that is due and running, with all in its log who have left; None if it isn't."""
    with writing():
        row = logs.locked(number)
        if not _is_due(row):
            return None
        settle_leavers(row)
        if row.state == Tournament.State.OPEN:
            _begin(row)
        return row if row.state == Tournament.State.RUNNING else None


def _begin(row: Tournament) -> None:
    present = row.entrants.filter(is_in=True).count()
    for _ in range(_missing(row, present)):
        enter_bot(row)
        present += 1
    if present < least_of(row):
        finish(row, Tournament.State.CANCELLED)
        return
    row.state = Tournament.State.RUNNING
    row.save(update_fields=["state"])
    note_news(row)


def _missing(row: Tournament, present: int) -> int:
    """The number of bots that make all tables full."""
    config = format_of(row)
    if not row.filler or not present or isinstance(config, Elimination | Ladder):
        return 0
    seats = config.seats if isinstance(config, Tables) else 2
    return -present % seats


def enter_bot(row: Tournament) -> None:
    """A bot of the site enters a locked tournament."""
    entrant = Entrant.objects.create(tournament=row, number=row.entrants.count() + 1, bot=row.filler)
    logs.append(row, Entered(entrant.name, strength_of_level(row, row.filler)))


def _write_round(row: Tournament, found: RoundEntry) -> None:
    """A round: in the log, as a row, and with its tables."""
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
        tell_bye(row, number, entrants[name])
    row.due_at = None if found.pairings else now
    row.save(update_fields=["due_at"])
    tell_out(row, logs.knocked_out(logs.log_of(row), format_of(row), row.seed))
    _tell_last_tables(row, before=number)


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
        tell_round(row, written.number, entrant, table)


def _sitter(entrant: Entrant) -> Sitter:
    if entrant.guest is None:
        return Sitter(bot=entrant.bot, name=make_bot(entrant.bot).name)
    return Sitter(entrant.guest, name=entrant.guest.name)


def hear_of_entries(row: tables.Table, before: Table, table: Table, **_named: Any) -> None:
    """Write the result of a tournament's game with the entry that ends it."""
    if table.is_over and not before.is_over:
        game = Game.objects.select_related("round").filter(table=row, is_over=False).first()
        if game is not None:
            report(game, outcome_of(before, table))


class Outcome(NamedTuple):
    """How a table ended for its tournament."""

    places: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The seats whose players did not come."""
    is_declined: bool = False
    """Whether somebody broke the game off, rather than stayed away."""


def outcome_of(before: Table, table: Table) -> Outcome:
    """What a table that has just ended comes to. Those who didn't begin it in time count as absent.

    In older logs a table could be called off before it began. The player who did that, or who was to act when
    the time to begin ran out, has lost it, and the others share the first place.
    """
    if table.ending is not None and table.ending.winners:
        game, acted = table.match.current_game, table.start.acted
        late = (each.seat for each in game.leavers if each.reason != "resignation" and each.seat not in acted)
        return Outcome(places_of(table.match), tuple(late) if len(table.match.games) == 1 else ())
    stopped = next((entry.seat for entry in reversed(table.history) if entry.kind == "abort"), None)
    seats = len(table.match.seats)
    return without(before.to_act, seats) if stopped is None else without(stopped, seats, is_declined=True)


def without(seat: int | None, seats: int, *, is_declined: bool = False) -> Outcome:
    """The outcome of a game to which a seat did not come; None: nobody is to blame."""
    left = () if seat is None else (seat,)
    return Outcome(places([0.0] * seats, left), left, is_declined)


def report(game: Game, outcome: Outcome) -> None:
    """Enter the result of a game, once, and make the next round due if it was the last one of its round.

    Must be inside a transaction, and the table's row be locked.
    """
    row = logs.locked(game.round.tournament_id)
    if not Game.objects.filter(pk=game.pk, is_over=False).update(is_over=True):
        return
    reported = Reported(game.round.number, game.number, outcome.places, outcome.absent)
    state = logs.append(row, reported)
    seats = state.game(game.round.number, game.number).seats
    if not (outcome.is_declined and isinstance(format_of(row), Ladder)):  # there it costs the rung alone
        _send_home(row, [seats[seat] for seat in outcome.absent])
    if not game.round.games.filter(is_over=False).exists():
        game.round.is_over = True
        game.round.save(update_fields=["is_over"])
    else:  # else the next round, or the end, tells them
        tell_out(row, logs.knocked_out(logs.log_of(row), format_of(row), row.seed))
    tell_viewers(_ended_before(game))
    if row.state == Tournament.State.RUNNING and (game.round.is_over or not has_rounds(row)):
        make_due(row)


def _ended_before(game: Game) -> list[int]:
    """The tables of a round that ended before: their players wait for the others."""
    ended = game.round.games.filter(is_over=True).exclude(pk=game.pk)
    return list(ended.values_list("table", flat=True))


def _send_home(row: Tournament, names: Sequence[str]) -> None:
    """Whoever does not come to a game isn't paired again, unless they return."""
    for entrant in row.entrants.filter(number__in=map(int, names), leaving="", is_in=True):
        wish_to_leave(entrant, Entrant.Leaving.ABSENT)


def strength_of(row: Tournament, guest: Guest) -> float:
    """A guest's rating in the games of a tournament; a newcomer's for who has none."""
    return strength_under(terms_of(row), table_sizes(format_of(row), terms_of(row))[1], guest)


def strength_of_level(row: Tournament, level: str) -> float:
    """The rating of a level of the site's bots."""
    size_class = _size_class(row)
    known = levels_of(row.game, size_class) if size_class else {}
    return known.get(level, FIRST).mean


def _size_class(row: Tournament) -> str | None:
    terms = terms_of(row)
    return terms.rating_class(table_sizes(format_of(row), terms)[1])
