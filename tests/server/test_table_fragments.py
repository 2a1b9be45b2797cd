"""A page that is open is sent what it doesn't have: never less, and never what only somebody else may see."""

import random

import pytest

from kakomi import catalog
from server.table_client import PART, Person, opened
from server.table_page import Page, play

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", catalog.names())
def test_a_page_that_is_kept_up_is_as_one_that_is_loaded(game: str) -> None:
    chance = random.Random(1)
    people = (Person("Ann"), Person("Bob"))
    row = opened(*people, game=game)
    pages = [Page(person, row) for person in (*people, Person())]
    for _ in range(24):
        if not play(people, pages, row, chance):
            break
        for page in pages:
            page.look()
            assert len(page.sent) < 30_000
            assert page.seen == Page(page.person, row).seen


def test_who_has_everything_is_sent_next_to_nothing() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    page = Page(ann, opened(ann, bob))
    page.look()
    assert page.names == ["command", "board"]


def test_another_board_is_sent_as_a_whole() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    small, large = opened(ann, bob, size=6), opened(ann, bob, size=8)
    page = Page(ann, small)
    page.look(f"/table/{large.code}")
    assert page.seen == Page(ann, large).seen


def test_a_takeback_shortens_the_list_of_turns() -> None:
    ann = Person("Ann")
    row = opened(ann, ann, size=6)
    page = Page(ann, row)
    for deed in ("touch 1,1", "touch 2,2", "touch 3,3", "confirm"):
        ann.do(row, deed)
    page.look()
    assert len(page.items) == 2
    ann.do(row, "offer takeback")
    page.look()
    assert page.seen == Page(ann, row).seen


def test_prints_of_somebody_else_or_of_nobody_bring_nothing_to_light() -> None:
    """What a page claims to have only ever leaves something out."""
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    bob.do(row, "touch 2,2")  # of a turn that isn't confirmed
    own, other = Page(bob, row), Page(Person(), row)
    assert any("not confirmed yet" in name for name, _ in own.targets)
    other.etags = dict(own.etags)
    other.look()
    assert "not confirmed yet" not in other.sent and 'value="2,2"' not in other.sent
    for nonsense in ("board=", "= = =", "board=moves moves=board", "x" * 500, "moves=" + own.etags["moves"]):
        headers = {**PART, "Kakomi-Etags": nonsense}
        sent = other.person.client.get(f"/table/{row.code}", headers=headers).content.decode()
        assert "not confirmed yet" not in sent and 'data-fragment="turn"' in sent


def test_refusals_come_with_the_fragments() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    page = Page(ann, row)
    ann.do(row, "touch 1,1")
    form = {"base": 0, "key": "another-key", "seen": "", "kind": "touch 2,2"}
    assert page.post(f"/table/{row.code}/act", form).status_code == 409
    assert 'role="alert"' in page.html["answer"] and len(page.items) == 1
