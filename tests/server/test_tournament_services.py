"""Tournament services: pairing each round once, recording results, entering and leaving."""

from functools import partial

import pytest
from django.db import transaction
from django.test import Client

from kakomi.contest.tournament import (
    Closed,
    Corrected,
    Elimination,
    Reported,
    RoundRobin,
    Swiss,
    Tables,
    standings,
)
from kakomi.server.accounts.models import User
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables import vacations
from kakomi.server.tables.models import Table
from kakomi.server.tournaments import logs, rounds, services
from kakomi.server.tournaments.models import Entrant, Game, LogEntry, Round, Tournament
from kakomi.server.tournaments.selectors import MOST_GOING
from kakomi.server.tournaments.terms import format_of
from kakomi.server.tournaments.withdrawals import end_with_round
from kakomi.session import Refused
from server.people import make_user
from server.tournament_people import (
    LATE,
    asked_for,
    entered,
    go_on,
    going_games,
    organised,
    play,
    play_round,
)

pytestmark = pytest.mark.django_db
State = Tournament.State


def table_of(row: Tournament) -> list[tuple[int, str]]:
    found = standings(logs.log_of(row), format_of(row), row.seed)
    return [(each.place, each.entrant) for each in found]


def test_a_swiss_is_played_to_its_end_and_everybody_hears_of_it() -> None:
    row = organised(config=Swiss(rounds=3))
    people = entered(row, 6)
    go_on(row)
    assert row.state == State.RUNNING and len(going_games(row)) == 3
    for _ in range(3):
        play_round(row)
    assert row.state == State.OVER and row.due_at is None
    assert Round.objects.filter(tournament=row, is_over=True).count() == 3
    assert Game.objects.filter(is_over=True).count() == 9
    games = sum(each.games for each in standings(logs.log_of(row), format_of(row), row.seed))
    assert games == 18
    for guest in people:
        kinds = list(Notice.objects.filter(guest=guest).values_list("kind", flat=True))
        assert kinds.count("tournament_round") == 3
        assert kinds.count("tournament_over") + kinds.count("tournament_won") == 1
    assert Notice.objects.filter(kind="tournament_won").exists()


@pytest.mark.parametrize("key", ["one", "one" * 30])
def test_the_same_form_makes_one_tournament(key: str) -> None:
    guest = make_user("ada").guest
    wanted = asked_for(begins_at=clock.now() + 60)
    assert services.create(guest, wanted, key).pk == services.create(guest, wanted, key).pk
    assert Tournament.objects.count() == 1


def test_there_is_a_limit_to_the_tournaments_of_an_organiser() -> None:
    guest = make_user("ada").guest
    for number in range(MOST_GOING):
        services.create(guest, asked_for(begins_at=clock.now() + 60), f"key{number}")
    with pytest.raises(Refused, match="unfinished tournaments, which is the limit"):
        services.create(guest, asked_for(begins_at=clock.now() + 60), "another")
    User.objects.filter(guest=guest).update(is_staff=True)
    assert services.create(guest, asked_for(begins_at=clock.now() + 60), "another").pk


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "x"}, "3 to 60"),
        ({"name": "a\u202eb\u0000c"}, "3 to 60"),
        ({"name": "line\nbreak"}, "3 to 60"),
        ({"most": 65}, "2 to 64"),
        ({"round_days": 8}, "Choose one of the round limits in the list"),
        ({"filler": "99"}, "bot levels"),
        ({"config": Swiss(rounds=16)}, "15 rounds"),
        ({"config": Tables(seats=4)}, "players"),
        ({"begins_at": 1.0}, "is in the past"),
        ({"begins_at": clock.now() + 61 * 86400}, "60 days"),
    ],
)
def test_what_can_not_be_is_refused_in_a_sentence(changes: dict[str, object], said: str) -> None:
    guest = make_user("ada").guest
    wanted = {"begins_at": clock.now() + 60, **changes}
    with pytest.raises(Refused, match=said):
        services.create(guest, asked_for(**wanted), "key")
    assert not Tournament.objects.exists()


def test_a_round_is_written_once_whoever_comes_first() -> None:
    row = organised()
    entered(row, 4)
    rounds.advance(row.pk)
    again = Tournament.objects.get(pk=row.pk)
    rounds.advance(row.pk)
    assert again.version == Tournament.objects.get(pk=row.pk).version
    assert (Round.objects.count(), Game.objects.count(), Table.objects.count()) == (1, 2, 2)


@pytest.mark.parametrize("line", ["begin", "notify_round", "append", "finish"])
def test_a_process_that_dies_between_two_lines_leaves_nothing_half_done(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = organised(config=Swiss(rounds=1))
    entered(row, 4)
    if line == "finish":
        go_on(row)
        for game in going_games(row):
            play(game)
    target = logs if line == "append" else rounds
    real, calls = getattr(target, line), []

    def dies(*args: object, **named: object) -> object:
        calls.append(1)
        if len(calls) == 2 or line in ("append", "finish"):
            raise SystemExit("killed")
        return real(*args, **named)

    before = (Table.objects.count(), LogEntry.objects.count(), Round.objects.count())
    with monkeypatch.context() as patch:
        patch.setattr(target, line, dies)
        with pytest.raises(SystemExit), transaction.atomic():
            rounds.advance(row.pk)
    assert (Table.objects.count(), LogEntry.objects.count(), Round.objects.count()) == before
    go_on(row)
    assert row.state == (State.OVER if line == "finish" else State.RUNNING)
    assert (Round.objects.count(), Game.objects.count()) == (1, 2)


def test_a_result_that_can_not_be_written_undoes_the_end_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    row = organised()
    entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    with monkeypatch.context() as patch:
        patch.setattr(logs, "append", lambda *_: (_ for _ in ()).throw(SystemExit("killed")))
        with pytest.raises(SystemExit), transaction.atomic():
            play(game)
    assert not Table.objects.get(pk=game.table_id).is_over
    play(game)
    assert [each for each in logs.log_of(Tournament.objects.get()) if isinstance(each, Reported)] == [
        Reported(1, 1, (1, 2))
    ]


def test_a_round_whose_days_are_over_ends_though_clocks_stand() -> None:
    row = organised(config=Swiss(rounds=1), round_days=7)
    entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    for base, action in enumerate(("0,0", "1,1", "2,2")):  # everybody has finished a turn
        seat = Table.objects.get().to_act
        tables.add(game.table.code, [("play", action)], seat=seat, base=base, key=action)
    ends = Round.objects.get().ends_at
    to_act = Table.objects.get().to_act
    traveller = game.table.seats.get(number=to_act).guest
    with clock.time_from(lambda: ends - 5 * 86400):
        vacations.take_vacation(traveller, 0, ends + 86400)
        tables.settle(game.table.code)
    with clock.time_from(lambda: ends + 1):
        assert tables.settle(game.table.code) is None
        run_job(LATE)
        run_job(LATE)
        go_on(row)
    assert row.state == State.OVER
    assert logs.replayed(row).game(1, 1).result.places[to_act] == 2
    last = Table.objects.get().log.last()
    assert last.content["do"] == "forfeit" and last.content["value"] == to_act
    told = Notice.objects.filter(kind="over").order_by("guest")
    assert {notice.data["ending"] for notice in told} == {"forfeit"} and told.count() == 2
    assert any("The tournament round ended on your turn" in NoticeView(notice).words for notice in told)
    html = Client().get(f"/table/{game.table.code}").content.decode()
    assert "The tournament round ended on" in html and "resigned" not in html


def test_a_round_that_ends_before_both_have_begun_is_lost_by_whoever_did_not_come() -> None:
    row = organised(config=Swiss(rounds=1), round_days=7)
    entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    assert end_with_round(game.table)
    table = Table.objects.get()
    assert table.is_over and table.log.last().content["do"] == "forfeit"
    row.refresh_from_db()
    result = logs.replayed(row).game(1, 1).result
    (absent,) = result.absent
    assert result.places[absent] == 2
    assert "tournament round ended" in Client().get(f"/table/{table.code}").content.decode()


def test_a_director_corrects_a_result_after_the_next_round_began() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 4)
    go_on(row)
    play_round(row)
    before = logs.replayed(row).rounds[1].games
    director = row.organiser
    wanted = {"number": 1, "table": 1, "places": [2, 1], "reason": "they had agreed", "version": row.version}
    services.correct(row, director, **wanted)
    services.correct(row, director, **wanted)
    assert sum(isinstance(each, Corrected) for each in logs.log_of(Tournament.objects.get())) == 1
    row.refresh_from_db()
    assert logs.replayed(row).game(1, 1).result.places == (2, 1)
    assert [game.seats for game in logs.replayed(row).rounds[1].games] == [game.seats for game in before]
    assert LogEntry.objects.get(number=row.version).reason == "they had agreed"
    stranger = make_user("stranger").guest
    with pytest.raises(Refused, match="organiser"):
        services.correct(row, stranger, **wanted)
    with pytest.raises(Refused, match="reason"):
        services.correct(row, director, **{**wanted, "reason": " "})
    with pytest.raises(Refused, match="has changed"):
        services.correct(row, director, **{**wanted, "places": [1, 1], "version": 1})


def test_everybody_level_shares_the_first_place() -> None:
    row = organised(config=Swiss(rounds=1))
    entered(row, 4)
    go_on(row)
    for game in going_games(row):
        play(game)
        row.refresh_from_db()
        wanted = {
            "number": 1,
            "table": game.number,
            "places": [1, 1],
            "reason": "a draw",
            "version": row.version,
        }
        services.correct(row, row.organiser, **wanted)
    go_on(row)
    assert row.state == State.OVER
    assert {place for place, _ in table_of(row)} == {1}


def test_too_few_call_it_off() -> None:
    row = organised()
    (lonely,) = entered(row, 1)
    go_on(row)
    assert row.state == State.CANCELLED
    assert Notice.objects.filter(guest=lonely, kind="tournament_cancelled").exists()


def test_bots_fill_tables_where_the_organiser_wants_it() -> None:
    row = organised(config=Swiss(rounds=1), filler="3")
    entered(row, 3)
    go_on(row)
    assert Entrant.objects.filter(bot="3").count() == 1
    assert len(going_games(row)) == 2 and not logs.replayed(row).rounds[0].byes


def test_a_cancelled_tournament_pairs_no_more_but_its_games_count() -> None:
    row = organised(config=Swiss(rounds=3))
    entered(row, 4)
    go_on(row)
    services.cancel(row, row.organiser, "the hall burnt down")
    services.cancel(row, row.organiser, "the hall burnt down")
    for game in going_games(row):
        play(game)
    go_on(row)
    assert row.state == State.CANCELLED and Round.objects.count() == 1
    assert sum(isinstance(each, Closed) for each in logs.log_of(row)) == 1
    assert sum(isinstance(each, Reported) for each in logs.log_of(row)) == 2


@pytest.mark.parametrize("config", [Elimination(), Elimination(losses=2), RoundRobin(legs=2)], ids=str)
def test_other_formats_come_to_an_end(config: object) -> None:
    row = organised(config=config)  # type: ignore[arg-type]
    entered(row, 5)
    go_on(row)
    for _ in range(20):
        if row.state == State.OVER:
            break
        play_round(row)
    assert row.state == State.OVER
    assert table_of(row)[0][0] == 1


def test_rings_is_played_by_twelve_at_tables_of_four() -> None:
    row = organised("rings", Tables(seats=4, rounds=3))
    entered(row, 12)
    go_on(row)
    for _ in range(3):
        assert [game.table.seats.count() for game in going_games(row)] == [4, 4, 4]
        play_round(row, lambda game: game.number % 4)
    assert row.state == State.OVER
    assert len(table_of(row)) == 12


def test_a_rated_tournament_writes_the_ledger() -> None:
    from kakomi.server.ratings.models import Result

    row = organised(config=Swiss(rounds=1), is_rated=True, options={})
    entered(row, 2)
    go_on(row)
    play_round(row)
    assert Result.objects.count() == 1


def test_a_swiss_of_sixteen_is_played_over_days_though_two_drop_out() -> None:
    row = organised(config=Swiss(rounds=5))
    people = entered(row, 16)
    start = clock.now()
    for day in range(5):
        with clock.time_from(partial(float, start + day * 86400)):
            go_on(row)
            if day == 1:
                services.leave(row, people[3])
                go_on(row)
            if day == 3:
                services.leave(row, people[8])
            for game in going_games(row):
                play(game, game.number % 2)
            go_on(row)
    assert row.state == State.OVER
    state = logs.replayed(row)
    assert len(state.rounds[0].games) == 8
    assert not state.open_games
    met = [frozenset(game.seats) for game in state.games if game.met()]
    assert len(set(met)) == len(met), "nobody meets the same opponent twice"
    found = standings(logs.log_of(row), format_of(row), row.seed)
    assert len(found) == 16
    assert sorted(each.entrant for each in found if each.status == "withdrawn") == ["4", "9"]
