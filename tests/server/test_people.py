"""People: the pages about them, and blocking."""

from urllib.parse import quote

import pytest
from django.db import IntegrityError, transaction
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from kakomi import catalog
from kakomi.contest.tournament import Swiss
from kakomi.server.accounts import services
from kakomi.server.accounts.models import Block, Guest
from kakomi.server.accounts.selectors import are_blocked, blocked_by_or_blocking, is_kept_from
from kakomi.server.people.profile import GAMES, Profile
from kakomi.server.ratings.jobs import rate_results
from kakomi.server.tables import models
from kakomi.server.tables import services as tables
from kakomi.server.tables.services import Sitter
from kakomi.server.tournaments.presenters import Page
from kakomi.session import MatchConfig, Refused
from server.people import make_user, signed_in
from server.rated_games import play_rated
from server.table_client import Person
from server.tournament_people import entered, go_on, organised, play_round

pytestmark = pytest.mark.django_db


def shown(guest: Guest | None) -> str:
    return Template("{% load accounts %}{% person guest %}").render(Context({"guest": guest}))


def invited_by(*hosts: Guest, game: str = "rin", **options: int) -> models.Table:
    """A table with seated hosts and free seats."""
    config = MatchConfig(catalog.game(game, **(options or {"size": 4})))
    free = [Sitter()] * (config.game.players - len(hosts))
    return tables.begin(config, [*(Sitter(host, name=host.name) for host in hosts), *free])


def free_seat(row: models.Table, number: int = 1) -> models.Seat:
    return row.seats.get(number=number)


def test_a_username_is_the_handle_of_the_guest() -> None:
    ada = make_user("ada")
    assert Guest.objects.get(pk=ada.guest_id).handle == "ada"
    ada.username = "countess"
    ada.save()
    assert Guest.objects.get(pk=ada.guest_id).handle == "countess"


@pytest.mark.parametrize("other", ["ösel", "ÖSEL", "Ösel", "\uff2fsel"])
def test_capitals_alone_tell_no_names_apart_in_any_alphabet(client: Client, other: str) -> None:
    """A full-width letter counts as the plain one."""
    first = "Osel" if other.isascii() or other[0] == "\uff2f" else "Ösel"
    make_user(first)
    form = {"username": other, "password1": "korrekt pferd batterie"}
    page = client.post("/account/sign-up", form).content.decode()
    assert "This name is taken." in page
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user(other)
    where = client.get(f"/@{other}")
    assert where.status_code == 200 if other == first else where.headers["Location"] == f"/@{quote(first)}"


def test_a_name_leads_to_the_page_about_somebody_with_an_account() -> None:
    assert shown(make_user("ada").guest) == '<a class="person" href="/@ada">Ada</a>'
    assert shown(Guest(name="<b>")) == '<span class="person">&lt;b&gt;</span>'
    assert "deleted player" in shown(None) and "deleted player" in shown(Guest(is_erased=True))
    with translation.override("de"):
        assert "gelöschter Spieler" in shown(None)


def test_a_bot_is_never_shown_as_a_person() -> None:
    bot = make_user("crusher").guest
    bot.is_bot = True
    assert '<span class="badge">bot</span>' in shown(bot)


def test_there_is_a_page_about_who_has_an_account(client: Client) -> None:
    make_user("ada")
    assert "@ada" in client.get("/@ada").content.decode()
    assert client.get("/@ADA")["Location"] == "/@ada"
    assert client.get("/@nobody").status_code == 404
    make_user("bob", is_active=False)
    assert client.get("/@bob").status_code == 404


def test_a_block_counts_in_both_directions_and_once() -> None:
    ada, bob, cleo = (make_user(name).guest for name in ("ada", "bob", "cleo"))
    services.block(ada, bob)
    services.block(ada, bob)
    assert Block.objects.count() == 1
    assert are_blocked(ada, bob) and are_blocked(bob, ada) and not are_blocked(ada, cleo)
    assert blocked_by_or_blocking(bob) == {ada.pk}
    assert is_kept_from(bob, [None, cleo.pk, ada.pk]) and not is_kept_from(bob, [bob.pk, cleo.pk])
    services.unblock(bob, ada)  # Bob can't lift Ada's block
    assert are_blocked(ada, bob)
    services.unblock(ada, bob)
    assert not are_blocked(ada, bob)


def test_nobody_blocks_themselves() -> None:
    ada = make_user("ada").guest
    services.block(ada, ada)
    assert not Block.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Block.objects.create(blocker=ada, blocked=ada)


def test_the_page_blocks_and_unblocks() -> None:
    bob, ada = make_user("bob").guest, Person("Ada")
    assert "Unblock" not in ada.client.get("/@bob").content.decode()
    assert ada.client.post("/@bob/block")["Location"] == "/@bob"
    assert are_blocked(ada.guest, bob) and "Unblock" in ada.client.get("/@bob").content.decode()
    ada.client.post("/@bob/block", {"wanted": "no"})
    assert not are_blocked(ada.guest, bob)


@pytest.mark.parametrize("blocks", ["host", "invited"])
def test_who_is_blocked_takes_no_seat_opposite(blocks: str) -> None:
    host, ada = make_user("bob").guest, Person("Ada")
    row = invited_by(host)
    services.block(*((host, ada.guest) if blocks == "host" else (ada.guest, host)))
    path = f"/join/{free_seat(row).invitation}"
    page = ada.client.get(path)
    assert page.status_code == 403 and "Join game" not in page.content.decode()
    assert "block" not in page.content.decode().lower()
    assert ada.client.post(path).status_code == 403
    with pytest.raises(Refused, match="you can’t join this game"):
        tables.sit_down(free_seat(row), ada.guest)
    assert free_seat(row).is_free


def test_at_a_table_of_many_a_block_counts_for_every_seat() -> None:
    host, second, ada = (make_user(name).guest for name in ("bob", "cleo", "ada"))
    row = invited_by(host, second, game="rings", size=2, players=4)
    services.block(second, ada)
    with pytest.raises(Refused):
        tables.sit_down(free_seat(row, 2), ada)
    services.unblock(second, ada)
    assert tables.sit_down(free_seat(row, 2), ada)


def over(*guests: Guest) -> models.Table:
    row = invited_by(*guests)
    tables.add(row.code, [("resign", None)], seat=0, base=0, key="resigning")
    return models.Table.objects.get(pk=row.pk)


def test_there_is_no_rematch_with_somebody_blocked() -> None:
    bob, ada = make_user("bob").guest, Person("Ada")
    row = over(ada.guest, bob)
    assert 'value="rematch"' in ada.client.get(f"/table/{row.code}").content.decode()
    services.block(bob, ada.guest)
    assert 'value="rematch"' not in ada.client.get(f"/table/{row.code}").content.decode()
    with pytest.raises(Refused, match="this game can’t have a rematch"):
        tables.rematch(row, ada.guest)


def test_a_seat_that_was_played_is_never_free_again() -> None:
    bob, ada = make_user("bob").guest, Person("Ada")
    row = over(bob, make_user("cleo").guest)
    row.seats.filter(number=1).update(guest=None, name="")
    seat = free_seat(row)
    assert not seat.is_free and not tables.sit_down(seat, ada.guest)
    assert ada.client.get(f"/join/{seat.invitation}").status_code == 409
    page = ada.client.get(f"/table/{row.code}").content.decode()
    assert "deleted player" in page and "Nobody yet" not in page


def test_the_page_of_a_newcomer_is_empty_and_says_so(client: Client) -> None:
    ada = make_user("ada")
    page = client.get("/@ada").content.decode()
    for words in ("No rated games", "No finished games", "No account holders", "No public games"):
        assert words in page
    assert "No games yet" in signed_in(ada).get("/@ada").content.decode()
    assert client.get("/@ada", {"before": "x"}).status_code == 404


def test_others_see_what_is_public_and_people_see_all_of_theirs(client: Client) -> None:
    ada, bob = make_user("ada"), make_user("bob")
    Guest.objects.update(shows_games=False)
    for user in (ada, bob):
        user.guest.refresh_from_db()
    row = over(bob.guest, ada.guest)
    private = client.get("/@ada").content.decode()
    assert row.code not in private and "@bob" not in private
    own = signed_in(ada).get("/@ada").content.decode()
    assert row.code in own and 'href="/@bob"' in own and "1 won, 0 drawn, 0 lost" in own
    row.seats.update(wants_listing=True)
    tables.wish_listing(row, ada.guest, wanted=True)
    public = client.get("/@ada").content.decode()
    assert row.code in public and "4 × 4" in public
    assert client.get("/@ada", {"before": row.pk}).content.decode().count(row.code) == 0


def test_the_list_of_games_goes_on_after_a_page() -> None:
    ada, bob = make_user("ada"), make_user("bob")
    rows = [over(ada.guest, bob.guest) for _ in range(GAMES + 1)]
    first = Profile(ada.guest, is_own=True)
    assert [game.row.pk for game in first.games] == [row.pk for row in rows[:0:-1]]
    second = Profile(ada.guest, is_own=True, before=first.older)
    assert [game.row.pk for game in second.games] == [rows[0].pk] and second.older is None
    (board,) = first.results
    assert (board.title, board.score.lost, board.score.games) == ("Rin", GAMES + 1, GAMES + 1)
    assert [(met.guest, met.score.lost) for met in first.met] == [(bob.guest, GAMES + 1)]


def test_a_profile_counts_games_of_tournaments_and_names_the_places(client: Client) -> None:
    row = organised(config=Swiss(rounds=1), name="Tea Cup")
    people = entered(row, 3)
    go_on(row)
    play_round(row)
    lines = Page.of(row, None).lines
    winner = next(line.entrant for line in lines if line.cells[0].text.startswith("+"))
    html = client.get(f"/@{winner.guest.handle}").content.decode()
    assert "No finished games yet" not in html and "No public games" not in html
    place = next(line.place for line in lines if line.entrant == winner)
    assert "Tea Cup</a>" in html and f"place {place} of 3" in html
    assert len(people) == 3 and '<td class="number">1</td><td class="number">0</td>' in html


def test_a_profile_shows_a_rating_graph_results_and_boards(client: Client) -> None:
    ada, bob = make_user("ada").guest, make_user("bob").guest
    tables_of = [play_rated(ada, bob).table for _ in range(5)]
    tables_of.append(play_rated(bob, ada).table)
    rate_results()
    page = client.get("/@ada").content.decode()
    assert page.count('<svg class="rating-curve"') == page.count('name="curve"') == 1
    assert "Rating after each game with its 95 % interval: first" in page
    assert '<rect class="win" width="5" height="1"/>' in page and 'x="5" width="1" height="1"/>' in page
    assert page.count('class="badge win"') == 5 and page.count('class="badge loss"') == 1
    assert all(f"/table/{row.code}/picture.svg" in page for row in tables_of)
    other = client.get("/@bob").content.decode()
    assert other.count('class="badge loss"') == 5 and other.count('class="badge win"') == 1


def test_a_game_against_oneself_is_neither_won_nor_lost() -> None:
    ada = make_user("ada").guest
    row = over(ada, ada)
    (game,) = Profile(ada, is_own=True).games
    assert game.row == row and game.outcome == "unclear"
    assert not Profile(ada, is_own=True).results
