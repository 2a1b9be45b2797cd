"""The ledger: one entry per rated result, written with the game's end; ratings depend on nothing else."""

import random
import threading

import pytest
from django.db import connection, connections

from kakomi import catalog
from kakomi.contest import Entrant, Outcome, Series, Standing, replay
from kakomi.server.ratings import jobs, ledger, models, receivers, rulings, selectors
from kakomi.server.ratings.selectors import levels_of
from kakomi.server.tables import services as table_services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, Refused, TimeControl
from server.rated_games import LIVE, at_moment, begin_rated, make_people, play_rated, resign, write_result

pytestmark = pytest.mark.django_db
DAY = 24 * 3600.0


def _pool(pace: str = "live", game: str = "rive") -> models.Pool:
    return models.Pool.objects.create(game=game, size_class="standard", pace=pace)


def _stored(pool: models.Pool) -> list[tuple]:
    """All changes and ratings of a pool, in order."""
    changes = models.Change.objects.filter(entrant__result__pool=pool).order_by(
        "entrant__result__ended_at", "entrant__result__table", "entrant__seat"
    )
    kept = [field.attname for field in models.Change._meta.concrete_fields]
    ratings = pool.ratings.order_by("guest").values_list("guest", "mean", "sigma", "games", "at", "time_outs")
    return [*changes.values_list(*kept), *ratings]


def _made_again(pool: models.Pool) -> list[tuple]:
    """All changes and ratings of a pool, recomputed from the ledger alone."""
    models.Change.objects.filter(entrant__result__pool=pool).delete()
    pool.ratings.all().delete()
    pool.results.update(is_due=True)
    ledger.rate_pool(pool.pk)
    return _stored(pool)


def test_a_result_is_written_with_the_entry_that_ends_the_match():
    ada, bob = make_people(2)
    with at_moment(1000.0):
        result = play_rated(ada, bob)
    assert (result.pool.game, result.pool.size_class, result.pool.pace) == ("rive", "standard", "live")
    assert result.ended_at == 1000.0 and result.is_due
    assert [(e.guest, e.bot, e.place, e.ran_out) for e in result.entrants.all()] == [
        (ada, "", 1, False),
        (bob, "", 2, False),
    ]
    assert selectors.rating_of(ada, "rive", "live") is None
    with at_moment(1000.0):
        jobs.rate_results()
        first = _stored(result.pool)
        jobs.rate_results()
    assert _stored(result.pool) == first
    with at_moment(1000.0 + DAY):
        found = selectors.rating_of(ada, "rive", "live")
    assert found is not None and found.rating.mean > 1200 and found.games == 1 and found.is_provisional
    assert found.words == "new"


def test_what_is_not_rated_has_no_line():
    ada, bob = make_people(2)
    terms = MatchConfig(catalog.game("rive"))
    row = table_services.begin(terms, [Sitter(ada), Sitter(bob)], LIVE)
    resign(row, 0)
    assert not models.Result.objects.exists()


def test_a_time_out_is_noted_once_and_says_who():
    ada, bob = make_people(2)
    control = TimeControl(60, kind="simple")
    with at_moment(1000.0):
        row = begin_rated([ada, bob], control=control, size=4)
        for seat, action in ((0, "a1"), (1, "d4")):
            row.refresh_from_db()
            table_services.add(row.code, [("play", action)], seat=seat, base=row.entries, key=f"p{seat}" * 4)
    with at_moment(2000.0):
        for _ in range(2):
            table_services.settle(row.code)
    [result] = models.Result.objects.all()
    assert [(e.place, e.ran_out) for e in result.entrants.all()] == [(2, True), (1, False)]


def test_a_match_of_two_games_is_one_result_by_points():
    ada, bob = make_people(2)
    row = begin_rated([ada, bob], "ren", games=2)
    resign(row, 0)
    assert not models.Result.objects.exists()
    row = resign(row, 1)
    [result] = models.Result.objects.all()
    assert [entrant.place for entrant in result.entrants.all()] == [1, 1]


def test_places_of_six_are_by_who_left_when():
    people = make_people(6)
    row = begin_rated(people, "rings", players=6)
    for seat in (3, 0, 5, 1, 2):
        row = resign(row, seat)
    [result] = models.Result.objects.all()
    assert [entrant.place for entrant in result.entrants.all()] == [5, 3, 2, 6, 1, 4]


def test_levels_of_bots_stay_where_they_are():
    [ada] = make_people(1)
    result = play_rated(ada, "5")
    jobs.rate_results()
    bot = result.entrants.get(bot="5").change
    assert not bot.counted and bot.rated == bot.after == levels_of("rive", "standard")["5"]
    assert selectors.ratings_of(ada)[0].rating.mean > 1350
    assert list(result.pool.ratings.values_list("guest", flat=True)) == [ada.pk]


@pytest.mark.parametrize("pace", ["live", "days"])
def test_lines_that_come_late_or_are_annulled_lead_to_what_the_ledger_says(pace):
    draw, people, pool = random.Random(7), make_people(8), _pool(pace)
    moments = [float(number // 2) * DAY / 3 for number in range(40)]  # two of each
    draw.shuffle(moments)
    for number, moment in enumerate(moments):
        who = [*draw.sample(people, draw.choice((2, 3, 6))), *draw.choices(["3", "9"], k=draw.choice((0, 1)))]
        places = [draw.randint(1, 3) for _ in who]
        late = [seat for seat, place in enumerate(places) if place == 3 and draw.random() < 0.7]
        result = write_result(pool, moment, list(zip(who, places, strict=True)), late)
        if number % 3 == 0:
            ledger.rate_pool(pool.pk)
        if number % 10 == 7:
            rulings.annul(result, by=None, reason="a test")
    jobs.rate_results()
    stored = _stored(pool)
    assert stored == _made_again(pool)
    lines = [
        Outcome(
            result.ended_at,
            [Entrant(ledger.key_of(e), e.place, e.ran_out) for e in result.entrants.order_by("seat")],
            not result.is_annulled,
        )
        for result in pool.results.order_by("ended_at", "table_id")
    ]
    standings: dict[int | str, Standing] = {}
    fixed = levels_of("rive", "standard")
    for _ in replay(lines, standings, fixed, Series() if pace == "days" else None):
        pass
    assert {row.guest_id: row.standing for row in pool.ratings.all()} == {
        key: standing for key, standing in standings.items() if isinstance(key, int)
    }


def test_an_annulled_result_counts_again_when_it_is_reinstated():
    ada, bob = make_people(2)
    first = play_rated(ada, bob)
    play_rated(bob, ada)
    jobs.rate_results()
    before = _stored(first.pool)
    assert rulings.annul(first, by=None, reason=" two windows of one person ").annuls
    assert rulings.annul(first, by=None, reason="again") is None
    jobs.rate_results()
    assert first.pool.ratings.get(guest=ada).games == 1
    rulings.reinstate(first, by=None, reason="it was a mistake")
    jobs.rate_results()
    assert _stored(first.pool) == before
    assert [ruling.reason for ruling in first.rulings.all()] == [
        "two windows of one person",
        "it was a mistake",
    ]


@pytest.mark.parametrize("reason", ["", "  ", "x" * 301])
def test_nobody_annuls_without_a_reason(reason):
    result = play_rated(*make_people(2))
    with pytest.raises(Refused, match="characters: it will be stored"):
        rulings.annul(result, by=None, reason=reason)
    result.refresh_from_db()
    assert not result.is_annulled and not result.rulings.exists()


@pytest.mark.django_db(transaction=True)
def test_who_dies_while_rating_leaves_all_of_it_to_the_next(monkeypatch):
    ada, bob = make_people(2)
    result = play_rated(ada, bob)
    monkeypatch.setattr(ledger, "_write_ratings", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        jobs.rate_results()
    result.refresh_from_db()
    assert result.is_due and not models.Change.objects.exists()
    monkeypatch.undo()
    jobs.rate_results()
    assert result.pool.ratings.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_match_whose_result_cannot_be_written_goes_on(monkeypatch):
    ada, bob = make_people(2)
    row = begin_rated([ada, bob])
    monkeypatch.setattr(receivers, "insert", lambda _rows: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        resign(row, 0)
    row.refresh_from_db()
    assert not row.is_over and not models.Result.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_several_processes_rate_everything_once():
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite one writes at a time, and a database in memory refuses the others")
    people, pool, draw = make_people(6), _pool(), random.Random(3)

    def rate() -> None:
        for _ in range(8):
            jobs.rate_results()
        connections.close_all()

    threads = [threading.Thread(target=rate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(25):
        write_result(
            pool, float(draw.randint(0, 9)), [(who, 1 + i) for i, who in enumerate(draw.sample(people, 2))]
        )
        if number % 8 == 0:
            rulings.annul(pool.results.order_by("?").first(), by=None, reason="a test")
    for thread in threads:
        thread.join()
    jobs.rate_results()
    assert _stored(pool) == _made_again(pool)
    assert pool.results.count() == 25
