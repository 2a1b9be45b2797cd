"""Seeks and challenges: each becomes exactly one game, or says why not."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection

from kakomi.server.accounts.models import User
from kakomi.server.lobby import jobs, selectors, services
from kakomi.server.lobby.models import Invitee, LobbyGuest, LobbyNews, Place, Seek, SeekGame
from kakomi.server.site import clock
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from server.correspondence import begun
from server.lobby_people import DAYS, somebody, sought

pytestmark = pytest.mark.django_db
IN_THREADS = pytest.mark.skipif(
    "sqlite" in settings.DATABASES["default"]["ENGINE"],
    reason="SQLite in memory locks whole tables for threads",
)


def ending(seek: Seek) -> str:
    return Seek.objects.get(pk=seek.pk).ending


def test_a_seek_that_is_accepted_is_a_game():
    ada, bob = somebody("Ada"), somebody("Bob")
    seek = sought(ada, terms={"side": "first", "options": {"size": 8}})
    outcome = services.accept(seek.code, bob)
    seats = list(outcome.table.seats.values_list("guest", "name"))
    assert seats == [(ada.pk, "Ada"), (bob.pk, "Bob")]
    assert outcome.table.begun["terms"]["options"]["size"] == 8
    assert ending(seek) == "started"
    assert selectors.waiting_seeks() == []


def test_whoever_accepts_twice_gets_the_same_game():
    seek = sought(somebody())
    bob = somebody()
    assert services.accept(seek.code, bob).table == services.accept(seek.code, bob).table
    assert Table.objects.count() == 1


def test_whoever_comes_second_is_told_so():
    seek = sought(somebody())
    services.accept(seek.code, somebody())
    with pytest.raises(Refused, match="Someone else was faster: this challenge has been accepted"):
        services.accept(seek.code, somebody())
    assert Table.objects.count() == 1 and Place.objects.count() == 1


def test_nobody_accepts_their_own_seek():
    ada = somebody()
    seek = sought(ada)
    with pytest.raises(Refused, match="your own"):
        services.accept(seek.code, ada)


def test_a_seek_that_is_sent_twice_is_one():
    ada = somebody()
    assert sought(ada, "same") == sought(ada, "same")
    assert sought(ada, "other") != sought(ada, "same")


def test_a_seek_for_four_begins_with_the_fourth():
    seek = sought(somebody(), game="rings", least=4, most=4)
    people = [somebody() for _ in range(3)]
    tables = [services.accept(seek.code, guest).table for guest in people]
    assert tables[:2] == [None, None]
    assert tables[2].seats.count() == 4
    assert tables[2].begun["terms"]["options"]["players"] == 4
    assert [services.accept(seek.code, guest).table for guest in people] == [tables[2]] * 3


def test_three_to_six_begin_with_four_when_nobody_else_comes():
    seek = sought(somebody(), game="rings", least=3, most=6)
    for _ in range(3):
        assert services.accept(seek.code, somebody()).table is None
    jobs.begin_gathered()
    assert ending(seek) == ""
    later = clock.now() + 25
    with clock.time_from(lambda: later):
        jobs.begin_gathered()
        jobs.begin_gathered()
    assert Table.objects.get().seats.count() == 4
    assert ending(seek) == "started"


def test_too_few_do_not_begin():
    seek = sought(somebody(), game="rings", least=3, most=6)
    bob = somebody()
    services.accept(seek.code, bob)
    services.accept(seek.code, somebody())
    assert Seek.objects.get().starts_at
    services.leave(seek.code, bob)
    assert Seek.objects.get().starts_at is None
    assert services.accept(seek.code, bob).table is None


def test_a_standing_seek_is_accepted_as_often_as_it_says():
    ada = somebody("Ada", account=True)
    seek = sought(ada, control=DAYS, times=3)
    people = [somebody(f"P{n}", account=True) for n in range(4)]
    tables = [services.accept(seek.code, guest).table for guest in people[:3]]
    assert len(set(tables)) == 3
    assert [services.accept(seek.code, guest).table for guest in people[:3]] == tables
    with pytest.raises(Refused):
        services.accept(seek.code, people[3])


def test_a_live_game_ends_the_other_live_seeks_of_its_players():
    ada, bob, eve = somebody(), somebody(), somebody()
    hers, his = sought(ada), sought(bob, game="rin")
    other = sought(ada, "other", game="lin")
    third = sought(eve, game="rings", least=3, most=3)
    services.accept(third.code, bob)
    services.accept(hers.code, bob)
    assert [ending(seek) for seek in (hers, his, other, third)] == ["started", "playing", "playing", ""]
    assert selectors.find_seek(third.code).numbers == {eve.pk}


def test_games_over_days_need_an_account():
    seek = sought(somebody(account=True), control=DAYS)
    with pytest.raises(Refused, match="require an account"):
        services.accept(seek.code, somebody())
    with pytest.raises(Refused, match="require an account"):
        sought(somebody(), is_rated=True)
    services.accept(seek.code, somebody(account=True))


def test_no_bot_plays_its_owner_for_ratings():
    ada = somebody("ada", account=True)
    bot = somebody("bot", account=True)
    User.objects.filter(guest=bot).update(owner=ada.user)
    with pytest.raises(Refused, match="against its owner"):
        services.accept(sought(ada, is_rated=True).code, bot)
    assert services.accept(sought(ada, "casual").code, bot).table


def test_a_challenge_is_for_those_it_names():
    ada, bob, eve = somebody("Ada"), somebody("Bob"), somebody("Eve")
    seek = sought(ada, kind=Seek.Kind.CHALLENGE, invitees=[bob])
    assert selectors.waiting_seeks() == []
    assert [state.row for state in selectors.challenges_to(bob)] == [seek]
    with pytest.raises(Refused, match="can't join"):
        services.accept(seek.code, eve)
    assert services.accept(seek.code, bob).table


def test_a_challenge_ends_when_too_few_are_left():
    ada, bob, eve = somebody("Ada"), somebody("Bob"), somebody("Eve")
    seek = sought(ada, kind=Seek.Kind.CHALLENGE, invitees=[bob, eve])
    services.decline(seek.code, bob, "clock")
    assert ending(seek) == ""
    services.decline(seek.code, eve, "later")
    with pytest.raises(Refused, match="You declined this challenge"):
        services.decline(seek.code, eve, "clock")
    assert ending(seek) == "declined"
    assert list(Invitee.objects.values_list("reason", flat=True)) == ["clock", "later"]
    with pytest.raises(Refused, match="declined"):
        services.accept(seek.code, bob)
    assert [state.row for state in selectors.own_seeks(ada, clock.now())] == [seek]
    services.dismiss(seek.code, ada)
    assert selectors.own_seeks(ada, clock.now()) == []


def test_what_can_t_be_declined_any_more_says_why():
    ada, bob, eve = (somebody(name, account=True) for name in ("ada", "bob", "eve"))
    wish = {"kind": Seek.Kind.CHALLENGE, "control": DAYS}
    withdrawn = sought(ada, "withdrawn", invitees=[bob], **wish)
    services.withdraw(withdrawn.code, ada)
    begun = sought(ada, "begun", invitees=[bob], **wish)
    services.accept(begun.code, bob)
    accepted = sought(ada, "accepted", game="rings", least=3, most=3, invitees=[bob, eve], **wish)
    services.accept(accepted.code, bob)
    taken = sought(ada, "taken", invitees=[bob, eve], **wish)
    services.accept(taken.code, eve)
    for seek, guest, says in (
        (withdrawn, bob, "has been withdrawn"),
        (begun, bob, "You accepted this challenge, and the game has started"),
        (accepted, bob, "You can leave until the game starts"),
        (taken, bob, "Someone else was faster: this challenge has been accepted"),
        (begun, eve, "You haven’t been challenged to this game"),
    ):
        with pytest.raises(Refused, match=says):
            services.decline(seek.code, guest, "")
    assert not Invitee.objects.filter(answer="declined").exists()


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"challenges_from": "nobody"}, "Bob doesn’t accept challenges"),
        ({"takes_live": False}, "accepts only correspondence"),
        ({"takes_casual": False}, "accepts only rated challenges"),
        ({"most_games": 2}, "at most 2 games at a time and has reached that limit"),
    ],
)
def test_people_say_which_challenges_they_take(chosen, says):
    ada, bob = somebody("Ada"), somebody("Bob")
    for _ in range(2):
        begun(Sitter(ada), Sitter(bob), game="ren", options={"size": 4})
    services.save_settings(bob, LobbyGuest(guest=bob, **chosen))
    with pytest.raises(Refused, match=says):
        sought(ada, kind=Seek.Kind.CHALLENGE, invitees=[bob])
    assert not Seek.objects.exists()


def test_stale_seeks_end_and_say_so():
    ada = somebody(account=True)
    live, days = sought(ada), sought(ada, "days", control=DAYS)
    jobs.end_stale()
    assert [ending(live), ending(days)] == ["", ""]
    later = clock.now() + 60
    with clock.time_from(lambda: later):
        jobs.end_stale()
    assert [ending(live), ending(days)] == ["gone", ""]
    later += 8 * 86400
    with clock.time_from(lambda: later):
        jobs.end_stale()
        assert ending(days) == "expired"
        assert [state.row.ending for state in selectors.own_seeks(ada, clock.now())] == ["expired"]
    with pytest.raises(Refused, match="This challenge has expired"):
        services.accept(days.code, somebody(account=True))


def test_who_has_gone_leaves_a_gathering():
    ada, bob = somebody(), somebody()
    seek = sought(ada, game="rings", least=3, most=3)
    services.accept(seek.code, bob)
    Place.objects.update(seen_at=clock.now() - 60)
    jobs.end_stale()
    assert selectors.find_seek(seek.code).numbers == {ada.pk}


def test_news_are_numbered_for_all_and_for_everybody_concerned():
    ada, bob = somebody(), somebody()
    seek = sought(ada)
    services.accept(seek.code, bob)
    assert LobbyNews.objects.get().news == 2
    assert list(LobbyGuest.objects.order_by("pk").values_list("news", flat=True)) == [2, 2]


def test_a_seek_that_is_withdrawn_stays_so():
    ada = somebody()
    seek = sought(ada)
    with pytest.raises(Refused, match="Only the challenger can do that"):
        services.withdraw(seek.code, somebody())
    services.withdraw(seek.code, ada)
    with pytest.raises(Refused, match="withdrawn"):
        services.accept(seek.code, somebody())


def accept_together(deed):
    """Accept a seek at the moment at which all others do; the table, None if it was refused."""
    code, guest, barrier = deed
    barrier.wait()
    try:
        return services.accept(code, guest).table
    except Refused:
        return None
    finally:
        connection.close()


@IN_THREADS
@pytest.mark.django_db(transaction=True)
def test_everybody_at_once_is_one_game():
    with ThreadPoolExecutor(4) as threads:
        for round in range(5):
            seek, barrier = sought(somebody(), f"{round}"), threading.Barrier(4)
            bob, eve = somebody(), somebody()
            deeds = [(seek.code, guest, barrier) for guest in (bob, bob, eve, eve)]
            tables = list(threads.map(accept_together, deeds))
            assert tables[0] == tables[1] and tables[2] == tables[3]
            assert (tables[0] is None) != (tables[2] is None)
            assert SeekGame.objects.filter(seek=seek).count() == 1
    assert Table.objects.count() == 5


@IN_THREADS
@pytest.mark.django_db(transaction=True)
def test_two_who_accept_each_other_are_at_one_table():
    with ThreadPoolExecutor(2) as threads:
        for round in range(8):
            ada, bob = somebody(), somebody()
            hers, his = sought(ada, f"{round}"), sought(bob, f"{round}", game="rin")
            barrier = threading.Barrier(2)
            deeds = [(hers.code, bob, barrier), (his.code, ada, barrier)]
            tables = list(threads.map(accept_together, deeds))
            assert tables.count(None) == 1
    assert Table.objects.count() == 8


def test_a_failure_leaves_nothing(monkeypatch):
    seek, bob = sought(somebody()), somebody()
    with monkeypatch.context() as patch:
        patch.setattr("kakomi.server.lobby.services.SeekGame.objects.create", None)
        with pytest.raises(TypeError):
            services.accept(seek.code, bob)
    assert not Table.objects.exists() and not Place.objects.exists()
    assert services.accept(seek.code, bob).table
