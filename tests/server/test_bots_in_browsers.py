"""Bots of casual games think in their opponent's browser: what it may play, and what if it doesn't answer."""

import json
import re
from html import unescape
from typing import Any

import pytest

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.server.engines import seed_of_decision
from kakomi.server.engines.decisions import decision_request
from kakomi.server.operations import background_tasks
from kakomi.server.tables import models, services
from kakomi.server.tables.deadlines import BROWSER_SECONDS, Claims
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from server.table_client import PART, Person, form_of, now, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="3", name="level 3")
HERE = {**PART, "Kakomi-Engine": "here"}


def question(page: str) -> dict[str, Any] | None:
    """What a page asks its browser."""
    found = re.search(r'data-decides="([^"]*)"', page)
    return json.loads(unescape(found[1])) if found else None


def begun(**terms: Any) -> tuple[Person, models.Table]:
    """A game in which a bot is to answer the first turn."""
    ann = Person("Ann")
    row = opened(ann, BOT, game="lin", size=5, **terms)
    ann.do(row, "touch b2")
    now(row)
    return ann, row


def play_first(row: models.Table) -> None:
    """Play any action for the seat to act."""
    table = now(row)
    deed = [("play", table.match.position.legal()[0])]
    services.add(row.code, deed, seat=table.to_act, base=row.entries, key=f"p{row.entries}")


def played(row: models.Table) -> list[tuple[int | None, str, object]]:
    return [(entry.seat, entry.kind, entry.value) for entry in now(row).history]


def test_the_browser_is_asked_what_an_engine_would_be_asked() -> None:
    ann, row = begun(swap=True)
    asked, table = question(ann.look(row)), now(row)
    assert asked is not None
    request = decision_request(table.match, 1, "3", row.pk)
    assert asked["seed"] == request["seed"] == seed_of_decision(table.match, row.pk)
    assert (asked["may_swap"], asked["to_move"], asked["options"]) == (True, 1, request["options"])
    level = table.match.position.game.description.levels[2]
    assert (asked["simulations"], asked["temperature"]) == (level.simulations, level.temperature)


def test_what_the_browser_finds_is_played_once() -> None:
    ann, row = begun()
    page = ann.look(row)
    assert ann.send(row, "decide c3", page).status_code == 200
    assert played(row)[-1] == (1, "play", "c3")
    entries = now(row).entries
    again = ann.send(row, "decide d4", page)
    assert again.status_code == 200
    assert "alert" not in again.content.decode()
    assert now(row).entries == entries


def test_the_first_answer_counts_wherever_it_comes_from() -> None:
    ann, row = begun()
    page, before = ann.look(row), models.Table.objects.get(pk=row.pk)
    background_tasks._add(before, 1, "play", "d4")
    assert ann.send(row, "decide c3", page).status_code == 200
    assert played(row)[-1] == (1, "play", "d4")
    ann.do(row, "touch a1")
    late = models.Table.objects.get(pk=row.pk)
    ann.do(row, "decide c3")
    entries = now(row).entries
    background_tasks._add(late, 1, "play", "a4")
    assert now(row).entries == entries


def test_the_browser_may_swap() -> None:
    ann, row = begun(swap=True)
    ann.do(row, "decide swap")
    assert played(row)[-1] == (1, "swap", None)


@pytest.mark.parametrize("choice", ["b2", "z9", "nonsense"])
def test_the_rules_hold_for_the_browser_too(choice: str) -> None:
    ann, row = begun()
    entries = now(row).entries
    assert ann.send(row, f"decide {choice}").status_code == 422
    assert now(row).entries == entries


def test_a_swap_that_isnt_allowed_is_refused() -> None:
    ann, row = begun()
    assert ann.send(row, "decide swap").status_code == 422


@pytest.mark.parametrize("kind", ["watched", "clock", "rated", "tournament", "people", "own turn"])
def test_other_games_are_left_to_the_server(kind: str) -> None:
    ann = Person("Ann")
    sitters = [Sitter(ann.guest), *([Sitter(Person("Bob").guest)] if kind == "people" else []), BOT]
    game = catalog.game("rings", size=3, players=3) if kind == "people" else catalog.game("lin", size=5)
    control = TimeControl(600.0, 5.0) if kind in ("clock", "rated") else None
    row = services.begin(MatchConfig(game), sitters, control, is_binding=kind == "tournament")
    if kind != "own turn":
        for _ in range(len(sitters) - 1):
            play_first(row)
    if kind == "rated":
        models.Table.objects.filter(pk=row.pk).update(is_rated=True, pace="")
    who = Person("Eve") if kind == "watched" else ann
    entries = now(row).entries
    page = who.look(row)
    assert question(page) is None
    form = {**form_of(ann.look(row)), "kind": f"decide {now(row).match.position.legal()[0]}"}
    who.client.post(f"/table/{row.code}/act", form, headers=HERE)
    assert now(row).entries == entries
    assert not row.claimed_until


def test_an_engine_of_the_site_waits_for_a_browser_that_has_one() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="lin", size=5)
    form = {**form_of(ann.look(row)), "kind": "touch b2"}
    ann.client.post(f"/table/{row.code}/act", form, headers=HERE)
    assert Claims().unclaimed() == []
    now(row)
    assert row.claimed_until > BROWSER_SECONDS
    ann.do(row, "decide ")
    assert Claims().unclaimed() == [row.code]


def test_an_engine_of_the_site_plays_when_no_browser_has_answered_in_time() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="lin", size=5)
    form = {**form_of(ann.look(row)), "kind": "touch b2"}
    ann.client.post(f"/table/{row.code}/act", form, headers=HERE)
    models.Table.objects.filter(pk=row.pk).update(claimed_until=now(row).at)
    claims = Claims()
    assert claims.unclaimed() == [row.code]
    assert claims.take(row.code)


def test_a_bot_that_takes_several_actions_is_asked_for_each() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, game="ren", size=4)
    seen = set()
    for _ in range(12):
        table = now(row)
        if table.to_act == 1:
            asked = question(ann.look(row))
            assert asked is not None
            seen.add(asked["seed"])
            bot = make_bot(3, seed=asked["seed"])
            text = table.match.position.game.action_texts[bot.choose(table.match.position)]
            ann.do(row, f"decide {text}")
        else:
            play_first(row)
    assert len(seen) == sum(seat == 1 for seat, *_ in played(row))
