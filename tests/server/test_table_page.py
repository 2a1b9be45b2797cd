"""The page on which people play: turns built up, offers, rematches, earlier positions, who may see what."""

import re
import sqlite3

import pytest
from django.db import OperationalError
from django.test import Client

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.known_results import FairKomi, KomiTable
from kakomi.server.tables import models, services
from kakomi.server.tables.history import move_list
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from server.table_client import PART, Person, form_of, now, opened

pytestmark = pytest.mark.django_db


def begun(**options: int) -> tuple[models.Table, Person, Person]:
    """Rin between two, the single stone of the first turn played."""
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, **(options or {"size": 6}))
    ann.do(row, "touch 1,1")
    return row, ann, bob


def target(page: str, point: str) -> str:
    """The element over a point."""
    found = re.search(rf'<use id="board-point-{point}"[^>]*>', page)
    assert found
    return found.group()


def test_a_turn_is_built_up_undone_and_confirmed() -> None:
    row, _, bob = begun()
    assert "the first of two stones" in bob.look(row)
    assert "the second of two stones" in bob.do(row, "touch 2,2")
    assert "not confirmed yet" in target(bob.look(row), "2,2")
    assert "the first of two stones" in bob.do(row, "untouch")
    bob.do(row, "touch 3,3")
    page = bob.do(row, "touch 4,4")
    assert "data-complete" in page and "data-action" not in page[page.index("<svg") :]
    assert now(row).entries == 1
    assert "Waiting for Ann." in bob.do(row, "confirm")
    assert now(row).match.position.stones() == {"1,1": 0, "3,3": 1, "4,4": 1}


def test_nobody_else_sees_a_turn_that_is_not_confirmed() -> None:
    row, ann, bob = begun()
    bob.do(row, "touch 2,2")
    for other in (ann, Person("Cyd")):
        page = other.look(row)
        assert 'aria-label="2,2, empty"' in target(page, "2,2")
        assert form_of(page)["seen"] == "" and "data-action" not in page


def test_who_does_not_want_to_confirm_sends_each_action() -> None:
    row, _, bob = begun()
    csrf = {"confirms_known": "1", "turned": "0"}
    bob.client.post(f"/table/{row.code}/look", csrf, headers=PART)
    bob.do(row, "touch 2,2")
    assert now(row).match.position.stones() == {"1,1": 0, "2,2": 1}
    bob.do(row, "touch 3,3")
    assert now(row).to_act == 0


def test_two_clicks_two_tabs_and_a_stale_page_do_no_harm() -> None:
    row, _, bob = begun()
    page = bob.look(row)
    assert bob.send(row, "touch 2,2", page).status_code == 200
    assert bob.send(row, "touch 2,2", page).status_code == 200  # a second click on the same page
    other_tab = bob.send(row, "touch 3,3", page)
    assert other_tab.status_code == 409 and 'role="alert"' in other_tab.content.decode()
    bob.do(row, "touch 3,3")
    complete = bob.look(row)
    bob.send(row, "confirm", complete)
    assert bob.send(row, "confirm", complete).status_code == 200  # sent again, as the answer was lost
    assert now(row).entries == 3
    assert bob.send(row, "touch 5,5", page).status_code == 409


def test_what_is_forbidden_is_answered_with_the_reason() -> None:
    row, _, bob = begun()
    answer = bob.send(row, "touch 1,1")
    assert answer.status_code == 422 and "there is already a stone on that point" in answer.content.decode()


def test_a_turn_that_is_not_begun_is_neither_taken_back_nor_confirmed() -> None:
    row, _, bob = begun()
    assert "the first of two stones" in bob.do(row, "untouch")
    answer = bob.send(row, "confirm")
    assert (
        answer.status_code == 422 and "there is no move to confirm: make one first" in answer.content.decode()
    )


def test_what_cannot_be_kept_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk (`test_full_disk.py`), with pages and without."""
    row, _, bob = begun()
    page = bob.look(row)

    def fail(*_: object, **__: object) -> None:
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise OperationalError(str(full)) from full

    monkeypatch.setattr(services, "add", fail)
    answer = bob.send(row, "resign", page)
    assert answer.status_code == 507 and "couldn’t be saved" in answer.content.decode()
    plain = bob.client.post(f"/table/{row.code}/act", {**form_of(page), "kind": "resign"})
    assert plain.status_code == 507 and "<html" in plain.content.decode()
    assert now(row).entries == 1


@pytest.mark.parametrize("kind", ["touch 2,2", "resign", "offer draw", "takeback", "rematch"])
def test_who_watches_can_do_nothing(kind: str) -> None:
    row, *_ = begun()
    answer = Person("Cyd").send(row, kind)
    assert answer.status_code == 422 and "only players can do that" in answer.content.decode()
    assert now(row).entries == 1


@pytest.mark.parametrize("kind", ["flag 0", "play 2,2", "", "touch", "colour x", "offer peace"])
def test_what_is_no_deed_is_refused(kind: str) -> None:
    row, _, bob = begun()
    assert bob.send(row, kind).status_code == 422
    assert now(row).entries == 1


def test_forms_need_their_token() -> None:
    row, _, bob = begun()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = bob.client.cookies
    form = {**form_of(bob.look(row)), "kind": "touch 2,2"}
    assert strict.post(f"/table/{row.code}/act", form).status_code == 403
    page = strict.get(f"/table/{row.code}").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    form = {**form_of(page), "kind": "touch 2,2", "csrfmiddlewaretoken": token.group(1)}
    assert strict.post(f"/table/{row.code}/act", form).status_code == 302


def test_a_takeback_needs_the_other_one() -> None:
    row, ann, bob = begun()
    assert "You asked for a takeback." in ann.do(row, "offer takeback")
    assert "Ann asks for a takeback." in bob.look(row)
    bob.do(row, "decline")
    assert now(row).offer is None
    assert ann.send(row, "offer takeback").status_code == 422  # not twice
    bob.do(row, "touch 2,2")
    bob.do(row, "touch 3,3")
    bob.do(row, "confirm")
    bob.do(row, "offer takeback")
    ann.do(row, "accept")
    assert now(row).match.position.stones() == {"1,1": 0} and now(row).to_act == 1


def test_who_plays_both_sides_takes_back_at_once() -> None:
    ann = Person("Ann")
    row = opened(ann, ann, size=6)
    assert "Black to play" in ann.look(row)
    ann.do(row, "touch 1,1")
    page = ann.look(row)
    assert 'value="offer takeback"' in page and "Take back" in page
    ann.do(row, "offer takeback")
    assert now(row).match.position.stones() == {} and now(row).to_act == 0


def test_contested_points_stand_apart_from_each_players_own() -> None:
    ann = Person("Ann")
    row = opened(ann, ann, game="lin", size=9)
    page = ann.do(row, "touch e5") and ann.look(row)
    assert re.findall(r'class="score" data-score="(\d+)"', page) == ["1", "0"]
    assert re.findall(r"<small[^>]*>\+(\d+)", page) == ["80", "80"]


def test_moves_that_score_say_so_and_groups_are_marked_at_the_end() -> None:
    ann = Person("Ann")
    row = opened(ann, ann, game="ren", size=8)
    for action in ("b4", "h8", "c4", "h7", "d4", "g8", "e4", "a8"):
        ann.do(row, f"touch {action}")
    assert re.findall(r">(\w+)</a> <b>\+(\d)</b>", ann.look(row)) == [("e4", "1")]
    assert "in a group" not in ann.look(row)
    ann.do(row, "touch pass")
    ann.do(row, "touch pass")
    assert "d4, Black stone, in a group" in ann.look(row)


def test_among_bots_one_takes_back_freely() -> None:
    ann = Person("Ann")
    row = opened(ann, Sitter(bot="1"), size=6)
    ann.do(row, "touch 1,1")
    page = ann.look(row)
    assert 'value="takeback"' in page and 'data-thinking="1"' in page
    assert "Your turn" in ann.do(row, "takeback")


def test_a_draw_is_offered_withdrawn_and_agreed_on() -> None:
    row, ann, bob = begun()
    ann.do(row, "offer draw")
    ann.do(row, "withdraw")
    bob.do(row, "offer draw")
    assert "Bob offers a draw." in ann.look(row)
    assert "Draw by agreement." in ann.do(row, "accept")
    assert "A draw." in bob.look(row)


def test_resigning_asks_once_more_in_the_page_and_ends_the_game() -> None:
    row, ann, bob = begun()
    page = ann.look(row)
    assert "<details" in page[: page.index('id="resign"')] and "Yes, resign" in page
    ann.do(row, "resign")
    assert "You win." in bob.look(row) and "Ann resigned." in bob.look(row)
    assert "Bob wins." in ann.look(row) and "You resigned." in ann.look(row)


def test_a_rematch_is_one_table_with_the_seats_changed() -> None:
    row, ann, bob = begun()
    assert ann.send(row, "rematch").status_code == 422
    ann.do(row, "resign")
    asked = ann.do(row, "rematch")
    assert "It starts when everyone accepts" in asked and 'id="rematch"' not in asked
    assert "Ann offered a rematch." in bob.look(row) and "Accept rematch" in bob.look(row)
    assert models.Table.objects.count() == 1
    first, second = bob.send(row, "rematch"), ann.send(row, "rematch", bob.look(row))
    assert first["HX-Redirect"] == second["HX-Redirect"]
    row.refresh_from_db()
    assert row.successor is not None
    assert f"/table/{row.successor.code}" in bob.look(row)
    assert [seat.guest for seat in row.successor.seats.all()] == [bob.guest, ann.guest]
    assert models.Table.objects.count() == 2


def test_komi_is_named_and_a_colour_chosen() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="lin", negotiate=True, size=5, line=3)
    assert "Name a komi, points for White: 0 to" in ann.look(row)
    assert "komi is missing" in ann.send(row, "komi", value=" ").content.decode()
    assert 'id="komi"' in ann.look(row) and 'id="komi"' not in bob.look(row)
    assert ann.send(row, "komi", value="3").status_code == 422
    ann.do(row, "komi", value="2")
    assert "Ann names a komi of 2. Choose your colour. Fair: " in bob.look(row)
    bob.do(row, "colour 0")
    assert "You take Black, with a komi of 2. Your turn" in bob.look(row)
    assert "Bob takes Black, with a komi of 2. Waiting for Bob." in ann.look(row)
    assert "Your turn" in bob.look(row) and now(row).to_act == 1


def test_the_fair_komi_that_was_measured_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    known = FairKomi(options={"size": 7, "line": 5}, fair=6.6, low=4.5, high=9.0)
    monkeypatch.setattr(Description, "fair_komis", KomiTable(curve=(known,)))
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="lin", negotiate=True, size=7)
    said = "Fair: 6 ± 3."
    assert offered_komi(ann.look(row)) == 6 and said in ann.look(row)
    assert said not in bob.look(row), "it is nothing to them yet"
    ann.do(row, "komi", value="8")
    assert said in bob.look(row) and said not in ann.look(row)

    unknown = opened(ann, bob, game="lin", negotiate=True, size=9)
    assert offered_komi(ann.look(unknown)) == 0 and "equal bots" not in ann.look(unknown)


def offered_komi(page: str) -> int:
    """The komi that is filled in."""
    found = re.search(r'<input id="komi"[^>]* value="(\d+)"', page)
    assert found
    return int(found[1])


def test_colours_are_swapped() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, swap=True, size=6)
    ann.do(row, "touch 1,1")
    assert 'id="swap"' in bob.look(row)
    bob.do(row, "swap")
    assert now(row).match.current_game.players == (1, 0) and "Your turn" in ann.look(row)


def test_a_match_goes_on_with_the_next_game_and_adds_up() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren", legs=2, size=4)
    ann.do(row, "resign")
    page = bob.look(row)
    assert "Match so far" in page and "game 2 of 2" in page and "Your turn" in page
    assert "Game 1 is over. You win." in bob.look(row, game=1)
    bob.do(row, "resign")
    assert "Total" in ann.look(row) and now(row).is_over


def test_six_at_one_table() -> None:
    people = [Person(name) for name in ("Ann", "Bob", "Cyd")]
    row = opened(*people, Sitter(bot="1"), Sitter(bot="2"), people[0], game="rings", size=3, players=6)
    page = people[0].look(row)
    assert page.count('class="player') == 6 + 1  # and their list
    assert "Player 1" in page and "Player 6" in page and "Level 2" in page
    people[1].do(row, "resign")  # out of turn
    assert "· resigned" in people[2].look(row)


def test_who_has_the_same_name_as_another_is_called_by_colour() -> None:
    ann = Person("Ann")
    alike = opened(ann, Sitter(bot="1"), Sitter(bot="1"), game="rings", size=3, players=3)
    assert "White is thinking." in ann.do(alike, "touch F1")
    unlike = opened(ann, Sitter(bot="1"), Sitter(bot="2"), game="rings", size=3, players=3)
    assert "Level 1 is thinking." in ann.do(unlike, "touch F1")


def test_nobody_plays_before_a_friend_has_come() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, Sitter(), size=6)
    free = row.seats.get(number=1)
    assert f"/join/{free.invitation}" in ann.look(row)
    assert free.invitation not in bob.look(row)
    assert ann.send(row, "touch 1,1").status_code == 422
    assert services.sit_down(free, bob.guest)
    assert ann.send(row, "touch 1,1").status_code == 200


def test_earlier_positions_are_marked_and_nothing_is_done_there() -> None:
    row, ann, bob = begun()
    bob.do(row, "touch 2,2")
    bob.do(row, "touch 3,3")
    bob.do(row, "confirm")
    page = ann.look(row, ply=2)
    assert "Earlier position: move 2 of 3." in page and "data-action" not in page
    assert "White stone" in target(page, "2,2") and "empty" in target(page, "3,3")
    assert "Earlier position" not in ann.look(row, ply=99)
    rounds = move_list(now(row).match.current_game, 1)
    assert [re.findall(r'ply=(\d+)" data-part>([^<]*)', turn) for turn in rounds.items] == [
        [("1", "1,1")],
        [("2", "2,2"), ("3", "3,3")],
    ]


def test_what_is_switched_on_is_remembered_for_the_game() -> None:
    row, ann, bob = begun()
    form = {"overlay": ["alive", "nothing"], "numbered": "on", "turned": "1", "confirms_known": "1"}
    page = ann.client.post(f"/table/{row.code}/look", form, headers=PART).content.decode()
    assert "alive" in target(page, "1,1") and "move 1" in target(page, "1,1")
    assert "alive" in target(ann.look(row), "1,1")
    assert "alive" not in target(bob.look(row), "1,1")
    another = opened(ann, bob, size=4)
    assert 'value="alive" checked' in ann.look(another)


def test_clocks_are_shown_as_they_stand() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, control=TimeControl(300.0, 3.0), size=6)
    page = ann.look(row)
    assert page.count('data-seconds="300.0"') == 2 and "data-running" not in page


def test_a_page_has_nothing_inline() -> None:
    row, ann, _ = begun()
    page = ann.look(row)
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)


def test_a_player_can_ask_what_each_action_does_and_nobody_else() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="rive", size=3)
    for action in ("a1", "c3", "e3"):
        (ann if now(row).to_act == 0 else bob).do(row, f"touch {action}")
    address = f"/table/{row.code}/effects"
    told = bob.client.get(address).json()
    assert told["player"] == 1 and told["effects"] == {}
    for other in (ann, Person()):
        assert other.client.get(address).json() == {"effects": {}}


def test_effects_are_of_the_turn_as_it_stands_and_in_the_language_of_who_asks() -> None:
    ann = Person("Ann")
    position = catalog.game("rive", size=3).arranged(
        dict.fromkeys(["b3", "c3", "c5", "d1"], 0) | dict.fromkeys(["a1", "c1", "d3"], 1)
    )
    row = services.begin(
        MatchConfig(position.game, position=str(position)), [Sitter(ann.guest), Sitter(Person().guest)]
    )
    address = f"/table/{row.code}/effects"
    joining = ann.client.get(address).json()["effects"]["b1"]
    assert joining["changes"] == {"b1": 0} and "then remove 1 stone" in joining["words"]
    ann.do(row, "touch b1")
    told = ann.client.get(address).json()["effects"]
    assert told["xa1"]["changes"] == {"a1": None}
    assert told["xa1"]["words"].startswith("removes 1 stone · White −1 · then place another stone")
    german = ann.client.get(address, headers={"Accept-Language": "de"}).json()["effects"]
    assert german["xa1"]["words"].startswith("nimmt 1 Stein vom Brett")
