"""The look of boards: chosen at any board, kept for the boards of all games."""

import re

import pytest
from django.http import QueryDict

from kakomi.server.boards.board_look import BoardLook
from server.table_client import PART, Person, opened

pytestmark = pytest.mark.django_db
CHOSEN = {"look_known": "1", "board": "slate", "stones": "flat", "large": "on", "turned": "0"}


def _words(page: str, tag: str) -> str:
    found = re.search(f'<{tag} [^>]*data-look="([^"]*)"', page)
    assert found
    return found[1]


def test_what_is_chosen_at_a_table_is_the_look_of_all_pages() -> None:
    ann = Person("Ann")
    row = opened(ann, Person("Cyd"))
    part = ann.client.post(f"/table/{row.code}/look", CHOSEN, headers=PART).content.decode()
    assert _words(part, "section") == "slate flat bare large"
    for address in (f"/table/{row.code}", "/rules/ren", "/"):
        assert _words(ann.client.get(address).content.decode(), "html") == "slate flat bare large"
    assert _words(Person("Bob").client.get("/rules/ren").content.decode(), "html") == ""


def test_a_form_that_does_not_ask_for_it_leaves_it_alone() -> None:
    ann = Person("Ann")
    row = opened(ann, Person("Cyd"))
    ann.client.post(f"/table/{row.code}/look", CHOSEN)
    ann.client.post(f"/table/{row.code}/look", {"turned": "1"})
    assert _words(ann.look(row), "html") == "slate flat bare large"


def test_nonsense_is_the_default() -> None:
    assert BoardLook.of(QueryDict("board=marble&stones=<b>&coordinates=on")) == BoardLook()
    for kept in ({}, {"board_look": 3}, {"board_look": {"colour": 1}}, {"board_look": {"board": []}}):
        assert BoardLook.saved(kept) == BoardLook()


@pytest.mark.parametrize("look", [BoardLook("sage", "matte", True), BoardLook(is_contrasting=True)])
def test_a_look_is_kept_as_it_is(look: BoardLook) -> None:
    session: dict[str, object] = {}
    look.save(session)
    assert BoardLook.saved(session) == look
