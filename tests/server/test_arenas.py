"""Arenas: whoever is free is paired in batches until time is over; who pauses is left alone."""

import random
from itertools import pairwise

import pytest
from django.test import Client

from kakomi.contest.tournament import Arena, Closed, standings
from kakomi.server import clock
from kakomi.server.notices.models import Notice
from kakomi.server.people.erasure import erase
from kakomi.server.tables import services as tables
from kakomi.server.tables.models import Table
from kakomi.server.tournaments import logs, rounds, services
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.presenters import Page
from kakomi.server.tournaments.terms import format_of
from kakomi.server.tournaments.timing import ARENA_START_SECONDS, BATCH_SECONDS
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.test_tournament_pages import form, text
from server.tournament_people import LIVE, entered, go_on, going_games, organised, play

pytestmark = pytest.mark.django_db
State = Tournament.State


def arena(**agreed: object) -> Tournament:
    return organised(config=Arena(), control=LIVE, **{"minutes": 30, "most": 64, **agreed})


class Hands:
    """The clock in one's hands."""

    def __init__(self) -> None:
        self.now = clock.now()

    def __call__(self) -> float:
        return self.now


def at_play(row: Tournament) -> list[int]:
    seats = [seat.guest_id for game in going_games(row) for seat in game.table.seats.all()]
    return [number for number in seats if number is not None]


def test_a_whole_arena() -> None:
    row, chance = arena(), random.Random(1)
    people, hands = entered(row, 7), Hands()
    with clock.time_from(hands):
        go_on(row)
        assert len(going_games(row)) == 3
        until = row.pairs_until
        assert until == hands.now + 1800
        while hands.now < until + 100 and row.state == State.RUNNING:
            for game in going_games(row):
                tables.settle(game.table.code)
                if chance.random() < 0.4:
                    play(game, chance.randrange(2))
            if chance.random() < 0.05:
                services.pause(row, chance.choice(people))
            for guest in people:
                if hands.now < until and chance.random() < 0.1:
                    services.enter(row, guest)
            hands.now += 25
            go_on(row)
            assert len(at_play(row)) == len(set(at_play(row))), "nobody plays twice at a time"
        for game in going_games(row):
            play(game)
        go_on(row)
    assert row.state == State.OVER and row.due_at is None
    log = logs.log_of(row)
    assert sum(isinstance(entry, Closed) for entry in log) == 1
    assert not any(played.begun_at >= until for played in row.rounds.all())
    assert Game.objects.filter(is_over=False).count() == 0
    state = logs.replayed(row)
    found = standings(log, format_of(row), row.seed)
    assert sum(each.points for each in found) == len(state.games) > 20
    winners = [each.entrant for each in found if each.place == 1]
    won = Notice.objects.filter(kind="tournament_won").values_list("guest", flat=True)
    present = {e.guest_id for e in Entrant.objects.filter(number__in=map(int, winners), is_in=True)}
    assert set(won) == present
    assert "First place:" in text(Client().get(f"/tournaments/{row.code}"))


def test_those_who_are_free_are_gathered_for_some_seconds() -> None:
    row, hands = arena(), Hands()
    entered(row, 6)
    with clock.time_from(hands):
        go_on(row)
        first, second, _ = going_games(row)
        play(first)
        play(second)
        go_on(row)
        assert len(going_games(row)) == 1, "more may come free in a moment"
        hands.now += BATCH_SECONDS
        go_on(row)
        assert len(going_games(row)) == 3
        pairs = [set(game.seats) for game in logs.replayed(row).games]
        assert not any(one == other for one, other in pairwise(pairs))


def test_who_pauses_finishes_their_game_and_is_not_paired_until_they_return() -> None:
    row, hands = arena(), Hands()
    people = entered(row, 4)
    with clock.time_from(hands):
        go_on(row)
        services.pause(row, people[0])
        own = Game.objects.get(table__seats__guest=people[0])
        go_on(row)
        assert not own.table.is_over and Entrant.objects.get(guest=people[0]).is_in
        for game in going_games(row):
            play(game)
        hands.now += BATCH_SECONDS
        go_on(row)
        assert people[0].pk not in at_play(row) and not Entrant.objects.get(guest=people[0]).is_in
        assert logs.replayed(row).game(1, own.number).result.was_played, "their game counts"
        services.enter(row, people[0])
        for game in going_games(row):
            play(game)
        hands.now += BATCH_SECONDS
        go_on(row)
        assert people[0].pk in at_play(row)
        services.pause(row, people[0])
        services.enter(row, people[0])
        assert Entrant.objects.get(guest=people[0]).leaving == ""


def test_who_leaves_or_is_erased_gives_up_their_game_and_the_other_plays_on() -> None:
    row, hands = arena(), Hands()
    people = entered(row, 4)
    with clock.time_from(hands):
        go_on(row)
        services.leave(row, people[0])
        erase(people[1])
        go_on(row)
        hands.now += BATCH_SECONDS
        go_on(row)
        assert set(at_play(row)) == {people[2].pk, people[3].pk}
        assert len(Table.objects.filter(is_over=True)) >= 1


def test_who_does_not_come_to_the_board_is_out_after_a_minute() -> None:
    row, hands = arena(), Hands()
    entered(row, 2)
    with clock.time_from(hands):
        go_on(row)
        (game,) = going_games(row)
        absent = game.table.seats.get(number=game.table.to_act).guest
        hands.now += ARENA_START_SECONDS + 1
        tables.settle(game.table.code)
        go_on(row)
        entrant = Entrant.objects.get(guest=absent)
        assert (entrant.is_in, entrant.leaving) == (False, Entrant.Leaving.ABSENT)


def test_the_end_comes_with_the_last_game() -> None:
    row, hands = arena(), Hands()
    entered(row, 4)
    with clock.time_from(hands):
        go_on(row)
        first, last = going_games(row)
        Tournament.objects.update(pairs_until=hands.now + 30, due_at=hands.now + 30)
        hands.now += 31
        play(first)
        go_on(row)
        assert row.state == State.RUNNING and len(going_games(row)) == 1 and row.due_at is None
        with pytest.raises(Refused, match="has begun"):
            services.enter(row, make_user("late").guest)
        play(last)
        go_on(row)
        assert row.state == State.OVER


def test_a_batch_is_paired_once_whoever_comes_first() -> None:
    row = arena()
    entered(row, 4)
    rounds.go_on(row.pk)
    before = Tournament.objects.get(pk=row.pk).version
    rounds.go_on(row.pk)
    assert Tournament.objects.get(pk=row.pk).version == before
    assert Game.objects.count() == 2


def test_too_few_call_an_arena_off() -> None:
    row = arena()
    entered(row, 1)
    assert go_on(row).state == State.CANCELLED


def test_the_form_and_the_page_of_an_arena() -> None:
    client = signed_in(make_user("ada"))
    html = text(client.get("/tournaments/new/rin?pace=live&format=arena"))
    assert 'name="minutes"' in html and 'name="rounds"' not in html
    sent = form(pace="live", format="arena", clock="3+2", begins_in="300", minutes="45")
    path = client.post("/tournaments/new/rin", sent)["Location"]
    row = Tournament.objects.get()
    assert isinstance(format_of(row), Arena) and row.minutes == 45
    client.post(f"{path}/enter")
    entered(row, 3)
    Tournament.objects.update(due_at=1.0)
    go_on(row)
    html = text(client.get(path))
    assert "Pause</button>" in html and "Games begin until" in html and "Last games" in html
    assert client.post(f"{path}/pause").status_code == 302
    assert "Return</button>" in text(client.get(path))
    assert Page.of(row, None).crosstables[0].columns == []
    assert client.post(f"/tournaments/{organised().code}/pause").status_code == 409
    for game in ("rin", "rive"):
        assert "format=arena" not in text(client.get(f"/tournaments/new/{game}?pace=days"))
