"""A game starts under the same terms wherever people start it."""

import re

import pytest
from django.test import Client

from kakomi import catalog
from kakomi.core import Game
from kakomi.protocol.mail.language.terms import read_terms
from kakomi.server.lobby.api import SeekIn
from kakomi.server.lobby.forms import SeekForm
from kakomi.server.lobby.pairing import QuickWish
from kakomi.server.tables.api import TableIn
from kakomi.server.tables.forms import BOT, TableForm
from kakomi.server.tables.table_request import TableRequest
from kakomi.session import usual_terms
from server.people import make_user

NAMES = catalog.names()


def test_the_board_is_the_first_preset_and_people_negotiate_the_komi() -> None:
    lin = catalog.describe("lin")
    assert usual_terms(lin) == (catalog.game("lin", size=9), True)
    assert usual_terms(lin, has_bots=True) == (catalog.game("lin", size=9, komi=2), False)
    assert usual_terms(lin, {"komi": 8}) == (catalog.game("lin", size=9, komi=8), False)
    assert usual_terms(lin, is_settled=True) == (catalog.game("lin", size=9), False)
    assert usual_terms(catalog.describe("rings"), {"players": 6}).game == catalog.game("rings", players=6)


def form_of(name: str, **wishes: str) -> TableRequest:
    form = TableForm(catalog.describe(name), {"sent": "1", "negotiate": "1", **wishes})
    assert form.is_valid() and form.table_request
    return form.table_request


@pytest.mark.parametrize("name", NAMES)
def test_games_between_people_start_alike(db: None, name: str) -> None:
    game, negotiate = usual_terms(catalog.describe(name))
    guest = make_user("ada").guest
    seek = SeekForm(catalog.describe(name), guest, {"negotiate": "1", "clock": "10+5"})
    assert seek.is_valid() and seek.wish
    api_seek = SeekIn(game=name, options={}, clock="10+5", key="a-key-of-mine", to=[]).wish()
    table, by_friend = (
        TableIn(game=name, options={}, seats=["me", "friend"]).table_request(),
        form_of(name, opponent="friend"),
    )
    mailed, quick = read_terms(name, {}), QuickWish(name).wish.terms
    started: list[tuple[Game, bool]] = [
        (wish.terms.game_for(2), wish.terms.negotiate) for wish in (seek.wish, api_seek)
    ]
    started += [(request.game, request.negotiate) for request in (table, by_friend)]
    started += [
        (catalog.game(name, **mailed.options), mailed.negotiate),
        (quick.game_for(2), quick.negotiate),
    ]
    assert started == [(game, negotiate)] * 6


@pytest.mark.parametrize("name", NAMES)
def test_games_against_bots_start_alike(client: Client, db: None, name: str) -> None:
    game, _ = usual_terms(catalog.describe(name), has_bots=True)
    home = client.get("/").content.decode()
    fields = home[home.index(f'action="/play/{name}"') :].partition("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)" value="(\d+)"', fields))
    by_home = {option: int(sent[option]) for option in game.options}
    table = TableIn(game=name, options={}, seats=["me", "1"]).table_request()
    by_form = form_of(name, opponent=BOT, level="1")
    assert [by_home, table.game.options, by_form.game.options] == [game.options] * 3
    assert not table.negotiate and not by_form.negotiate


def test_a_rated_game_may_have_the_fair_komi(db: None) -> None:
    form = TableForm(
        catalog.describe("lin"),
        {"sent": "1", "opponent": BOT, "level": "1", "clock": "10+5", "rated": "1"},
        may_be_rated=True,
    )
    assert form.is_valid() and form.table_request and form.table_request.game.options["komi"] == 2
