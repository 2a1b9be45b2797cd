"""Ladders: people challenge those above and take their rung by winning, until the ladder is closed."""

import pytest
from django.test import Client

from kakomi.contest.tournament import Closed, Ladder, standings
from kakomi.server.accounts.models import Block, Guest
from kakomi.server.notices.models import Notice
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables.models import Table
from kakomi.server.tournaments import logs, services
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.presenters import Page
from kakomi.server.tournaments.terms import format_of
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.test_tournament_pages import form, text
from server.tournament_people import entered, go_on, going_games, organised, play

pytestmark = pytest.mark.django_db
State = Tournament.State


def rungs(row: Tournament) -> list[int]:
    """The entrants' numbers from the top down."""
    row.refresh_from_db()
    return [int(each.entrant) for each in standings(logs.log_of(row), format_of(row), row.seed)]


def guest_on(row: Tournament, rung: int) -> Guest:
    return Entrant.objects.get(tournament=row, number=rungs(row)[rung - 1]).guest


def ladder(count: int = 5, **agreed: object) -> Tournament:
    row = organised(config=Ladder(reach=2), **agreed)
    go_on(row)
    entered(row, count)
    return row


def challenged(row: Tournament, low: int, high: int) -> Game:
    """Have the entrant on rung `low` challenge the one on `high`, and return the game."""
    services.challenge(row, guest_on(row, low), rungs(row)[high - 1])
    return going_games(row)[-1]


def win(game: Game, guest: Guest) -> None:
    play(game, game.table.seats.get(guest=guest).number)


def test_a_ladder_waits_for_people_and_one_climbs_by_winning() -> None:
    row = ladder()
    assert row.state == State.RUNNING, "nobody has to be there from the beginning"
    before, climber = rungs(row), guest_on(row, 4)
    win(challenged(row, 4, 2), climber)
    assert rungs(row) == [before[0], before[3], before[2], before[1], before[4]]
    assert go_on(row).state == State.RUNNING, "it goes on"
    late = make_user("late").guest
    services.enter(row, late)
    assert guest_on(row, 6) == late
    html = text(Client().get(f"/tournaments/{row.code}"))
    assert "from rank 4 to 2" in html and "Rank" in html


def test_a_challenge_begins_one_game_however_often_it_is_sent() -> None:
    row = ladder()
    other = rungs(row)[0]
    for _ in range(3):
        services.challenge(row, guest_on(row, 2), other)
    assert Table.objects.count() == Game.objects.count() == 1
    challenger, defender = guest_on(row, 2), guest_on(row, 1)
    told = Notice.objects.filter(kind="tournament_round").values_list("guest", flat=True)
    assert set(told) == {challenger.pk, defender.pk}


def test_what_is_out_of_reach_is_refused() -> None:
    row = ladder()
    for low, high in ((4, 1), (1, 2), (2, 2)):
        with pytest.raises(Refused, match="up to 2 ranks"):
            challenged(row, low, high)
    challenged(row, 2, 1)
    with pytest.raises(Refused, match="neither of you"):
        challenged(row, 3, 2)
    with pytest.raises(Refused, match="Join the ladder to challenge players above you"):
        services.challenge(row, make_user("stranger").guest, 1)
    with pytest.raises(Refused, match="This player isn’t in this tournament"):
        services.challenge(row, guest_on(row, 4), 99)
    swiss = organised()
    entered(swiss, 2, "other")
    with pytest.raises(Refused, match="running ladder"):
        services.challenge(swiss, Entrant.objects.get(tournament=swiss, number=1).guest, 2)
    assert Game.objects.count() == 1


def test_who_has_blocked_somebody_is_not_challenged_by_them() -> None:
    row = ladder(2)
    Block.objects.create(blocker=guest_on(row, 1), blocked=guest_on(row, 2))
    with pytest.raises(Refused, match="can’t challenge this player"):
        challenged(row, 2, 1)
    assert not Game.objects.exists()


def test_to_decline_costs_the_rung_and_nothing_else() -> None:
    row = ladder()
    before, defender = rungs(row), guest_on(row, 1)
    game = challenged(row, 2, 1)
    for _ in range(2):
        services.decline(row, defender, game.table.code)
    go_on(row)
    assert rungs(row)[:2] == [before[1], before[0]]
    entrant = Entrant.objects.get(guest=defender)
    assert entrant.is_in and not entrant.leaving
    with pytest.raises(Refused, match="no such game"):
        services.decline(row, guest_on(row, 5), game.table.code)


def test_a_game_that_has_begun_is_not_declined() -> None:
    row = ladder()
    game = challenged(row, 2, 1)
    for base, action in enumerate(("0,0", "1,1", "2,2")):
        game.table.refresh_from_db()
        tables.add(game.table.code, [("play", action)], seat=game.table.to_act, base=base, key=action)
    with pytest.raises(Refused, match="resign"):
        services.decline(row, guest_on(row, 1), game.table.code)
    assert not Table.objects.get().is_over


def test_who_does_not_begin_in_time_loses_and_is_taken_out() -> None:
    row = ladder()
    game = challenged(row, 2, 1)
    absent = game.table.seats.get(number=game.table.to_act).guest
    start = clock.now()
    with clock.time_from(lambda: start + 8 * 86400):
        tables.settle(game.table.code)
        go_on(row)
    assert Entrant.objects.get(guest=absent).leaving == Entrant.Leaving.ABSENT
    services.enter(row, absent)
    assert Entrant.objects.get(guest=absent).is_in


def test_who_leaves_gives_up_their_game_before_they_are_gone() -> None:
    row = ladder()
    leaver, other = guest_on(row, 1), guest_on(row, 2)
    challenged(row, 2, 1)
    services.leave(row, leaver)
    go_on(row)
    assert guest_on(row, 1) == other and not Entrant.objects.get(guest=leaver).is_in
    assert not going_games(row)


def test_a_closed_ladder_ends_with_its_last_game() -> None:
    row = ladder()
    climber = guest_on(row, 2)
    game = challenged(row, 2, 1)
    with pytest.raises(Refused, match="Only the organiser"):
        services.close_ladder(row, guest_on(row, 3))
    for _ in range(2):
        services.close_ladder(row, row.organiser)
    assert go_on(row).state == State.RUNNING
    with pytest.raises(Refused, match="closed"):
        challenged(row, 4, 3)
    with pytest.raises(Refused, match="Registration is closed"):
        services.enter(row, make_user("late").guest)
    win(game, climber)
    assert go_on(row).state == State.OVER and guest_on(row, 1) == climber
    assert sum(isinstance(entry, Closed) for entry in logs.log_of(row)) == 1
    other = organised()
    with pytest.raises(Refused, match="Only ladders can be closed; other tournaments end by themselves"):
        services.close_ladder(other, other.organiser)


def test_the_page_of_a_ladder() -> None:
    client = signed_in(make_user("ada"))
    sent = form(format="ladder", reach="2")
    path = client.post("/tournaments/new/rin", sent)["Location"]
    row = Tournament.objects.get()
    assert format_of(row) == Ladder(reach=2) and not row.takes_late
    client.post(f"{path}/begin")
    go_on(row)
    entered(row, 4)
    play(challenged(row, 2, 1))
    client.post(f"{path}/enter")  # begins at the foot, as games have been played
    foot = guest_on(row, 5)
    page = Page.of(Tournament.objects.get(), foot)
    assert page.challengeable == {str(number) for number in rungs(row)[2:4]}
    assert page.crosstables[0].columns == [], "a ladder has no rounds"
    html = text(client.get(path))
    assert html.count("Challenge<span") == 2 and "Close ladder" in html
    assert client.post(f"{path}/challenge", {"entrant": rungs(row)[3]}).status_code == 302
    html = text(client.get(path))
    assert "Decline and lose" in html and "Latest games" in html
    table = Table.objects.latest("pk")
    assert client.post(f"{path}/decline", {"table": table.code}).status_code == 302
    assert not Table.objects.filter(is_over=False).exists()
    german = text(client.get(path, headers={"accept-language": "de"}))
    assert "Rang" in german
