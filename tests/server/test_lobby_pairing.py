"""Automatic pairing: compatible seeks become one game."""

import pytest

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import jobs, services
from kakomi.server.lobby.models import Place, Seek
from kakomi.server.lobby.pairing import CONTROLS, QuickWish, request_quick_game
from kakomi.server.ratings.models import CurrentRating, Pool
from kakomi.server.ratings.selectors import SERIES
from kakomi.server.site import clock
from kakomi.server.tables.models import Table
from kakomi.session import Refused
from server.lobby_people import DAYS, somebody, sought

pytestmark = pytest.mark.django_db


def test_two_who_want_the_same_play():
    ada, bob = somebody(), somebody()
    assert request_quick_game(ada, QuickWish("rin")).table is None
    table = request_quick_game(bob, QuickWish("rin")).table
    assert set(table.seats.values_list("guest", flat=True)) == {ada.pk, bob.pk}
    assert sorted(Seek.objects.values_list("ending", flat=True)) == ["merged", "started"]


def test_wishes_that_differ_wait():
    for wish in (
        QuickWish("rin", sizes=(8,)),
        QuickWish("rin", sizes=(12, 16)),
        QuickWish("rive"),
        QuickWish("rings", most=2),
        QuickWish("rings", least=3),
    ):
        assert request_quick_game(somebody(), wish).table is None
    jobs.pair_waiting()
    assert not Table.objects.exists()
    table = request_quick_game(somebody(), QuickWish("rin", sizes=(8, 16))).table
    assert table.begun["terms"]["options"]["size"] == 8


def test_the_same_wish_again_goes_on_waiting():
    ada = somebody()
    first = request_quick_game(ada, QuickWish("rin")).seek
    assert request_quick_game(ada, QuickWish("rin")).seek == first
    assert request_quick_game(ada, QuickWish("rin", sizes=(8,))).seek != first
    assert Seek.objects.filter(ended_at=None).count() == 1


def test_some_gather_for_rings():
    people = [somebody() for _ in range(4)]
    wish = QuickWish("rings", least=3, most=6)
    for guest in people:
        assert request_quick_game(guest, wish).table is None
    seek = Seek.objects.get(ended_at=None)
    assert Place.objects.filter(seek=seek).count() == 3 and seek.starts_at
    later = clock.now() + 30
    with clock.time_from(lambda: later):
        jobs.begin_gathered()
    assert Table.objects.get().seats.count() == 4


def test_gatherings_agree_on_how_many():
    request_quick_game(somebody(), QuickWish("rings", least=2, most=4))
    request_quick_game(somebody(), QuickWish("rings", least=3, most=6))
    seek = Seek.objects.get(ended_at=None)
    assert (seek.least, seek.most) == (3, 4)
    assert request_quick_game(somebody(), QuickWish("rings", least=2, most=3)).table.seats.count() == 3


def test_an_open_seek_under_the_usual_terms_is_found():
    ada = somebody()
    sought(ada, control=CONTROLS["live"], terms={"sizes": (8,), "side": "first"})
    table = request_quick_game(somebody(), QuickWish("ren")).table
    assert table.seats.first().guest_id == ada.pk
    assert table.begun["terms"]["options"]["size"] == 8


def test_a_standing_seek_pairs_each_person_once():
    ada, bob = somebody(account=True), somebody(account=True)
    seek = sought(ada, control=CONTROLS["days"], times=3, terms={"sizes": (8,)})
    assert request_quick_game(bob, QuickWish("ren", "days")).table
    assert request_quick_game(bob, QuickWish("ren", "days")).table is None
    assert request_quick_game(somebody(account=True), QuickWish("ren", "days")).table
    assert Seek.objects.get(pk=seek.pk).round == 3


def test_wishes_need_a_game_that_can_be():
    with pytest.raises(Refused, match="account"):
        request_quick_game(somebody(), QuickWish("rin", "days"))
    with pytest.raises((Refused, ValueError)):
        request_quick_game(somebody(), QuickWish("rin", sizes=(999,)))
    assert not Seek.objects.exists()


def rated(name: str, mean: float, size: int = 8) -> Guest:
    """Somebody with a rating for games over days of Ren."""
    guest = somebody(name, account=True)
    rate(guest, mean, size)
    return guest


def rate(guest: Guest, mean: float, size: int) -> None:
    """Give a guest a rating for games over days of Ren on boards like one of this size."""
    size_class = catalog.describe("ren").size_class({"size": size})
    pool, _ = Pool.objects.get_or_create(game="ren", size_class=size_class, pace="days")
    CurrentRating.objects.create(guest=guest, pool=pool, mean=mean, sigma=50.0, at=clock.now(), games=9)


def test_near_ratings_are_paired_first_and_far_ones_later():
    ada, bob, eve = rated("Ada", 1500), rated("Bob", 2500), rated("Eve", 1550)
    wish = QuickWish("ren", "days", sizes=(8,))
    assert request_quick_game(ada, wish).table is None
    assert request_quick_game(bob, wish).table is None
    assert set(request_quick_game(eve, wish).table.seats.values_list("guest", flat=True)) == {ada.pk, eve.pk}
    assert request_quick_game(ada, wish).table is None
    later = clock.now() + 15 * 3600
    with clock.time_from(lambda: later):
        jobs.pair_waiting()
    assert Table.objects.count() == 2


@pytest.mark.parametrize(("size", "other_size"), [(8, 12), (12, 8)])
def test_only_ratings_on_the_board_to_be_played_on_are_compared(size, other_size):
    ada, bob = rated("Ada", 1500, size), rated("Bob", 1500, size)
    rate(ada, 2500, other_size)
    eve = rated("Eve", 1500, other_size)
    assert request_quick_game(eve, QuickWish("ren", "days", sizes=(other_size,))).table is None
    assert request_quick_game(ada, QuickWish("ren", "days", sizes=(size,))).table is None
    table = request_quick_game(bob, QuickWish("ren", "days", sizes=(size,))).table
    assert table and set(table.seats.values_list("guest", flat=True)) == {ada.pk, bob.pk}


def test_a_seek_can_ask_for_ratings_in_a_range():
    seek = sought(
        rated("Ada", 1500), control=DAYS, terms={"sizes": (8,)}, rating_low=1400, rating_high=1600, times=3
    )
    for guest in (rated("Bob", 1700), somebody("Eve", account=True)):
        with pytest.raises(Refused, match="ratings from 1400 to 1600"):
            services.accept(seek.code, guest)
    assert services.accept(seek.code, rated("Kim", 1600)).table
    with pytest.raises(Refused, match="The minimum rating can’t be above the maximum"):
        sought(somebody(), "other", rating_low=2, rating_high=1)


def ran_out_of_time(guest: Guest) -> None:
    """Suspend a guest from rated games over days for too many time-outs."""
    often = SERIES["days"].counted + 1
    CurrentRating.objects.filter(guest=guest).update(time_outs=often, at=clock.now())


def test_whoever_ran_out_of_time_too_often_keeps_nobody_else_waiting():
    ada, bob, eve, kim = (rated(name, 1500) for name in ("Ada", "Bob", "Eve", "Kim"))
    sought(ada, control=DAYS, is_rated=True, terms={"sizes": (8,)})
    ran_out_of_time(ada)
    late = [sought(guest, control=DAYS, is_rated=True, terms={"sizes": (8,)}) for guest in (bob, eve, kim)]
    jobs.pair_waiting()
    seated = Table.objects.get().seats.values_list("guest", flat=True)
    assert set(seated) == {bob.pk, eve.pk} and Seek.objects.get(pk=late[2].pk).is_open
    assert [seek.owner for seek in Seek.objects.filter(ended_at=None)] == [ada, kim]


@pytest.mark.parametrize("slow", [0, 1])
def test_a_gathered_game_begins_without_whoever_ran_out_of_time(slow):
    people = [rated(name, 1500) for name in ("Ada", "Bob", "Eve")]
    terms = {"terms": {"sizes": (3,)}, "least": 2, "most": 4, "is_rated": True}
    seek = sought(people[0], game="rings", control=DAYS, **terms)
    for guest in people[1:]:
        services.accept(seek.code, guest)
    ran_out_of_time(people[slow])
    later = clock.now() + 7 * 3600
    with clock.time_from(lambda: later):
        jobs.begin_gathered()
        seek.refresh_from_db()
        if slow == 0:
            assert seek.ending == Seek.Ending.EXPIRED and not Table.objects.exists()
            return
        assert seek.is_open and not seek.places.filter(guest=people[slow]).exists()
        jobs.begin_gathered()
    assert set(Table.objects.get().seats.values_list("guest", flat=True)) == {people[0].pk, people[2].pk}
