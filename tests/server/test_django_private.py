"""The site leans on parts of Django that it may change: whoever takes another release looks at them first."""

import subprocess
import sys
from importlib.metadata import version

import django
import pytest
from django.urls import resolve, reverse

from kakomi.server.accounts.models import Guest
from kakomi.server.site import django_private
from kakomi.server.site.django_private import PreparedQuery

PAGES_ALONE = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
import django
django.setup()
from django.urls import get_resolver, resolve, reverse
get_resolver().url_patterns
print(resolve(reverse("home")).view_name, "ninja" in sys.modules)
print(resolve("/api/v1/tables").view_name, "ninja" in sys.modules)
"""

KNOWN_RELEASE = (5, 2)
KNOWN_ASGIREF = "3.13"
"""Its `SyncToAsync` keeps the main event loop of a thread where ours puts it."""


def test_the_release_is_the_one_that_it_was_written_for() -> None:
    assert django.VERSION[:2] == KNOWN_RELEASE, (
        f"this is Django {django.get_version()}: read what it changed of all that {django_private.__name__} "
        "imports and overrides, run the tests, and only then name it here"
    )


def test_so_is_that_of_asgiref() -> None:
    assert version("asgiref").startswith(f"{KNOWN_ASGIREF}."), (
        f"this is asgiref {version('asgiref')}: see what became of `SyncToAsync`, then name it here"
    )


def test_pages_do_not_load_the_api() -> None:
    ran = subprocess.run([sys.executable, "-c", PAGES_ALONE], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["home False", "api:tables True"]


def test_an_address_of_the_api_has_its_name_both_ways() -> None:
    address = reverse("api:join", args=["abcdefgh"])
    assert resolve(address).view_name == "api:join"
    assert "api" in resolve(address).namespaces


@pytest.mark.django_db
def test_a_prepared_query_gives_what_django_gives() -> None:
    Guest.objects.create(name="Bob")
    ann = Guest.objects.create(name="Ann")
    by_name = PreparedQuery(lambda name: Guest.objects.filter(name=name))
    for name in ("Ann", "Bob", "Ann", "nobody"):
        assert by_name.rows(name) == list(Guest.objects.filter(name=name))
    found = by_name.first("Ann")
    assert found is not None and vars(found).keys() == vars(Guest.objects.get(pk=ann.pk)).keys()
    fields = [field.name for field in Guest._meta.concrete_fields]
    assert all(getattr(found, field) == getattr(ann, field) for field in fields)


@pytest.mark.django_db
def test_a_prepared_query_refuses_values_in_another_order() -> None:
    mixed_up = PreparedQuery(lambda name, number: Guest.objects.filter(pk=number).filter(name=name))
    with pytest.raises(ValueError, match="keep their order"):
        mixed_up.rows("Ann", 1)
