"""Several at once: threads with connections of their own do what is due, enter, and end games."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection

from kakomi.contest.tournament import Ladder, Reported, Swiss, standings
from kakomi.server.tournaments import logs, repeats, rounds, services
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.terms import TournamentTerms
from kakomi.session import Refused
from server.people import make_user
from server.tournament_people import asked_for, entered, go_on, going_games, organised, play

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite in memory locks whole tables for threads"
    ),
]


def at_once(*deeds: Callable[[], object]) -> list[object]:
    """Do things in threads that begin together; the answers, or what was raised, in order."""
    gate, answers = threading.Barrier(len(deeds)), [None] * len(deeds)

    def run(number: int, deed: Callable[[], object]) -> None:
        gate.wait()
        try:
            answers[number] = deed()  # type: ignore[call-overload]
        except Refused as error:
            answers[number] = error  # type: ignore[call-overload]
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return list(answers)


def test_four_threads_pair_one_round() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 6)
    at_once(*[lambda: rounds.advance(row.pk)] * 4)
    go_on(row)
    assert (Round.objects.count(), Game.objects.count()) == (1, 3)


def test_results_of_a_round_that_come_together_make_the_next_one_due_once() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 6)
    go_on(row)
    at_once(*[lambda game=game: play(game) for game in going_games(row)])
    row.refresh_from_db()
    assert row.due_at is not None
    assert sum(isinstance(each, Reported) for each in logs.log_of(row)) == 3
    at_once(*[lambda: rounds.advance(row.pk)] * 3)
    assert Round.objects.count() == 2 and Game.objects.count() == 6


def test_the_last_place_is_taken_once() -> None:
    row = organised(most=2)
    people = [make_user(f"person{number}").guest for number in range(4)]
    answers = at_once(*[lambda guest=guest: services.enter(row, guest) for guest in people])
    assert sum(isinstance(answer, Entrant) for answer in answers) == 2
    assert sorted(Entrant.objects.values_list("number", flat=True)) == [1, 2]


def test_the_next_edition_opens_once() -> None:
    row = organised(repeat="weekly")
    entered(row, 2)
    go_on(row)
    at_once(*[lambda: repeats.open_next(row.pk)] * 4)
    assert Tournament.objects.get(previous=row).edition == 2 and Tournament.objects.count() == 2


def test_whoever_is_challenged_by_several_at_once_plays_one_of_them() -> None:
    row = organised(config=Ladder())
    go_on(row)
    entered(row, 4)
    row.refresh_from_db()
    top, *below = [int(each.entrant) for each in standings(logs.log_of(row), Ladder(), row.seed)]
    guests = [row.entrants.get(number=number).guest for number in below]
    deeds = [lambda guest=guest: services.challenge(row, guest, top) for guest in guests] * 2
    answers = at_once(*deeds)
    assert sum(isinstance(answer, Refused) for answer in answers) == 4
    assert Game.objects.count() == Round.objects.count() == 1


def test_who_leaves_while_their_game_ends_is_out_once() -> None:
    row = organised(config=Swiss(rounds=2))
    people = entered(row, 4)
    go_on(row)
    (game,) = [each for each in going_games(row) if each.table.seats.filter(guest=people[0]).exists()]
    at_once(
        lambda: services.leave(row, people[0]), lambda: play(game), lambda: services.leave(row, people[0])
    )
    go_on(row)
    state = logs.replayed(Tournament.objects.get())
    assert not state.participants["1"].is_present
    assert sum(isinstance(each, Reported) for each in logs.log_of(row)) == 1


def test_a_form_sent_four_times_at_once_makes_one_tournament() -> None:
    guest = make_user("ada").guest
    wanted = asked_for()
    answers = at_once(*[lambda: services.create(guest, later(wanted), "key")] * 4)
    assert len({answer.pk for answer in answers}) == 1  # type: ignore[attr-defined]
    assert Tournament.objects.count() == 1


def later(wanted: TournamentTerms) -> TournamentTerms:
    """The same, an hour later: it isn't due meanwhile."""
    return replace(wanted, begins_at=wanted.begins_at + 3600)
