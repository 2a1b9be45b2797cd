"""Operations on tournaments, including challenges on ladders and renaming by staff.

Each operation holds the lock of the tournament's row and is idempotent.
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
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.selectors import are_blocked
from kakomi.server.accounts.services import have_one_owner, lock_people
from kakomi.server.moderation.permissions import check_not_own
from kakomi.server.moderation.restrictions import barred_from_games, check_not_barred, why_barred
from kakomi.server.moderation.services import is_logged, log_action
from kakomi.server.notices.services import notify, text_reference
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings import rulings
from kakomi.server.ratings.selectors import is_suspended
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables.selectors import find_table, table_of
from kakomi.server.tournaments import ADVANCE, WITHDRAW, logs, rounds
from kakomi.server.tournaments.logs import publish_change
from kakomi.server.tournaments.models import KEY_LENGTH, LONGEST_REASON, Entrant, Game, Tournament
from kakomi.server.tournaments.notices import address_of, notify_correction
from kakomi.server.tournaments.repeats import next_beginning
from kakomi.server.tournaments.rounds import strength_of
from kakomi.server.tournaments.selectors import MOST_GOING, expect_director, is_at_limit
from kakomi.server.tournaments.terms import TournamentTerms, check_name, format_of, make_due, terms_of
from kakomi.server.tournaments.withdrawals import mark_leaving, resign_or_abort
from kakomi.session import Refused

_ENDED = lazy_message("This tournament has ended.")


def create(guest: Guest, agreed: TournamentTerms, key: str) -> Tournament:
    """Create a tournament. A repeated key returns the existing one. Raises Refused."""
    if guest.handle is None or guest.is_bot:
        raise Refused(lazy_message("Sign up to organise a tournament."))
    key = key[:KEY_LENGTH]
    with writing():
        lock_people([guest.pk])  # so that double clicks and the limit are checked reliably
        if known := guest.tournaments.filter(key=key).first():
            return known
        now = clock.now()
        agreed.check(now)
        check_not_barred(guest)
        if is_at_limit(guest):
            raise Refused(
                lazy_message(
                    "You already have {most} unfinished tournaments, which is the limit.",
                    most=MOST_GOING,
                )
            )
        return _create_row(guest, agreed, key, now)


def _create_row(guest: Guest, agreed: TournamentTerms, key: str, now: float) -> Tournament:
    first = agreed.begins_at
    repeat = "" if isinstance(agreed.format, Ladder) else agreed.repeat  # a ladder never ends by itself
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
    """Enter a guest, or let them return; does nothing if they are present. Raises Refused."""
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
            publish_change(row)
    return known


def why_not_enter(row: Tournament, guest: Guest) -> str:
    """Why a guest can't enter or return, and what would help; empty if they can."""
    if guest.handle is None:
        return lazy_message("Tournaments require an account.")
    if guest.is_bot and not row.takes_bots:
        return lazy_message("This tournament isn’t open to bots.")
    if not row.is_going:
        return _ENDED
    known = row.entrants.filter(guest=guest).first()
    if known and known.leaving == Entrant.Leaving.REMOVED:
        return lazy_message("The organiser removed you from this tournament.")
    if known and row.state == Tournament.State.RUNNING:
        if not may_return(logs.log_of(row), format_of(row), row.seed, known.name):
            return lazy_message("You have no more games in this tournament and can’t rejoin.")
    elif row.is_closed:
        return lazy_message("Registration is closed.")
    elif row.state == Tournament.State.RUNNING and not may_enter_late(row):
        return lazy_message("This tournament has started, and registration is closed.")
    if measure := barred_from_games([guest.pk]).get(guest.pk):
        return why_barred(measure)
    if row.entrants.filter(is_in=True).exclude(guest=guest).count() >= row.most:
        return lazy_message("This tournament is full.")
    if are_blocked(guest, row.organiser):  # the message keeps the block secret
        return lazy_message("You can’t join this tournament.")
    return _why_not_rated(row, guest) if row.is_rated else ""


def _why_not_rated(row: Tournament, guest: Guest) -> str:
    if is_suspended(guest.pk, terms_of(row).pace):
        return lazy_message(
            "You lost several games in a row on time, so you can’t start rated games or join "
            "rated tournaments for two weeks."
        )
    others = Guest.objects.filter(tournament_entries__tournament=row).exclude(pk=guest.pk)
    if have_one_owner([guest, *others]):
        return lazy_message("A bot can’t play rated games against its owner.")
    return ""


def may_enter_late(row: Tournament) -> bool:
    """Whether a running tournament accepts new players for its remaining rounds."""
    config = format_of(row)
    if isinstance(config, Ladder):
        return True
    return row.takes_late and isinstance(config, Swiss | Tables) and row.rounds.count() < config.rounds


def leave(row: Tournament, guest: Guest) -> None:
    """Withdraw a guest: their games are resigned, and they are no longer paired."""
    _withdraw(row, row.entrants.filter(guest=guest).first(), Entrant.Leaving.OWN)


def _withdraw(row: Tournament, entrant: Entrant | None, reason: Entrant.Leaving) -> None:
    if entrant is None:
        raise Refused(lazy_message("This player isn’t in this tournament."))
    with writing():
        row = logs.locked(row.pk)
        entrant = row.entrants.get(pk=entrant.pk)
        if not row.is_going:
            raise Refused(_ENDED)
        if entrant.leaving in (reason, Entrant.Leaving.REMOVED, Entrant.Leaving.ERASED):
            return
        mark_leaving(entrant, reason)
        transaction.on_commit(partial(JOBS.wake, WITHDRAW))


def remove_entrant(row: Tournament, by: Guest, number: int) -> None:
    """Remove an entrant by number, as a director. They can't return."""
    expect_director(row, by)
    _withdraw(row, row.entrants.filter(number=number).first(), Entrant.Leaving.REMOVED)


def begin_now(row: Tournament, by: Guest) -> None:
    """Begin a tournament early, as a director."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if row.state != Tournament.State.OPEN:
            raise Refused(
                _ENDED if not row.is_going else lazy_message("This tournament has already started.")
            )
        row.begins_at = row.due_at = clock.now()
        row.save(update_fields=["begins_at", "due_at"])
        publish_change(row)
        transaction.on_commit(partial(JOBS.wake, ADVANCE))


def close_entries(row: Tournament, by: Guest, *, closed: bool) -> None:
    """Close or reopen a tournament for entry, as a director."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if not row.is_going:
            raise Refused(_ENDED)
        row.is_closed = closed
        row.save(update_fields=["is_closed"])
        publish_change(row)


def close_ladder(row: Tournament, by: Guest) -> None:
    """Close a ladder, as a director: no more challenges are possible, and it ends with its open games."""
    expect_director(row, by)
    with writing():
        row = logs.locked(row.pk)
        if not isinstance(format_of(row), Ladder):
            raise Refused(lazy_message("Only ladders can be closed; other tournaments end by themselves."))
        if row.state != Tournament.State.RUNNING:
            raise Refused(lazy_message("Only a running ladder can be closed."))
        if not logs.replayed(row).is_closed:
            row.is_closed = True
            row.save(update_fields=["is_closed"])
            logs.append(row, Closed(), by=by)
            make_due(row)


def cancel(row: Tournament, by: Guest, reason: str) -> None:
    """Cancel a tournament, as a director. No more rounds are paired; current games continue and count."""
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
    """Correct the result of a game, as a director, with a public reason.

    `places` has the place of each seat, with equal places for ties. `version` is the length of the log that
    the director has seen; Refused is raised if the log has grown. Repeating a correction does nothing.
    Standings and ratings are updated; rounds that have been paired stay.
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
                    lazy_message(
                        "This tournament has changed since you loaded it. Check the results and correct them "
                        "again."
                    )
                )
            logs.append(row, Corrected(number, table, canonical), by=by, reason=reason)
        except LogError as error:
            raise Refused(*error.args) from None
        played = row.rounds.get(number=number).games.select_related("table").get(number=table)
        is_rated = rulings.correct(played.table, canonical, reason) is not None
        notify_correction(row, played, canonical, is_rated=is_rated)


def _expect_reason(reason: str) -> None:
    if not 0 < len(reason.strip()) <= LONGEST_REASON or not reason.isprintable():
        raise Refused(
            lazy_message(
                "Enter a reason of up to {most} characters. It’s shown to everyone.", most=LONGEST_REASON
            )
        )


def challenge(row: Tournament, guest: Guest, number: int) -> None:
    """Challenge an entrant of a ladder by number. The game begins at once.

    Does nothing while the two are playing each other. Raises Refused.
    """
    with writing():
        row = logs.locked(row.pk)
        own, other = _present(row, guest=guest), _present(row, number=number)
        if own is None:
            raise Refused(lazy_message("Join the ladder to challenge players above you."))
        if other is None:
            raise Refused(lazy_message("This player isn’t in this tournament."))
        state, names = logs.replayed(row), {own.name, other.name}
        meetings = [game.seats for game in state.open_games]
        meetings += [(challenge.entrant, *challenge.opponents) for challenge in state.challenges]
        if any(names == set(people) for people in meetings):
            return
        _expect_possible(row, state, own, other)
        logs.append(row, Challenged(own.name, (other.name,)), by=guest)
        make_due(row)
    rounds.advance(row.pk)


def _present(row: Tournament, **which: object) -> Entrant | None:
    return row.entrants.select_related("guest").filter(is_in=True, leaving="", **which).first()


def _expect_possible(row: Tournament, state: Replayed, own: Entrant, other: Entrant) -> None:
    config = format_of(row)
    if not isinstance(config, Ladder) or row.state != Tournament.State.RUNNING:
        raise Refused(lazy_message("Challenges are possible only on a running ladder."))
    if own.guest and other.guest and are_blocked(own.guest, other.guest):  # the message keeps it secret
        raise Refused(lazy_message("You can’t challenge this player."))
    if state.is_closed:
        raise Refused(lazy_message("This ladder is closed."))
    if why_not_challenge(state, config, row.seed, own.name, (other.name,)):
        raise Refused(
            lazy_message(
                "You can challenge players up to {reach} ranks above you while neither of you is "
                "playing, but not the same player twice in a row.",
                reach=config.reach,
            )
        )


def decline(row: Tournament, guest: Guest, code: str) -> None:
    """Decline a ladder game before it begins. The guest loses it and stays on the ladder."""
    game = Game.objects.filter(round__tournament=row, table__code=code).select_related("table").first()
    if game is None or (seat := _seat_at(game, guest)) is None:
        raise Refused(lazy_message("There is no such game in this tournament."))
    if game.is_over:
        return
    table = table_of(find_table(code))
    if table.start.is_everybody_in(table.match):
        raise Refused(lazy_message("The game has started: you can resign in the game."))
    resign_or_abort(game.table, seat)


def _seat_at(game: Game, guest: Guest) -> int | None:
    return game.table.seats.filter(guest=guest).values_list("number", flat=True).first()


def rename(
    row: Tournament, by: User, name: str, reason: str, key: str, *, takes_description: bool = False
) -> None:
    """Rename a tournament, as staff. The reason is recorded in the log and sent to the organiser.

    Optionally remove the description. Repeating a key does nothing. The old texts are not logged. Raises
    Refused for an invalid name, and if the tournament is the staff member's own.
    """
    name = " ".join(name.split())
    check_name(name)
    with writing():
        row = logs.locked(row.pk)
        description = "" if takes_description else row.description
        if is_logged(by, key) or (row.name, row.description) == (name, description):
            return
        check_not_own(by, row.organiser)
        row.name, row.description = name, description
        row.save(update_fields=["name", "description"])
        entry = log_action(by, row.organiser, "tournament", reason, key, {"tournament": row.code})
        if not row.organiser.is_erased:
            words = text_reference(entry, "reason")
            data = {"tournament": text_reference(row, "name"), "words": words, "address": address_of(row)}
            notify(row.organiser, "tournament_renamed", str(entry.pk), data)
