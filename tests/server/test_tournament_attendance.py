"""Tournaments: people come late, leave, stay away, are erased, blocked or suspended."""

import re
from typing import Any

import pytest

from kakomi.contest.tournament import (
    Elimination,
    RoundRobin,
    Swiss,
    Tables,
    next_round,
    standings,
)
from kakomi.protocol.mail.printing.board import board_block
from kakomi.server.accounts.models import Block, Guest
from kakomi.server.mail.outgoing import board_report
from kakomi.server.moderation.models import Measure
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.people.erasure import erase
from kakomi.server.ratings.models import Result
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables.models import Table
from kakomi.server.tournaments import logs, rounds, services
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.rounds import TableResult, result_of_table
from kakomi.server.tournaments.terms import format_of
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.test_tournament_api import asked
from server.tournament_people import (
    asked_for,
    entered,
    go_on,
    going_games,
    organised,
    play,
    play_round,
)
from session.told_tables import begun, told

pytestmark = pytest.mark.django_db
State = Tournament.State


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
    with pytest.raises(Refused, match="has started"):
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
    row = organised(config=Swiss(rounds=2), is_rated=True, options={})
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
    there = game.table.seats.exclude(guest=absent).get().guest
    said = words(there, "over"), words(absent, "over")
    assert "you won" in said[0] and "Player" in said[0]
    assert "didn’t make the first move in time" in said[0]
    assert "you lost. You didn’t make your first move in time." in said[1]
    assert "first move in time" in words(absent, "tournament_removed")
    html = signed_in(there.user).get(f"/table/{game.table.code}").content.decode()
    assert "You win." in html and "didn’t make the first move in time." in html
    assert not Result.objects.filter(table=game.table).exists(), "nobody has played"
    entrant = Entrant.objects.get(guest=absent)
    assert (entrant.is_in, entrant.leaving) == (False, Entrant.Leaving.ABSENT)
    assert Notice.objects.filter(guest=absent, kind="tournament_removed").count() == 1


def words(guest: Guest, kind: str) -> str:
    """The words of a guest's notice."""
    return NoticeView(Notice.objects.get(guest=guest, kind=kind)).words


def test_a_game_of_a_tournament_is_not_called_off_and_says_so_everywhere() -> None:
    row = organised(config=Swiss(rounds=1))
    first, second = entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    if game.table.seats.get(number=0).guest != first:
        first, second = second, first
    client, path = signed_in(first.user), f"/table/{game.table.code}"
    html = client.get(path).content.decode()
    assert "Abort game" not in html and "Resign" in html
    assert re.search(r"first move by <time [^>]*>[^<]*</time> or you lose", html)
    assert "your turn: make your first move or you lose" in client.get("/").content.decode()
    mailed = board_block(board_report(game.table, first)).text
    assert "Make your first move by" in " ".join(mailed.split())
    assert "or loses" in signed_in(second.user).get(path).content.decode()
    seen = asked(first.user, f"/tables/{game.table.code}", "read").json()
    assert "abort" not in seen["may"] and "resign" in seen["may"]
    assert seen["tournament"] == {"code": row.code, "name": "Autumn Cup", "round": 1}
    sent = {"kind": "abort stopped", "base": "0", "key": "sent-once"}
    assert "can only resign" in client.post(f"{path}/act", sent).content.decode()
    assert re.search(r"Move by .* UTC or you lose the game\.", words(first, "tournament_round"))
    assert "move within 7 days or you lose the game." in words(second, "tournament_round")
    services.leave(row, first)
    go_on(row)
    go_on(row)
    assert logs.replayed(row).game(1, 1).result.absent == frozenset()
    assert "you won" in words(second, "over") and "resigned" in words(second, "over")
    html = client.get(f"/tournaments/{row.code}").content.decode()
    assert "withdrew" in html and html.count("missed a game") == 1 and "(no-show)" not in html


def test_who_missed_a_game_of_a_round_robin_returns() -> None:
    row = organised(config=RoundRobin())
    entered(row, 4)
    go_on(row)
    game, other = going_games(row)
    absent = game.table.seats.get(number=game.table.to_act).guest
    play(other)
    start = clock.now()
    with clock.time_from(lambda: start + 8 * 86400):
        tables.settle(game.table.code)
        go_on(row)
        assert not Entrant.objects.get(guest=absent).is_in
        services.close_entries(row, row.organiser, closed=True)
        services.enter(row, absent)
        for _ in range(4):
            play_round(row)
    assert row.state == State.OVER
    games = Game.objects.filter(table__seats__guest=absent)
    assert games.count() == 3, "one that was missed, and both others"
    with pytest.raises(Refused, match="ended"):
        services.enter(row, make_user("late").guest)


def test_who_missed_a_game_of_a_knock_out_is_out() -> None:
    row = organised(config=Elimination())
    entered(row, 4)
    go_on(row)
    game, _ = going_games(row)
    absent = game.table.seats.get(number=game.table.to_act).guest
    start = clock.now()
    with clock.time_from(lambda: start + 8 * 86400):
        tables.settle(game.table.code)
        go_on(row)
        html = signed_in(absent.user).get(f"/tournaments/{row.code}").content.decode()
    assert "first move in time" in words(absent, "tournament_removed")
    assert "You have no more games in this tournament and can’t rejoin." in html and "have left" not in html
    assert "4 players" in html and "missed a game" in html


def test_who_left_a_knock_out_does_not_return_and_learns_their_place() -> None:
    row = organised(config=Elimination())
    people = entered(row, 4)
    go_on(row)
    services.leave(row, people[0])
    html = signed_in(people[0].user).get(f"/tournaments/{row.code}").content.decode()
    assert "Your game in round 1" not in html, "it ends in a moment"
    go_on(row)
    with pytest.raises(Refused, match="You have no more games in this tournament and can’t rejoin"):
        services.enter(row, people[0])
    play_round(row)
    play_round(row)
    assert words(people[0], "tournament_over") == "Autumn Cup is over. Your place: 3 of 4. See who won."


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


def test_a_bots_account_enters_only_where_bots_may() -> None:
    owner = make_user("owner")
    bot = make_user("robot", owner=owner).guest
    Guest.objects.filter(pk=bot.pk).update(is_bot=True)
    bot.refresh_from_db()
    with pytest.raises(Refused, match="isn’t open to bots"):
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
    with pytest.raises(Refused, match="You can’t join this tournament"):
        services.enter(row, blocked)
    first, _ = entered(row, 2)
    with pytest.raises(Refused, match="full"):
        services.enter(row, make_user("third").guest)
    services.remove_entrant(row, row.organiser, 1)
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


def test_an_erased_person_is_named_in_no_text_of_a_tournament() -> None:
    row = organised(config=Swiss(rounds=1), name="Cup of ORGANISER0", description="Won by Player1")
    people = entered(row, 2)
    go_on(row)
    play(going_games(row)[0])
    row.refresh_from_db()
    wanted = {"number": 1, "table": 1, "places": [1, 1], "version": row.version}
    services.correct(row, row.organiser, reason="player1 and player2 agreed", **wanted)
    erase(people[0])
    erase(row.organiser)
    row.refresh_from_db()
    assert (row.name, row.description) == ("Tournament", "…")
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
    rounds.advance(row.pk)
    assert not Round.objects.exists() and not Table.objects.exists()
    monkeypatch.undo()
    rounds.advance(row.pk)
    assert Game.objects.get().table.seats.exclude(guest=people[0]).count() == 2


def suspend(guest: Guest) -> None:
    """Suspend a guest for a week."""
    now = clock.now()
    kind = Measure.Kind.SUSPENSION
    Measure.objects.create(about=guest, kind=kind, reason="rude", at=now, until=now + 7 * 86400)


def test_at_a_table_of_several_the_others_play_on_without_whoever_does_not_begin() -> None:
    row = organised("rings", config=Tables(seats=3, rounds=1))
    entered(row, 3)
    go_on(row)
    (game,) = going_games(row)
    absent = game.table.seats.get(number=game.table.to_act).guest
    start = clock.now()
    with clock.time_from(lambda: start + 8 * 86400):
        table = tables.settle(game.table.code)
        assert table is not None and not table.is_over
        play(game, winner=2)
        go_on(row)
    result = logs.replayed(row).game(1, 1).result
    assert (result.absent, result.places) == ({0}, (3, 2, 1))
    assert Entrant.objects.get(guest=absent).leaving == Entrant.Leaving.ABSENT


def test_a_table_of_an_older_log_that_was_called_off_is_lost_as_before() -> None:
    table = told(begun(start=300), "0 play 0,0 @1200")
    assert result_of_table(table, told(table, "- abort not started @1500")) == TableResult((1, 2), (1,))
    assert result_of_table(table, told(table, "0 abort stopped")) == TableResult(
        (2, 1), (0,), is_declined=True
    )
