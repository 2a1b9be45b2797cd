"""What people do with tournaments, challenges on ladders included, and how staff rename one.

Each deed holds the lock of the tournament's row, and can be repeated.
"""

from collections.abc import Sequence
from functools import partial

import msgspec
from django.db import transaction

from kakomi.contest.places import ranks
from kakomi.contest.tournament import (
    Challenged,
    Closed,
    Corrected,
    Entered,
    Ladder,
    LogError,
    Returned,
    Swiss,
    Tables,
    may_return,
    why_not_challenge,
)
from kakomi.contest.tournament import Tournament as Replayed
from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.selectors import are_blocked
from kakomi.server.accounts.services import have_one_owner, lock
from kakomi.server.database import writing
from kakomi.server.moderation.permissions import expect_other
from kakomi.server.moderation.restrictions import expect_free, kept_from_people, why_kept
from kakomi.server.moderation.services import note, was_done
from kakomi.server.notices.services import kept_in, notify
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings import services as ratings
from kakomi.server.ratings.selectors import is_suspended
from kakomi.server.tables.selectors import find_table, table_of
from kakomi.server.tournaments import GO_ON, LET_GO, logs, rounds
from kakomi.server.tournaments.logs import note_news
from kakomi.server.tournaments.models import KEY_LENGTH, LONGEST_REASON, Entrant, Game, Tournament
from kakomi.server.tournaments.notices import address_of, tell_corrected
from kakomi.server.tournaments.repeats import next_beginning
from kakomi.server.tournaments.rounds import strength_of
from kakomi.server.tournaments.selectors import MOST_GOING, expect_director, is_at_limit
from kakomi.server.tournaments.terms import TournamentTerms, check_name, format_of, make_due, terms_of
from kakomi.server.tournaments.withdrawals import give_up, wish_to_leave
from kakomi.session import Refused

_ENDED = lazy_message("This tournament has ended.")


def create(guest: Guest, agreed: TournamentTerms, key: str) -> Tournament:
    """A new tournament; under the same key it is the same one. Raises Refused."""
    if guest.handle is None or guest.is_bot:
        raise Refused(lazy_message("To organise a tournament takes an account: sign up first."))
    with writing():
        lock([guest.pk])  # a double click, and the limit
        if known := guest.tournaments.filter(key=key).first():
            return known
        now = clock.now()
        agreed.check(now)
        expect_free(guest)
        if is_at_limit(guest):
            raise Refused(
                lazy_message(
                    "You have {most} tournaments that are not over: that is as many as there may be.",
                    most=MOST_GOING,
                )
            )
        return _kept(guest, agreed, key[:KEY_LENGTH], now)


def _kept(guest: Guest, agreed: TournamentTerms, key: str, now: float) -> Tournament:
    first = agreed.begins_at
    repeat = "" if isinstance(agreed.format, Ladder) else agreed.repeat  # a ladder goes on anyway
    return Tournament.objects.create(
        organiser=guest,
        key=key,
        name=agreed.name,
        description=agreed.description,
        game=agreed.terms.game,
        terms=agreed.terms.to_json(),
        format=msgspec.to_builtins(agreed.format),
        is_rated=agreed.is_rated,
        most=agreed.most,
        takes_late=agreed.takes_late and isinstance(agreed.format, Swiss | Tables),
        takes_bots=agreed.takes_bots,
        filler=agreed.filler,
        round_days=agreed.round_days,
        created_at=now,
        begins_at=first,
        due_at=first,
        repeat=repeat,
        first_at=first,
        next_at=next_beginning(first, repeat, guest.time_zone, first) if repeat else None,
    )


def enter(row: Tournament, guest: Guest) -> Entrant:
    """Let somebody take part, or come back; nothing happens to who does already. Raises Refused."""
    with writing():
        row = logs.locked(row.pk)
        known = row.entrants.filter(guest=guest).first()
        if known and known.is_in and not known.leaving:
            return known
        if why := why_not_enter(row, guest):
            raise Refused(why)
        if known is None:
            number = row.entrants.count() + 1
            known = Entrant.objects.create(tournament=row, number=number, guest=guest)
            logs.append(row, Entered(known.name, strength_of(row, guest)))
        else:
            if not known.is_in:
                logs.append(row, Returned(known.name))
            known.is_in, known.leaving = True, Entrant.Leaving.NOT
            known.save(update_fields=["is_in", "leaving"])
            note_news(row)
    return known


def why_not_enter(row: Tournament, guest: Guest) -> str:
    """Why somebody can't take part, and what would help; empty if they can."""
    if guest.handle is None:
        return lazy_message("Tournaments need an account, so that you find your games again.")
    if guest.is_bot and not row.takes_bots:
        return lazy_message("The organiser lets no bots take part.")
    if not row.is_going:
        return _ENDED
    known = row.entrants.filter(guest=guest).first()
    if known and known.leaving == Entrant.Leaving.REMOVED:
        return lazy_message("The director has removed you from this tournament.")
    if known and row.state == Tournament.State.RUNNING:
        if not may_return(logs.log_of(row), format_of(row), row.seed, known.name):
            return lazy_message("You play no more games here, and can’t return.")
    elif row.is_closed:
        return lazy_message("The director lets nobody in any more.")
    elif row.state == Tournament.State.RUNNING and not may_enter_late(row):
        return lazy_message("This tournament has begun, and nobody can enter it any more.")
    if measure := kept_from_people([guest.pk]).get(guest.pk):
        return why_kept(measure)
    if row.entrants.filter(is_in=True).exclude(guest=guest).count() >= row.most:
        return lazy_message("This tournament is full.")
    if are_blocked(guest, row.organiser):  # which nobody is told
        return lazy_message("You can’t take part in this tournament.")
    return _why_not_rated(row, guest) if row.is_rated else ""


def _why_not_rated(row: Tournament, guest: Guest) -> str:
    if is_suspended(guest.pk, terms_of(row).pace):
        return lazy_message(
            "After several time-outs in succession you begin no rated games for two weeks: nor can you enter "
            "a rated tournament."
        )
    others = Guest.objects.filter(tournament_entries__tournament=row).exclude(pk=guest.pk)
    if have_one_owner([guest, *others]):
        return lazy_message("Rated games are between different people: no bot plays one against its owner.")
    return ""


def may_enter_late(row: Tournament) -> bool:
    """Whether somebody who enters a running tournament would still play."""
    config = format_of(row)
    if isinstance(config, Ladder):
        return True
    return row.takes_late and isinstance(config, Swiss | Tables) and row.rounds.count() < config.rounds


def leave(row: Tournament, guest: Guest) -> None:
    """Let somebody leave: their games are given up, and they are not paired any more."""
    _have_leave(row, row.entrants.filter(guest=guest).first(), Entrant.Leaving.OWN)


def _have_leave(row: Tournament, entrant: Entrant | None, reason: Entrant.Leaving) -> None:
    if entrant is None:
        raise Refused(lazy_message("They don’t take part in this tournament."))
    with writing():
        row = logs.locked(row.pk)
        entrant = row.entrants.get(pk=entrant.pk)
        if not row.is_going:
            raise Refused(_ENDED)
        if entrant.leaving in (reason, Entrant.Leaving.REMOVED, Entrant.Leaving.ERASED):
            return
        wish_to_leave(entrant, reason)
        transaction.on_commit(partial(JOBS.wake, LET_GO))


def remove(row: Tournament, by: Guest, number: int) -> None:
    """Let a director remove somebody, by their number: they can't come back."""
    expect_director(row, by)
    _have_leave(row, row.entrants.filter(number=number).first(), Entrant.Leaving.REMOVED)


def begin_now(row: Tournament, by: Guest) -> None:
    """Let a director begin a tournament before its time."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if row.state != Tournament.State.OPEN:
            raise Refused(_ENDED if not row.is_going else lazy_message("This tournament has begun already."))
        row.begins_at = row.due_at = clock.now()
        row.save(update_fields=["begins_at", "due_at"])
        note_news(row)
        transaction.on_commit(partial(JOBS.wake, GO_ON))


def close_entries(row: Tournament, by: Guest, *, closed: bool) -> None:
    """Let a director let nobody in any more, or let people in again."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if not row.is_going:
            raise Refused(_ENDED)
        row.is_closed = closed
        row.save(update_fields=["is_closed"])
        note_news(row)


def close_ladder(row: Tournament, by: Guest) -> None:
    """Let a director close a ladder: nobody is challenged any more, and open games are its last."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if not isinstance(format_of(row), Ladder):
            raise Refused(lazy_message("Only a ladder is closed: other tournaments end by themselves."))
        if row.state != Tournament.State.RUNNING:
            raise Refused(lazy_message("Only a ladder that goes on can be closed."))
        if not logs.replayed(row).is_closed:
            row.is_closed = True
            row.save(update_fields=["is_closed"])
            logs.append(row, Closed(), by=by)
            make_due(row)


def cancel(row: Tournament, by: Guest, reason: str) -> None:
    """Let a director end a tournament: no more rounds are paired. Games go on, and their results count."""
    expect_director(row, by)
    _expect_reason(reason)
    with writing():
        row = logs.locked(row.pk)
        if row.state == Tournament.State.OVER:
            raise Refused(_ENDED)
        if row.is_going:
            logs.append(row, Closed(), by=by, reason=reason)
            rounds.finish(row, Tournament.State.CANCELLED)


def correct(
    row: Tournament, by: Guest, *, number: int, table: int, places: Sequence[int], reason: str, version: int
) -> None:
    """Let a director put right how a game ended, for a reason that everybody reads.

    `places` orders the seats, equals alike; `version` is the length of the log that the director has seen:
    the same correction sent twice counts once. Standings and ratings follow; rounds that were paired stay.
    """
    expect_director(row, by)
    _expect_reason(reason)
    with writing():
        row = logs.locked(row.pk)
        canonical = ranks([-place for place in places])
        try:
            game = logs.replayed(row).game(number, table)
            if game.result is not None and game.result.places == canonical and not game.result.absent:
                return
            if version != row.version:
                raise Refused(
                    lazy_message("Something has happened in this tournament since: look, and correct again.")
                )
            logs.append(row, Corrected(number, table, canonical), by=by, reason=reason)
        except LogError as error:
            raise Refused(*error.args) from None
        played = row.rounds.get(number=number).games.select_related("table").get(number=table)
        is_rated = ratings.correct(played.table, canonical, reason) is not None
        tell_corrected(row, played, canonical, is_rated=is_rated)


def _expect_reason(reason: str) -> None:
    if not 0 < len(reason.strip()) <= LONGEST_REASON or not reason.isprintable():
        raise Refused(
            lazy_message(
                "Write the reason, in {most} characters at most: everybody reads it.", most=LONGEST_REASON
            )
        )


def challenge(row: Tournament, guest: Guest, number: int) -> None:
    """Let somebody challenge an entrant by their number: the game begins at once.

    Sent again while they play each other, it does nothing. Raises Refused.
    """
    with writing():
        row = logs.locked(row.pk)
        own, other = _present(row, guest=guest), _present(row, number=number)
        if own is None:
            raise Refused(lazy_message("Enter the ladder first: then you can challenge those above you."))
        if other is None:
            raise Refused(lazy_message("They don’t take part in this tournament."))
        state, names = logs.replayed(row), {own.name, other.name}
        meetings = [*(game.seats for game in state.open_games), *map(_people_of, state.challenges)]
        if any(names == set(people) for people in meetings):
            return
        _expect_possible(row, state, own, other)
        logs.append(row, Challenged(own.name, (other.name,)), by=guest)
        make_due(row)
    rounds.go_on(row.pk)


def _people_of(challenged: Challenged) -> tuple[str, ...]:
    return challenged.entrant, *challenged.opponents


def _present(row: Tournament, **which: object) -> Entrant | None:
    return row.entrants.select_related("guest").filter(is_in=True, leaving="", **which).first()


def _expect_possible(row: Tournament, state: Replayed, own: Entrant, other: Entrant) -> None:
    config = format_of(row)
    if not isinstance(config, Ladder) or row.state != Tournament.State.RUNNING:
        raise Refused(lazy_message("People challenge each other on a ladder, while it goes on."))
    if own.guest and other.guest and are_blocked(own.guest, other.guest):  # which nobody is told
        raise Refused(lazy_message("You can’t challenge them."))
    if state.is_closed:
        raise Refused(lazy_message("This ladder is closed: nobody is challenged any more."))
    if why_not_challenge(state, config, row.seed, own.name, (other.name,)):
        raise Refused(
            lazy_message(
                "You can challenge whoever stands at most {reach} rungs above you while neither of you "
                "plays; not the same person twice in succession.",
                reach=config.reach,
            )
        )


def decline(row: Tournament, guest: Guest, code: str) -> None:
    """Let somebody decline a game on a ladder before it begins: they lose it, and stay on the ladder."""
    game = Game.objects.filter(round__tournament=row, table__code=code).select_related("table").first()
    if game is None or (seat := _seat_at(game, guest)) is None:
        raise Refused(lazy_message("There is no such table in this tournament."))
    if game.is_over:
        return
    table = table_of(find_table(code))
    if table.start.is_everybody_in(table.match):
        raise Refused(lazy_message("The game has begun: at its table you can resign."))
    give_up(game.table, seat)


def _seat_at(game: Game, guest: Guest) -> int | None:
    return game.table.seats.filter(guest=guest).values_list("number", flat=True).first()


def rename(
    row: Tournament, by: User, name: str, reason: str, key: str, *, takes_description: bool = False
) -> None:
    """Rename a tournament, as staff. The reason is kept in the log and sent to the organiser.

    The description may be removed with it. Under the same key it is done once. No log has the old texts.
    Raises Refused for a name that can't be, and for one's own tournament.
    """
    name = " ".join(name.split())
    check_name(name)
    with writing():
        row = logs.locked(row.pk)
        description = "" if takes_description else row.description
        if was_done(by, key) or (row.name, row.description) == (name, description):
            return
        expect_other(by, row.organiser)
        row.name, row.description = name, description
        row.save(update_fields=["name", "description"])
        noted = note(by, row.organiser, "tournament", reason, key, {"tournament": row.code})
        if not row.organiser.is_erased:
            words = kept_in(noted, "reason")
            data = {"tournament": kept_in(row, "name"), "words": words, "address": address_of(row)}
            notify(row.organiser, "tournament_renamed", str(noted.pk), data)
