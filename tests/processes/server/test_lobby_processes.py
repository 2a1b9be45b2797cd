"""The lobby of a site with two processes: simultaneous actions happen once, and are seen in both."""

import contextlib
import json
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from processes.server.test_two_processes import at_once
from server.kinds_of_sites import PAIRS, Kind
from server.sites import Site
from server.visitors import BROKEN, Visitor

FORM = {"size": 8, "clock": "10+5", "side": "lot", "sent": 1}


@pytest.fixture(scope="module", params=PAIRS, ids=str)
def sites(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Site]]:
    kind: Kind = request.param
    kind.require_services()
    with kind.running(tmp_path_factory.mktemp("site")) as (found, _):
        yield found


@contextlib.contextmanager
def events(visitor: Visitor, port: int) -> Iterator[Iterator[tuple[str, Any]]]:
    """The lobby's events for a visitor, in order."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/lobby/events", headers={"Cookie": visitor._cookie})
        yield _told(connection.getresponse())
    finally:
        connection.close()


def _told(stream: Any) -> Iterator[tuple[str, Any]]:
    kind = ""
    for line in stream:
        if line.startswith(b"event: "):
            kind = line[7:].decode().strip()
        elif line.startswith(b"data: ") and kind != "beat":
            yield kind, json.loads(line[6:])


def next_of(told: Iterator[tuple[str, Any]], kind: str) -> Any:
    return next(data for found, data in told if found == kind)


def look_for(visitor: Visitor, site: Site, key: str) -> None:
    answer = visitor.post(site.port, "/lobby/new/rin", {**FORM, "key": key}, by_htmx=False)
    assert (answer.status, answer.location) == (302, "/lobby/"), answer


def code_of(put: list[list[str]]) -> str:
    ((code, _),) = put
    return code


def test_of_four_clicks_by_two_people_at_two_processes_one_game_comes(sites: list[Site]) -> None:
    for number in range(4):
        owner, one, other = Visitor(), Visitor(), Visitor()
        with events(Visitor(), sites[1].port) as told:
            assert next_of(told, "seeks")["put"] == []
            look_for(owner, sites[0], f"clicks-{number}")
            path = f"/lobby/seeks/{code_of(next_of(told, 'seeks')['put'])}/accept"
        for visitor in (one, other):  # makes them guests, with one session for all clicks
            visitor.post(sites[0].port, "/me/preferences", {"name": "Bob"})
        clicks = [
            partial(visitor.post, site.port, path, {}, by_htmx=False)
            for visitor in (one, other)
            for site in sites
        ]
        answers = at_once(*clicks)
        assert sorted(answer.status for answer in answers) == [302, 302, 409, 409]
        assert len({answer.location for answer in answers if answer.status == 302}) == 1
        assert answers[0].status == answers[1].status


def test_both_see_seeks_and_games_of_the_other(sites: list[Site]) -> None:
    owner, friend = Visitor(), Visitor()
    look_for(owner, sites[0], "seen-1")
    with events(owner, sites[1].port) as hers, events(friend, sites[1].port) as his:
        first = next_of(his, "seeks")
        assert first["all"] and "/accept" in first["put"][0][1]
        assert "/withdraw" in next_of(hers, "seeks")["put"][0][1]
        code = code_of(first["put"])
        taken = friend.post(sites[0].port, f"/lobby/seeks/{code}/accept", {}, by_htmx=False)
        assert next_of(his, "seeks") == {"all": False, "put": [], "gone": [code]}
        assert next_of(hers, "game")["address"] == taken.location


def test_a_killed_process_leaves_a_whole_game_or_none(tmp_path: Path) -> None:
    """A click whose response is lost is sent again, and gives the same game."""
    kind = PAIRS[0]
    with kind.running(tmp_path) as (sites, _):
        for number in range(5):
            owner, friend = Visitor(), Visitor()
            look_for(owner, sites[1], f"kill-{number}")
            with events(friend, sites[1].port) as told:
                code = code_of(next_of(told, "seeks")["put"])
            friend.post(sites[1].port, "/me/preferences", {"name": "Bob"})
            path = f"/lobby/seeks/{code}/accept"

            def click(path: str = path, friend: Visitor = friend) -> str:
                try:
                    return friend.post(sites[0].port, path, {}, by_htmx=False).location
                except BROKEN:
                    return ""

            def kill() -> str:
                sites[0].kill()
                return ""

            first, _ = at_once(click, kill)  # type: ignore[arg-type]
            again = friend.post(sites[1].port, path, {}, by_htmx=False).location
            assert again.startswith("/table/") and first in ("", again)
            sites[0].start()
