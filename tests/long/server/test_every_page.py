"""Every page of every game, every field and every operation, of which `tests/server` tests a sample."""

import pytest
from django.test import Client

import kakomi
from kakomi import catalog
from kakomi.server.accounts.models import Guest
from messages import LANGUAGES
from server import test_hostile_programs as programs
from server import test_hostile_requests as requests
from server import test_language_pages as language
from server import test_security_pages as security
from server.site_walk import Address, addresses
from server.test_hostile_programs import _one_connection
from server.test_hostile_requests import heard
from server.test_language_pages import _no_prose, _nothing_kept
from server.test_security_pages import _rendered_here, guest, visitor

__all__ = ["_no_prose", "_nothing_kept", "_one_connection", "_rendered_here", "guest", "heard", "visitor"]
pytestmark = pytest.mark.django_db
SHARES = 8


@pytest.mark.usefixtures("_rendered_here")
@pytest.mark.parametrize("name", catalog.names())
def test_no_page_holds_what_is_carried_out(visitor: Client, guest: Guest, name: str) -> None:
    security.check_pages(visitor, guest, name, alike=400)


@pytest.mark.usefixtures("_no_prose", "_nothing_kept")
def test_no_page_says_anything_that_is_not_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    language.check_that_all_is_translated(monkeypatch, kakomi.names())


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_no_page_says_anything_in_english(spoken: str) -> None:
    language.check_that_nothing_is_english(spoken, kakomi.names())


@pytest.mark.parametrize("address", list(addresses()), ids=requests.route_of)
def test_every_field_of_every_address_bears_anything(address: Address, heard: set[str]) -> None:
    requests.make_known()
    requests.check_fields(address, heard)


@pytest.mark.usefixtures("_one_connection")
@pytest.mark.parametrize("share", range(SHARES))
def test_the_document_is_kept_by_every_operation(share: int) -> None:
    programs.make_known()
    for label in programs.labels()[share::SHARES]:
        programs.hold_for_cases_of(label, programs.answered)
    for label in programs.labels_of_something()[share::SHARES]:
        programs.hold_for_cases_of(label, programs.answered_of_something)
