"""Tournaments: the site pairs rounds once, hears of results, and lets people come and go."""

from functools import partial
from typing import Any

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
    next_round,
    standings,
)
from kakomi.server import clock
from kakomi.server.accounts.models import Block, Guest
from kakomi.server.moderation.models import Measure
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.people.erasure import erase
from kakomi.server.rests import services as rests
from kakomi.server.tables import services as tables
from kakomi.server.tables.models import Table
from kakomi.server.tournaments import logs, rounds, services
from kakomi.server.tournaments.models import Entrant, Game, LogEntry, Round, Tournament
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


def test_the_same_form_makes_one_tournament() -> None:
    guest = make_user("ada").guest
    wanted = asked_for(begins_at=clock.now() + 60)
    assert services.create(guest, wanted, "one").pk == services.create(guest, wanted, "one").pk
    assert Tournament.objects.count() == 1


def test_there_is_a_limit_to_the_tournaments_of_an_organiser() -> None:
    guest = make_user("ada").guest
    for number in range(services.MOST_GOING):
        services.create(guest, asked_for(begins_at=clock.now() + 60), f"key{number}")
    with pytest.raises(Refused, match="that is as many"):
        services.create(guest, asked_for(begins_at=clock.now() + 60), "another")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "x"}, "3 to 60"),
        ({"name": "a\u202eb\u0000c"}, "3 to 60"),
        ({"name": "line\nbreak"}, "3 to 60"),
        ({"most": 65}, "2 to 64"),
        ({"round_days": 8}, "lengths of a round"),
        ({"filler": "99"}, "no such level"),
        ({"config": Swiss(rounds=16)}, "15 rounds"),
        ({"config": Tables(seats=4)}, "players"),
        ({"begins_at": 1.0}, "60 days"),
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
    rounds.go_on(row.pk)
    again = Tournament.objects.get(pk=row.pk)
    rounds.go_on(row.pk)
    assert again.version == Tournament.objects.get(pk=row.pk).version
    assert (Round.objects.count(), Game.objects.count(), Table.objects.count()) == (1, 2, 2)


@pytest.mark.parametrize("line", ["begin", "tell_round", "append", "finish"])
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
            rounds.go_on(row.pk)
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


def test_who_comes_late_plays_from_the_next_round_on() -> None:
    row = organised(config=Swiss(rounds=3), takes_late=True)
    entered(row, 4)
    go_on(row)
    late = make_user("late").guest
    services.enter(row, late)
    assert not Table.objects.filter(seats__guest=late).exists()
    play_round(row)
    assert Table.objects.filter(seats__guest=late).exists() or any(
        "5" in each.byes for each in logs.replayed(row).rounds
    )


def test_a_tournament_without_late_entry_takes_nobody_once_it_has_begun() -> None:
    row = organised(config=RoundRobin(), takes_late=True)
    entered(row, 3)
    go_on(row)
    with pytest.raises(Refused, match="has begun"):
        services.enter(row, make_user("late").guest)


def test_who_leaves_amid_a_round_gives_up_their_game_and_is_not_paired_again() -> None:
    row = organised(config=Swiss(rounds=3))
    people = entered(row, 4)
    go_on(row)
    services.leave(row, people[0])
    services.leave(row, people[0])
    go_on(row)
    own = Table.objects.get(seats__guest=people[0])
    assert own.is_over
    play_round(row)
    assert len(logs.replayed(row).rounds) == 2
    assert Table.objects.filter(seats__guest=people[0]).count() == 1
    assert ("withdrawn") in {each.status for each in standings(logs.log_of(row), format_of(row), row.seed)}
    services.enter(row, people[0])
    play_round(row)
    assert (
        Table.objects.filter(seats__guest=people[0]).count() == 2 or "1" in logs.replayed(row).rounds[2].byes
    )


def test_who_does_not_come_to_a_game_loses_it_and_is_not_paired_again() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 4)
    go_on(row)
    game, other = going_games(row)
    absent = game.table.seats.get(number=game.table.to_act).guest
    play(other)
    start = clock.now()
    with clock.time_from(lambda: start + 8 * 86400):
        tables.settle(game.table.code)
        go_on(row)
    assert logs.replayed(row).game(1, game.number).result.absent
    entrant = Entrant.objects.get(guest=absent)
    assert (entrant.is_in, entrant.leaving) == (False, Entrant.Leaving.ABSENT)
    assert Notice.objects.filter(guest=absent, kind="tournament_removed").count() == 1


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
        rests.take_vacation(traveller, 0, ends + 86400)
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
    assert any("and you had to act" in NoticeView(notice).words for notice in told)
    html = Client().get(f"/table/{game.table.code}").content.decode()
    assert "The round of the tournament ended, and" in html and "resigned" not in html


def test_a_round_that_ends_before_both_have_begun_is_lost_by_whoever_did_not_come() -> None:
    row = organised(config=Swiss(rounds=1), round_days=7)
    entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    assert end_with_round(game.table)
    table = Table.objects.get()
    assert table.is_over and table.log.last().content["value"] == "round over"
    row.refresh_from_db()
    result = logs.replayed(row).game(1, 1).result
    (absent,) = result.absent
    assert result.places[absent] == 2
    assert "before" in Client().get(f"/table/{table.code}").content.decode()


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
    with pytest.raises(Refused, match="happened"):
        services.correct(row, director, **{**wanted, "places": [1, 1], "version": 1})


def test_an_erased_account_leaves_and_its_results_stay() -> None:
    row = organised(config=Swiss(rounds=3))
    people = entered(row, 4)
    go_on(row)
    erase(people[0])
    go_on(row)
    play_round(row)
    assert Entrant.objects.get(number=1).leaving == Entrant.Leaving.ERASED
    found = standings(logs.log_of(row), format_of(row), row.seed)
    assert [each.status for each in found if each.entrant == "1"] == ["erased"]
    assert len(found) == 4


def test_an_organiser_who_is_erased_leaves_a_tournament_that_goes_on_by_itself() -> None:
    row = organised(config=Swiss(rounds=1))
    entered(row, 2)
    erase(row.organiser)
    go_on(row)
    play_round(row)
    assert row.state == State.OVER and Guest.objects.get(pk=row.organiser_id).is_erased


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


def test_nobody_left_ends_the_tournament() -> None:
    row = organised(config=Swiss(rounds=5))
    people = entered(row, 4)
    go_on(row)
    for guest in people:
        services.leave(row, guest)
    go_on(row)
    go_on(row)
    assert row.state == State.OVER
    assert not Table.objects.filter(is_over=False).exists()


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


def test_a_bots_account_enters_only_where_bots_may() -> None:
    owner = make_user("owner")
    bot = make_user("robot", owner=owner).guest
    Guest.objects.filter(pk=bot.pk).update(is_bot=True)
    bot.refresh_from_db()
    with pytest.raises(Refused, match="no bots"):
        services.enter(organised(), bot)
    row = organised(takes_bots=True, is_rated=True)
    services.enter(row, bot)
    with pytest.raises(Refused, match="owner"):
        services.enter(row, owner.guest)


def test_who_may_not_enter_hears_why() -> None:
    row = organised(most=2)
    Tournament.objects.update(due_at=clock.now() + 86400)
    with pytest.raises(Refused, match="account"):
        services.enter(row, Guest.objects.create(name="Nobody"))
    blocked = make_user("blocked").guest
    Block.objects.create(blocker=row.organiser, blocked=blocked)
    with pytest.raises(Refused, match="can’t take part"):
        services.enter(row, blocked)
    first, _ = entered(row, 2)
    with pytest.raises(Refused, match="full"):
        services.enter(row, make_user("third").guest)
    services.remove(row, row.organiser, 1)
    go_on(row)
    with pytest.raises(Refused, match="removed"):
        services.enter(Tournament.objects.get(), first)


def test_a_block_between_players_changes_no_pairing() -> None:
    row = organised(config=Swiss(rounds=2))
    people = entered(row, 4)
    go_on(row)
    first = played_by(row)
    for one in people:
        for other in people:
            if one != other:
                Block.objects.create(blocker=one, blocked=other)
    play_round(row)
    go_on(row)
    assert len(first) == 2 and len(played_by(row)) == 4, "all of them, though everybody has blocked everybody"


def played_by(row: Tournament) -> list[frozenset[int | None]]:
    games = Game.objects.filter(round__tournament=row).order_by("pk")
    return [frozenset(seat.guest_id for seat in game.table.seats.all()) for game in games]


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


def test_an_erased_person_is_named_in_no_text_of_a_tournament() -> None:
    row = organised(config=Swiss(rounds=1), name="Cup of ORGANISER0")
    people = entered(row, 2)
    go_on(row)
    play(going_games(row)[0])
    row.refresh_from_db()
    wanted = {"number": 1, "table": 1, "places": [1, 1], "version": row.version}
    services.correct(row, row.organiser, reason="player1 and player2 agreed", **wanted)
    erase(people[0])
    erase(row.organiser)
    row.refresh_from_db()
    assert row.name == "Tournament"
    assert list(row.log.exclude(reason="").values_list("reason", flat=True)) == ["…"]


def test_who_is_suspended_enters_nothing_and_holds_up_no_round() -> None:
    row = organised(config=Swiss(rounds=3))
    people = entered(row, 4)
    go_on(row)
    suspend(people[0])
    play_round(row)
    assert len(logs.replayed(row).rounds) == 2, "the round is paired without them"
    assert Entrant.objects.get(guest=people[0]).leaving == Entrant.Leaving.SUSPENDED
    with pytest.raises(Refused, match="suspended until"):
        services.enter(row, people[0])
    with pytest.raises(Refused, match="suspended until"):
        services.create(people[0], asked_for(begins_at=clock.now() + 60), "key")


def test_who_is_suspended_as_a_round_is_paired_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    row = organised(config=Swiss(rounds=1))
    people = entered(row, 4)

    def suspending(*asked: Any) -> Any:
        suspend(people[0])
        return next_round(*asked)

    monkeypatch.setattr("kakomi.server.tournaments.rounds.next_round", suspending)
    rounds.go_on(row.pk)
    assert not Round.objects.exists() and not Table.objects.exists()
    monkeypatch.undo()
    rounds.go_on(row.pk)
    assert Game.objects.get().table.seats.exclude(guest=people[0]).count() == 2


def suspend(guest: Guest) -> None:
    """Keep somebody from games with others for a week."""
    now = clock.now()
    kind = Measure.Kind.SUSPENSION
    Measure.objects.create(about=guest, kind=kind, reason="rude", at=now, until=now + 7 * 86400)
